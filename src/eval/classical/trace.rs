//! Which term gave what: recorded for `gaur eval`, free of cost in play.

use crate::types::Color;

use super::eval_context::EvalContext;
use super::tapered::Tapered;

/// The terms that a breakdown tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Material,
    Squares,
    Pawns,
    Knights,
    Bishops,
    Rooks,
    Queens,
    Mobility,
    Shelter,
    KingDanger,
    PassedPawns,
    Threats,
    Space,
    Winnable,
    Tempo,
}

impl Term {
    /// All terms, in the order of the breakdown and of their numbers.
    pub(super) const ALL: [Term; 15] = [
        Term::Material,
        Term::Squares,
        Term::Pawns,
        Term::Knights,
        Term::Bishops,
        Term::Rooks,
        Term::Queens,
        Term::Mobility,
        Term::Shelter,
        Term::KingDanger,
        Term::PassedPawns,
        Term::Threats,
        Term::Space,
        Term::Winnable,
        Term::Tempo,
    ];

    /// What a reader calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::Squares => "piece squares",
            Term::Pawns => "pawn structure",
            Term::Knights => "knights",
            Term::Bishops => "bishops",
            Term::Rooks => "rooks",
            Term::Queens => "queens",
            Term::Mobility => "mobility",
            Term::Shelter => "king shelter",
            Term::KingDanger => "king danger",
            Term::PassedPawns => "passed pawns",
            Term::Threats => "threats",
            Term::Space => "space",
            Term::Winnable => "winning chances",
            Term::Tempo => "tempo",
        }
    }
}

/// Something that listens while the evaluation adds up.
pub(super) trait Trace<V> {
    /// Whether it listens at all; work done only for the listener hides behind this.
    const ENABLED: bool;

    /// `color` gets `value` for `term`.
    fn add(&mut self, term: Term, color: Color, value: Tapered);

    /// All terms are summed up; not called where special knowledge replaces the sum.
    #[inline(always)]
    fn finish(&mut self, context: &EvalContext, sums: Sums<V>) {
        let _ = (context, sums);
    }
}

/// What the last steps of an evaluation start from.
pub(super) struct Sums<V> {
    /// The terms of White less those of Black.
    pub(super) terms: V,
    /// The winning chances of the better side.
    pub(super) chances: V,
    /// The right to move, in White's eyes.
    pub(super) tempo: V,
    /// How much of the middlegame is left.
    pub(super) phase: i32,
}

/// Nobody listens: the form used in play.
pub(super) struct NoTrace;

impl<V> Trace<V> for NoTrace {
    const ENABLED: bool = false;

    #[inline(always)]
    fn add(&mut self, _: Term, _: Color, _: Tapered) {}
}

/// Keeps the sum of each term for each colour.
#[derive(Default)]
pub(super) struct TermTrace {
    sums: [[Tapered; 2]; Term::ALL.len()],
}

impl TermTrace {
    /// What `color` got for `term`.
    pub(super) fn sum(&self, term: Term, color: Color) -> Tapered {
        self.sums[term as usize][color.index()]
    }
}

impl<V> Trace<V> for TermTrace {
    const ENABLED: bool = true;

    fn add(&mut self, term: Term, color: Color, value: Tapered) {
        self.sums[term as usize][color.index()] += value;
    }
}
