//! Observers of an evaluation: a record of each term for `gaur eval`, and none for games.

use crate::types::Color;

use super::eval_context::EvalContext;
use super::tapered::Tapered;

/// Terms that a breakdown lists separately.
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
    /// All terms in the order of the breakdown, which is also that of their discriminants.
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

    /// Returns the name shown to users.
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

/// Observer of an evaluation.
pub(super) trait Trace<V> {
    /// Set if the observer uses the calls of [`Trace::add`]. Work done only for them is skipped otherwise.
    const ENABLED: bool;

    /// Records `value` of `term` for `color`.
    fn add(&mut self, term: Term, color: Color, value: Tapered);

    /// Receives the sums before scaling. It is not called if a rule for an endgame against a bare king applies.
    #[inline(always)]
    fn finish(&mut self, context: &EvalContext, sums: Sums<V>) {
        let _ = (context, sums);
    }
}

/// Sums of an evaluation before winning chances, tempo, scaling and interpolation are applied.
pub(super) struct Sums<V> {
    /// Terms of White minus those of Black.
    pub(super) terms: V,
    /// Winning chances of the better side.
    pub(super) chances: V,
    /// Tempo bonus from White's perspective.
    pub(super) tempo: V,
    /// Game phase.
    pub(super) phase: i32,
}

/// Observer that ignores everything, used in games.
pub(super) struct NoTrace;

impl<V> Trace<V> for NoTrace {
    const ENABLED: bool = false;

    #[inline(always)]
    fn add(&mut self, _: Term, _: Color, _: Tapered) {}
}

/// Observer that records the sum of each term for each color.
#[derive(Default)]
pub(super) struct TermTrace {
    sums: [[Tapered; 2]; Term::ALL.len()],
}

impl TermTrace {
    /// Returns the recorded value of `term` for `color`.
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
