//! Pawn structure, and the pawn table that caches it together with the shelter of the kings.

use prefetch_index::prefetch_index;

use crate::types::{Color, Key, PieceKind, Square, SquareSet};

use super::eval_context::EvalContext;
use super::shelter::{Shelter, shelter};
use super::value::Value;
use super::weights::{Weights, file_from_edge};

/// Values that depend only on the pawns, and the shelter of the kings. The alignment makes an entry one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct PawnEntry<V> {
    key: Key,
    /// Value of the pawn structure of each side.
    pub(super) score: [V; 2],
    /// Passed pawns of both sides.
    pub(super) passed: SquareSet,
    /// Squares that pawns of a side attack or can attack after advancing.
    pub(super) attack_span: [SquareSet; 2],
    /// Closedness of the position, 0 (open) to 8.
    pub(super) closedness: u8,
    /// Squares of the kings whose shelter is stored; [`NO_KING`] if none is.
    shelter_king: [u8; 2],
    shelter: [Shelter<V>; 2],
}

/// Marks a shelter that has not been computed.
const NO_KING: u8 = u8::MAX;

impl<V: Value> PawnEntry<V> {
    /// Computes everything except the shelters.
    fn new(context: &EvalContext, key: Key, weights: &Weights<V>) -> PawnEntry<V> {
        let mut entry = PawnEntry {
            key,
            score: [V::ZERO; 2],
            passed: SquareSet::EMPTY,
            attack_span: [SquareSet::EMPTY; 2],
            closedness: closedness(context),
            shelter_king: [NO_KING; 2],
            shelter: [Shelter::NONE; 2],
        };
        for us in Color::ALL {
            let pawns = Pawns::of(context, us);
            entry.attack_span[us.index()] = pawns.own.pawn_attacks(us).forward_fill(us);
            for square in pawns.own {
                let pawn = PawnNeighbourhood::new(&pawns, square);
                if pawn.is_passed() {
                    entry.passed.insert(square);
                }
                entry.score[us.index()] += pawn.score(&pawns, weights);
            }
        }
        entry
    }

    /// Recomputes the shelter of the king of `us` if the king has moved since the last update.
    #[inline]
    fn update_shelter(&mut self, context: &EvalContext, us: Color, weights: &Weights<V>) {
        let king = context.king[us.index()].index() as u8;
        if self.shelter_king[us.index()] != king {
            self.shelter_king[us.index()] = king;
            self.shelter[us.index()] = shelter(context, us, weights);
        }
    }

    /// Returns the shelter of the king of `us`.
    #[inline]
    pub(super) fn shelter(&self, us: Color) -> Shelter<V> {
        self.shelter[us.index()]
    }
}

/// Pawn structures by pawn key, direct mapped: a new entry replaces the old one in its slot.
pub(super) struct PawnTable<V> {
    entries: Box<[PawnEntry<V>]>,
}

impl<V: Value> PawnTable<V> {
    /// Number of entries. Their 512 KiB fit into a second-level cache.
    const SIZE: usize = 1 << 13;

    /// Creates an empty table.
    pub(super) fn new() -> PawnTable<V> {
        // The key belongs to the neighbouring slot, so an empty slot never matches.
        let empty = |slot: usize| PawnEntry {
            key: Key(slot as u64 ^ 1),
            score: [V::ZERO; 2],
            passed: SquareSet::EMPTY,
            attack_span: [SquareSet::EMPTY; 2],
            closedness: 0,
            shelter_king: [NO_KING; 2],
            shelter: [Shelter::NONE; 2],
        };
        PawnTable {
            entries: (0..Self::SIZE).map(empty).collect(),
        }
    }

    /// Prefetches the entry of a pawn key into the processor cache.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch_index(&*self.entries, key.0 as usize % Self::SIZE);
    }

    /// Returns the entry of the position's pawns and kings, and computes it if it is not stored.
    #[inline]
    pub(super) fn probe(&mut self, context: &EvalContext, weights: &Weights<V>) -> &PawnEntry<V> {
        let key = context.board.pawn_key();
        let slot = key.0 as usize % Self::SIZE;
        let entry = &mut self.entries[slot];
        if entry.key != key || !V::IS_CACHEABLE {
            *entry = PawnEntry::new(context, key, weights);
        }
        for us in Color::ALL {
            entry.update_shelter(context, us, weights);
        }
        entry
    }
}

/// Returns the closedness of the position, 0 (open) to 8.
///
/// Pawns, and especially pawns that block each other, close a position; open files open it. (Idea: Ethereal.)
fn closedness(context: &EvalContext) -> u8 {
    let white = context.pieces(Color::White, PieceKind::Pawn);
    let black = context.pieces(Color::Black, PieceKind::Pawn);
    let rammed = (white.forward(Color::White) & black).len();
    let open_files = (!(white | black).files()).count_ones() as usize;
    let closed = (white | black).len() + 3 * rammed;
    (closed.saturating_sub(4 * open_files) / 3).min(8) as u8
}

/// Pawns of both sides from the perspective of one side.
struct Pawns {
    us: Color,
    own: SquareSet,
    enemy: SquareSet,
    enemy_attacks: SquareSet,
}

impl Pawns {
    fn of(context: &EvalContext, us: Color) -> Pawns {
        let enemy = context.pieces(!us, PieceKind::Pawn);
        Pawns {
            us,
            own: context.pieces(us, PieceKind::Pawn),
            enemy,
            enemy_attacks: enemy.pawn_attacks(!us),
        }
    }
}

/// Pawns around one pawn that decide its value.
struct PawnNeighbourhood {
    square: Square,
    /// Set if an own pawn is ahead on its file.
    own_ahead: bool,
    /// Enemy pawns ahead on its own and the adjacent files, which could stop it.
    stoppers: SquareSet,
    /// Enemy pawns that it attacks and that attack it.
    threats: SquareSet,
    /// Enemy pawns that would attack it after one step.
    push_threats: SquareSet,
    /// Own pawns that defend it.
    support: SquareSet,
    /// Own pawns that would defend it after one step.
    push_support: SquareSet,
    /// Own pawns on the adjacent files.
    neighbours: SquareSet,
}

impl PawnNeighbourhood {
    fn new(pawns: &Pawns, square: Square) -> PawnNeighbourhood {
        let us = pawns.us;
        let here = SquareSet::of(square);
        let step = here.forward(us);
        let file_ahead = step.forward_fill(us);
        PawnNeighbourhood {
            square,
            own_ahead: pawns.own.intersects(file_ahead),
            stoppers: pawns.enemy & file_ahead.widened(),
            threats: pawns.enemy & here.pawn_attacks(us),
            push_threats: pawns.enemy & step.pawn_attacks(us),
            support: pawns.own & here.pawn_attacks(!us),
            push_support: pawns.own & step.pawn_attacks(!us),
            neighbours: pawns.own & SquareSet::adjacent_files(square.file()),
        }
    }

    /// Returns `true` if no enemy pawn can stop it and no own pawn is ahead on its file.
    fn is_passed(&self) -> bool {
        self.stoppers.is_empty() && !self.own_ahead
    }

    /// Returns the value of the pawn in the pawn structure.
    fn score<V: Value>(&self, pawns: &Pawns, weights: &Weights<V>) -> V {
        let us = pawns.us;
        let file = file_from_edge(self.square);
        let rank = self.square.rank().relative_to(us).index();
        let mut score = V::ZERO;

        // Candidate passed pawn: only pawns that attack this square or the next one stop it.
        let others = self.stoppers.without(self.threats | self.push_threats);
        let is_candidate = !self.stoppers.is_empty() && others.is_empty() && !self.own_ahead;
        if is_candidate && self.push_support.len() >= self.push_threats.len() {
            let is_held = self.support.len() >= self.threats.len();
            score += weights.pawn_candidate[usize::from(is_held)][rank];
        }

        if self.neighbours.is_empty() && self.threats.is_empty() {
            score += weights.pawn_isolated[file];
        }

        if self.own_ahead && self.threats.is_empty() {
            let can_capture = !self.neighbours.is_empty() && !self.stoppers.is_empty();
            score += weights.pawn_doubled[usize::from(can_capture)][file];
        }

        let here = SquareSet::of(self.square);
        if !self.neighbours.is_empty() && self.is_backward(pawns) {
            let is_half_open = !pawns.enemy.intersects(here.forward_fill(us));
            score += weights.pawn_backward[usize::from(is_half_open)][rank];
        } else if self.neighbours.intersects(here.widened()) || !self.support.is_empty() {
            score += weights.pawn_connected[4 * rank + file];
        }
        score
    }

    /// Returns `true` if no own pawn can ever defend it and an enemy pawn attacks the square in front of it.
    fn is_backward(&self, pawns: &Pawns) -> bool {
        let beyond = SquareSet::ranks_ahead(self.square.rank(), pawns.us);
        let step = SquareSet::of(self.square).forward(pawns.us);
        self.neighbours.without(beyond).is_empty() && step.intersects(pawns.enemy_attacks)
    }
}
