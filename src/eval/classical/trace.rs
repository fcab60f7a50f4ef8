//! Observers of an evaluation: the value of each term, for `gaur eval` and the tuner. In play they cost nothing.

use crate::types::Color;

use super::endgame::Scale;
use super::tapered::Tapered;

/// A term of the evaluation, as listed by `gaur eval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Material.
    Material,
    /// Piece-square tables.
    Squares,
    /// Pawn structure.
    Pawns,
    /// Knights, without mobility.
    Knights,
    /// Bishops, without mobility.
    Bishops,
    /// Rooks, without mobility.
    Rooks,
    /// Queens, without mobility.
    Queens,
    /// Mobility of all pieces.
    Mobility,
    /// Pawns and pieces that shelter the king.
    Shelter,
    /// Attack on the king.
    KingDanger,
    /// Passed pawns.
    PassedPawns,
    /// Threats.
    Threats,
    /// Space.
    Space,
    /// Winning chances of the better side.
    Winnable,
    /// Right to move.
    Tempo,
}

impl Term {
    /// All terms, in the order of their discriminants and of the list of `gaur eval`.
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

    /// Returns the name shown to the user.
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
pub trait Trace<V> {
    /// Set if the observer needs each term. Otherwise the evaluation skips the work that only the observer needs.
    const ENABLED: bool;

    /// Receives the value of a term for `color`.
    fn add(&mut self, term: Term, color: Color, value: Tapered);

    /// Receives the sums, and a function that returns their scale if the given side is better.
    ///
    /// It is not called if a rule for an endgame against a bare king replaces the sum.
    #[inline(always)]
    fn finish(&mut self, sums: Sums<V>, scale: impl Fn(Color) -> Scale) {
        let _ = (sums, scale);
    }
}

/// Intermediate sums of an evaluation, from which its last steps compute the score.
pub struct Sums<V> {
    /// Terms of White minus terms of Black.
    pub terms: V,
    /// Winning chances of the better side. Only the endgame value is used.
    pub winning_chances: V,
    /// Value of the right to move, from White's perspective.
    pub tempo: V,
    /// Game phase: [`FULL_PHASE`](super::FULL_PHASE) with all pieces on the board, 0 without pieces.
    pub phase: i32,
}

/// The observer used in play, which ignores everything.
pub(super) struct NoTrace;

impl<V> Trace<V> for NoTrace {
    const ENABLED: bool = false;

    #[inline(always)]
    fn add(&mut self, _: Term, _: Color, _: Tapered) {}
}

/// An observer that stores the sum of each term for each colour.
#[derive(Default)]
pub(super) struct TermTrace {
    sums: [[Tapered; 2]; Term::ALL.len()],
}

impl TermTrace {
    /// Returns the sum of `term` for `color`.
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
