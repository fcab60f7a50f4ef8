//! Coefficients of the weights in the evaluation of a position, from which the tuner computes value and gradient.

use gaur::board::Board;
use gaur::eval::classical::{
    ClassicalEvaluation, FULL_PHASE, FULL_SCALE, Scale, Sums, Tapered, Term, Trace, Value, Weights,
    danger,
};
use gaur::types::Color;

use super::tape::{DangerOperands, Tape, TracedValue};

/// The coefficient of a weight: its number of occurrences for White minus those for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Coefficient {
    /// Number of the weight in the order of [`Weights::for_each_table`].
    weight: u16,
    count: i16,
}

/// The sums whose coefficients are stored, in their order.
#[derive(Clone, Copy)]
enum Section {
    Terms,
    WinningChances,
    Tempo,
    /// First of three sections per king, White's first: danger units, units per cover, cover.
    Danger,
}

/// Number of sections.
const SECTIONS: usize = Section::Danger as usize + 6;

/// The coefficients of all weights in the evaluation of one position.
#[derive(Clone, Debug)]
pub(super) struct Coefficients {
    /// Coefficients of all sections, one section after the other.
    list: Box<[Coefficient]>,
    /// Index in `list` of the end of each section.
    ends: [u16; SECTIONS],
    /// Game phase, 0 to [`FULL_PHASE`].
    phase: u8,
    /// Scales of middlegame and endgame value, by the side that is better.
    scales: [[u8; 2]; 2],
}

/// Intermediate results of [`Coefficients::value`], from which the gradient follows.
struct Steps {
    /// Danger units of each king before clamping, for middlegame and endgame.
    units: [[f64; 2]; 2],
    /// Middlegame value of each king's cover, in centipawns.
    cover: [f64; 2],
    /// Sign of the endgame value: 1 if White is better, -1 if Black is, 0 if neither.
    better: f64,
    /// Set if negative winning chances reduce the endgame value to 0.
    levelled: bool,
    /// Factors of the middlegame and the endgame value in the score.
    scale: [f64; 2],
    /// Score for White in centipawns.
    value: f64,
}

impl Coefficients {
    /// Returns the score of the position for White, in centipawns, with the given middlegame and endgame weights in the
    /// order of [`Weights::for_each_table`].
    ///
    /// It is the score of the classical evaluation without rounding.
    pub(super) fn value(&self, weights: &[[f64; 2]]) -> f64 {
        self.steps(weights).value
    }

    /// Adds to `gradient` the derivative of the score by each weight, times the factor that `factor` returns for the
    /// score. At points where the score is not differentiable it is a one-sided derivative.
    pub(super) fn add_gradient(
        &self,
        weights: &[[f64; 2]],
        gradient: &mut [[f64; 2]],
        factor: impl FnOnce(f64) -> f64,
    ) {
        let steps = self.steps(weights);
        let factor = factor(steps.value);
        let middlegame = factor * steps.scale[0];
        let mut endgame = factor * steps.scale[1];
        let mut add = |section: &[Coefficient], by: [f64; 2]| {
            for coefficient in section {
                let slot = &mut gradient[usize::from(coefficient.weight)];
                slot[0] += by[0] * f64::from(coefficient.count);
                slot[1] += by[1] * f64::from(coefficient.count);
            }
        };
        add(self.section(Section::Tempo as usize), [middlegame, endgame]);
        if steps.levelled {
            endgame = 0.0;
        } else {
            let chances = self.section(Section::WinningChances as usize);
            add(chances, [0.0, endgame * steps.better]);
        }
        add(self.section(Section::Terms as usize), [middlegame, endgame]);
        for (king, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let [units, per_cover, cover] = self.danger(king);
            let slope = |units: f64, slope: f64| {
                let is_clamped = units <= 0.0 || units >= f64::from(danger::MAX_UNITS);
                if is_clamped { 0.0 } else { slope }
            };
            let [early, late] = steps.units[king];
            let early = slope(
                early,
                sign * middlegame * 2.0 * early / f64::from(danger::MIDDLEGAME_DIVISOR),
            );
            let late = slope(late, sign * endgame / f64::from(danger::ENDGAME_DIVISOR));
            add(units, [early, late]);
            let share = steps.cover[king] / f64::from(danger::COVER_DIVISOR);
            add(per_cover, [early * share, late * share]);
            let weight = sum(per_cover, weights);
            let through_cover =
                (early * weight[0] + late * weight[1]) / f64::from(danger::COVER_DIVISOR);
            add(cover, [through_cover, 0.0]);
        }
    }

    /// Returns the numbers of the weights that have a coefficient, in part several times.
    #[cfg(test)]
    pub(super) fn weights(&self) -> impl Iterator<Item = usize> {
        let list = self.list.iter();
        list.map(|coefficient| usize::from(coefficient.weight))
    }

    fn steps(&self, weights: &[[f64; 2]]) -> Steps {
        let [mut middlegame, mut endgame] = sum(self.section(Section::Terms as usize), weights);
        let mut all_units = [[0.0; 2]; 2];
        let mut all_cover = [0.0; 2];
        for (king, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let [units, per_cover, cover] = self.danger(king);
            let cover = sum(cover, weights)[0];
            let (units, per_cover) = (sum(units, weights), sum(per_cover, weights));
            let units = [0, 1].map(|phase| {
                units[phase] + per_cover[phase] * cover / f64::from(danger::COVER_DIVISOR)
            });
            let [early, late] = units.map(|units| units.clamp(0.0, f64::from(danger::MAX_UNITS)));
            middlegame += sign * early * early / f64::from(danger::MIDDLEGAME_DIVISOR);
            endgame += sign * late / f64::from(danger::ENDGAME_DIVISOR);
            all_units[king] = units;
            all_cover[king] = cover;
        }
        let chances = sum(self.section(Section::WinningChances as usize), weights)[1];
        let better = if endgame == 0.0 {
            0.0
        } else {
            endgame.signum()
        };
        let levelled = chances < -endgame.abs();
        endgame += better * chances.max(-endgame.abs());
        let tempo = sum(self.section(Section::Tempo as usize), weights);
        middlegame += tempo[0];
        endgame += tempo[1];
        // Each value is scaled for the side that is better in its phase.
        let scale_of = |phase: usize, value: f64| self.scales[usize::from(value < 0.0)][phase];
        let scales = [scale_of(0, middlegame), scale_of(1, endgame)].map(f64::from);
        let whole = f64::from(FULL_PHASE * FULL_SCALE);
        let late = f64::from(FULL_PHASE - i32::from(self.phase));
        let scale = [
            scales[0] * f64::from(self.phase) / whole,
            scales[1] * late / whole,
        ];
        Steps {
            units: all_units,
            cover: all_cover,
            better,
            levelled,
            scale,
            value: middlegame * scale[0] + endgame * scale[1],
        }
    }

    /// Returns the coefficients of a section.
    fn section(&self, number: usize) -> &[Coefficient] {
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1],
        };
        &self.list[usize::from(start)..usize::from(self.ends[number])]
    }

    /// Returns the coefficients of danger units, units per cover, and cover of one king.
    fn danger(&self, king: usize) -> [&[Coefficient]; 3] {
        let first = Section::Danger as usize + 3 * king;
        [first, first + 1, first + 2].map(|number| self.section(number))
    }
}

/// Returns the sum of the weights times their coefficients, for middlegame and endgame.
fn sum(section: &[Coefficient], weights: &[[f64; 2]]) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for coefficient in section {
        let weight = weights[usize::from(coefficient.weight)];
        sum[0] += weight[0] * f64::from(coefficient.count);
        sum[1] += weight[1] * f64::from(coefficient.count);
    }
    sum
}

/// Extracts the coefficients of positions by evaluating them with traced values.
pub(super) struct CoefficientExtractor {
    evaluation: ClassicalEvaluation<TracedValue>,
    /// Tape that contains, between two positions, the weights and the tables that follow from them.
    tape: Tape,
    /// Coefficient of each weight in the current sum; all 0 between two sums.
    counts: Vec<i32>,
}

impl CoefficientExtractor {
    /// Creates an extractor. The evaluation runs with the values of `weights`; the coefficients do not depend on them.
    pub(super) fn new(weights: &Weights) -> CoefficientExtractor {
        let mut values = Vec::new();
        weights
            .clone()
            .for_each_table(|_, list| values.extend_from_slice(list));
        let count = values.len();
        let mut tape = Tape::new();
        let evaluation = tape.record(|| {
            let mut traced = Weights::filled(TracedValue::ZERO);
            let mut numbers = (0..).zip(values);
            traced.for_each_table(|_, list| {
                for (weight, (number, value)) in list.iter_mut().zip(&mut numbers) {
                    *weight = TracedValue::weight(value, number);
                }
            });
            ClassicalEvaluation::new(traced)
        });
        CoefficientExtractor {
            evaluation,
            tape,
            counts: vec![0; count],
        }
    }

    /// Returns the coefficients of a position; `None` if a rule for its ending replaces the sum of the terms.
    pub(super) fn extract(&mut self, board: &Board) -> Option<Coefficients> {
        let mut reader = TapeReader {
            counts: &mut self.counts,
            coefficients: None,
        };
        let len = self.tape.len();
        self.tape
            .record(|| self.evaluation.evaluate(board, &mut reader));
        self.tape.truncate(len);
        reader.coefficients
    }
}

/// Observer of an evaluation that reads the tape at its end.
struct TapeReader<'a> {
    counts: &'a mut [i32],
    coefficients: Option<Coefficients>,
}

impl TapeReader<'_> {
    /// Appends the coefficients of a value to `list`, and returns the operands of the danger to each king in it.
    fn append(
        &mut self,
        value: TracedValue,
        list: &mut Vec<Coefficient>,
    ) -> [Option<DangerOperands>; 2] {
        let mut dangers = [None; 2];
        let counts = &mut *self.counts;
        let mut touched = Vec::new();
        value.visit(
            |weight, factor| {
                touched.push(weight);
                counts[usize::from(weight)] += factor;
            },
            |danger, factor| dangers[usize::from(factor < 0)] = Some(danger),
        );
        touched.sort_unstable();
        for weight in touched {
            // The count of a weight that occurs twice in `touched` is 0 the second time.
            let count = std::mem::take(&mut counts[usize::from(weight)]) as i16;
            if count != 0 {
                list.push(Coefficient { weight, count });
            }
        }
        dangers
    }
}

impl Trace<TracedValue> for TapeReader<'_> {
    const ENABLED: bool = false;

    fn add(&mut self, _: Term, _: Color, _: Tapered) {}

    fn finish(&mut self, sums: Sums<TracedValue>, scale: impl Fn(Color) -> Scale) {
        let mut list = Vec::with_capacity(128);
        let mut ends = Vec::with_capacity(SECTIONS);
        let dangers = self.append(sums.terms, &mut list);
        ends.push(list.len());
        let dangers = dangers.map(|danger| match danger {
            Some(DangerOperands {
                units,
                per_cover,
                cover,
            }) => [units, per_cover, cover],
            None => [TracedValue::ZERO; 3],
        });
        for value in [sums.winning_chances, sums.tempo]
            .into_iter()
            .chain(dangers.into_iter().flatten())
        {
            self.append(value, &mut list);
            ends.push(list.len());
        }
        let scales = Color::ALL.map(|strong| {
            let Scale {
                middlegame,
                endgame,
            } = scale(strong);
            [middlegame as u8, endgame as u8]
        });
        self.coefficients = Some(Coefficients {
            list: list.into(),
            ends: std::array::from_fn(|section| ends[section] as u16),
            phase: sums.phase as u8,
            scales,
        });
    }
}
