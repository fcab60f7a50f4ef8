//! A position as the tuner sees it: how its value follows from the weights, whatever these are.

use crate::board::Board;
use crate::types::Color;

use super::danger;
use super::endgame::{FULL_SCALE, Scale, scale};
use super::eval_context::EvalContext;
use super::evaluation::ClassicalEvaluation;
use super::material::FULL_PHASE;
use super::tape::{DangerParts, Tape, Traced};
use super::tapered::Tapered;
use super::trace::{Sums, Term, Trace};
use super::value::Value;
use super::weights::Weights;

/// How often a weight counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    /// Its number in the order of [`Weights::for_each_table`].
    weight: u16,
    /// White's view.
    count: i16,
}

/// The sums of an [`Anatomy`], in the order of its parts.
#[derive(Clone, Copy)]
enum Section {
    Terms,
    Chances,
    Tempo,
    /// Three for the danger to each king: units, what each is worth more per cover, cover.
    Danger,
}

const SECTIONS: usize = Section::Danger as usize + 6;

/// How the value of one position follows from the weights.
#[derive(Clone, Debug)]
pub struct Anatomy {
    parts: Box<[Part]>,
    /// Where each section ends.
    ends: [u16; SECTIONS],
    phase: u8,
    /// Scales of middlegame and endgame if White or Black is better in the endgame.
    scales: [[u8; 2]; 2],
}

/// What the steps on the way to a value were, for the way back.
struct Steps {
    /// Units of each king, not clamped, for middlegame and endgame.
    units: [[f64; 2]; 2],
    /// Cover of each king in the middlegame.
    cover: [f64; 2],
    /// 1 if White is better in the endgame, -1 if Black, 0 if nobody.
    better: f64,
    /// Whether the winning chances took away all of the endgame value.
    levelled: bool,
    scale: [f64; 2],
    value: f64,
}

impl Anatomy {
    /// The value of the position in White's eyes, in centipawns, with these weights (middlegame and endgame of each,
    /// in the order of [`Weights::for_each_table`]). As [`ClassicalEvaluator`](super::ClassicalEvaluator) has it but
    /// without rounding.
    pub fn value(&self, weights: &[[f64; 2]]) -> f64 {
        self.steps(weights).value
    }

    /// Adds to `gradient` how the value changes with each weight, times what `factor` makes of the value. Where the
    /// value has a bend, the slope of one side.
    pub fn add_gradient(
        &self,
        weights: &[[f64; 2]],
        gradient: &mut [[f64; 2]],
        factor: impl FnOnce(f64) -> f64,
    ) {
        let steps = self.steps(weights);
        let factor = factor(steps.value);
        let middlegame = factor * steps.scale[0];
        let mut endgame = factor * steps.scale[1];
        let mut add = |parts: &[Part], by: [f64; 2]| {
            for part in parts {
                let slot = &mut gradient[usize::from(part.weight)];
                slot[0] += by[0] * f64::from(part.count);
                slot[1] += by[1] * f64::from(part.count);
            }
        };
        add(self.section(Section::Tempo as usize), [middlegame, endgame]);
        if steps.levelled {
            endgame = 0.0;
        } else {
            let chances = self.section(Section::Chances as usize);
            add(chances, [0.0, endgame * steps.better]);
        }
        add(self.section(Section::Terms as usize), [middlegame, endgame]);
        for (king, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let [units, per_cover, cover] = self.danger(king);
            let slope = |units: f64, slope: f64| {
                let moves = units > 0.0 && units < f64::from(danger::MAX_UNITS);
                if moves { slope } else { 0.0 }
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

    /// The numbers of the weights that count here, some perhaps more than once.
    pub fn weights(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().map(|part| usize::from(part.weight))
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
        let chances = sum(self.section(Section::Chances as usize), weights)[1];
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
        // Each half as much as the side can make of it that is better there.
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

    fn section(&self, number: usize) -> &[Part] {
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1],
        };
        &self.parts[usize::from(start)..usize::from(self.ends[number])]
    }

    /// Units, their worth per cover, and cover of one king.
    fn danger(&self, king: usize) -> [&[Part]; 3] {
        let first = Section::Danger as usize + 3 * king;
        [first, first + 1, first + 2].map(|number| self.section(number))
    }
}

fn sum(parts: &[Part], weights: &[[f64; 2]]) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for part in parts {
        let weight = weights[usize::from(part.weight)];
        sum[0] += weight[0] * f64::from(part.count);
        sum[1] += weight[1] * f64::from(part.count);
    }
    sum
}

/// Takes positions apart.
pub struct Anatomist {
    evaluation: ClassicalEvaluation<Traced>,
    /// As far as the weights and what follows from them are noted, between two positions.
    tape: Tape,
    /// How often each weight counts in the sum being looked at.
    counts: Vec<i32>,
}

impl Anatomist {
    /// One for positions whose value is near that of these weights: they decide which side is better and so what
    /// is looked at, not what counts.
    pub fn new(weights: &Weights) -> Anatomist {
        let mut values = Vec::new();
        weights
            .clone()
            .for_each_table(|_, list| values.extend_from_slice(list));
        let count = values.len();
        let mut tape = Tape::new();
        let evaluation = tape.record(|| {
            let mut traced = Weights::filled(Traced::ZERO);
            let mut numbers = (0..).zip(values);
            traced.for_each_table(|_, list| {
                for (weight, (number, value)) in list.iter_mut().zip(&mut numbers) {
                    *weight = Traced::weight(value, number);
                }
            });
            ClassicalEvaluation::new(traced)
        });
        Anatomist {
            evaluation,
            tape,
            counts: vec![0; count],
        }
    }

    /// Takes a position apart; `None` if it is an ending whose value does not come from the weights.
    pub fn dissect(&mut self, board: &Board) -> Option<Anatomy> {
        let mut autopsy = Autopsy {
            counts: &mut self.counts,
            anatomy: None,
        };
        let length = self.tape.length();
        self.tape
            .record(|| self.evaluation.evaluate(board, &mut autopsy));
        self.tape.rewind(length);
        autopsy.anatomy
    }
}

/// Reads the tape at the end of an evaluation.
struct Autopsy<'a> {
    counts: &'a mut [i32],
    anatomy: Option<Anatomy>,
}

impl Autopsy<'_> {
    /// Appends what a number is made of, and returns the dangers in it.
    fn append(&mut self, number: Traced, parts: &mut Vec<Part>) -> [Option<DangerParts>; 2] {
        let mut dangers = [None; 2];
        let counts = &mut *self.counts;
        let mut touched = Vec::new();
        number.visit(
            |weight, times| {
                touched.push(weight);
                counts[usize::from(weight)] += times;
            },
            |danger, times| dangers[usize::from(times < 0)] = Some(danger),
        );
        touched.sort_unstable();
        for weight in touched {
            // A weight that was touched twice is found empty the second time.
            let count = std::mem::take(&mut counts[usize::from(weight)]) as i16;
            if count != 0 {
                parts.push(Part { weight, count });
            }
        }
        dangers
    }
}

impl Trace<Traced> for Autopsy<'_> {
    const ENABLED: bool = false;

    fn add(&mut self, _: Term, _: Color, _: Tapered) {}

    fn finish(&mut self, context: &EvalContext, sums: Sums<Traced>) {
        let mut parts = Vec::with_capacity(128);
        let mut ends = Vec::with_capacity(SECTIONS);
        let dangers = self.append(sums.terms, &mut parts);
        ends.push(parts.len());
        let dangers = dangers.map(|danger| match danger {
            Some(DangerParts {
                units,
                per_cover,
                cover,
            }) => [units, per_cover, cover],
            None => [Traced::ZERO; 3],
        });
        for number in [sums.chances, sums.tempo]
            .into_iter()
            .chain(dangers.into_iter().flatten())
        {
            self.append(number, &mut parts);
            ends.push(parts.len());
        }
        let scales = Color::ALL.map(|strong| {
            let Scale {
                middlegame,
                endgame,
            } = scale(context, strong);
            [middlegame as u8, endgame as u8]
        });
        self.anatomy = Some(Anatomy {
            parts: parts.into(),
            ends: std::array::from_fn(|section| ends[section] as u16),
            phase: sums.phase as u8,
            scales,
        });
    }
}
