//! Pawn structure, and the table that remembers it together with the kings' shelter.

use prefetch_index::prefetch_index;

use crate::types::{Color, Key, PieceKind, Square};

use super::eval_context::EvalContext;
use super::shelter::{Shelter, shelter};
use super::square_set::SquareSet;
use super::value::Value;
use super::weights::{Weights, file_from_edge};

/// What depends on the pawns alone, and the shelter of kings on the squares noted. Aligned, so that an entry is one
/// cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct PawnEntry<V> {
    key: Key,
    /// Structure, for each side.
    pub(super) score: [V; 2],
    /// Passed pawns of both sides.
    pub(super) passed: SquareSet,
    /// Squares that pawns of a side attack now or may attack by advancing.
    pub(super) attack_span: [SquareSet; 2],
    /// How closed the position is, 0 (open) to 8.
    pub(super) closedness: u8,
    /// For which king squares the shelters below were worked out; [`NO_KING`] before.
    shelter_king: [u8; 2],
    shelter: [Shelter<V>; 2],
}

const NO_KING: u8 = u8::MAX;

impl<V: Value> PawnEntry<V> {
    /// Works everything out but the shelters.
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
                let view = PawnView::new(&pawns, square);
                if view.is_passed() {
                    entry.passed.insert(square);
                }
                entry.score[us.index()] += view.score(&pawns, weights);
            }
        }
        entry
    }

    /// The shelter of the king of `us`, worked out anew when it stands elsewhere than last time.
    #[inline]
    fn update_shelter(&mut self, context: &EvalContext, us: Color, weights: &Weights<V>) {
        let king = context.king[us.index()].index() as u8;
        if self.shelter_king[us.index()] != king {
            self.shelter_king[us.index()] = king;
            self.shelter[us.index()] = shelter(context, us, weights);
        }
    }

    /// The shelter of the king of `us`.
    #[inline]
    pub(super) fn shelter(&self, us: Color) -> Shelter<V> {
        self.shelter[us.index()]
    }
}

/// Remembers pawn structures by their key. Direct mapped: a new structure replaces an old one.
pub(super) struct PawnTable<V> {
    entries: Box<[PawnEntry<V>]>,
}

impl<V: Value> PawnTable<V> {
    /// 8192 entries of some 64 bytes fit in a second-level cache.
    const SIZE: usize = 1 << 13;

    /// An empty table.
    pub(super) fn new() -> PawnTable<V> {
        // The key is that of the neighbouring slot, so no lookup takes an empty slot for a match.
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

    /// Has the entry for these pawns brought nearer while other work is done.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch_index(&*self.entries, key.0 as usize % Self::SIZE);
    }

    /// The entry of this position's pawns and kings, from memory or worked out now.
    #[inline]
    pub(super) fn probe(&mut self, context: &EvalContext, weights: &Weights<V>) -> &PawnEntry<V> {
        let key = context.board.pawn_key();
        let slot = key.0 as usize % Self::SIZE;
        let entry = &mut self.entries[slot];
        if entry.key != key || !V::CACHEABLE {
            *entry = PawnEntry::new(context, key, weights);
        }
        for us in Color::ALL {
            entry.update_shelter(context, us, weights);
        }
        entry
    }
}

/// 0 (open) to 8: many pawns, pawns that block each other, few open files. (Idea: Ethereal.)
fn closedness(context: &EvalContext) -> u8 {
    let white = context.pieces(Color::White, PieceKind::Pawn);
    let black = context.pieces(Color::Black, PieceKind::Pawn);
    let rammed = (white.forward(Color::White) & black).len();
    let open_files = (!(white | black).files()).count_ones() as usize;
    let closed = (white | black).len() + 3 * rammed;
    (closed.saturating_sub(4 * open_files) / 3).min(8) as u8
}

/// The pawns in the eyes of one side.
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

/// What one pawn sees around it.
struct PawnView {
    square: Square,
    /// Own pawns further up its file.
    own_ahead: bool,
    /// Enemy pawns ahead on its own file and those beside: all that could stop it.
    stoppers: SquareSet,
    /// Enemy pawns it could take, which could take it.
    threats: SquareSet,
    /// Enemy pawns that could take it after one step.
    push_threats: SquareSet,
    /// Own pawns that defend it.
    support: SquareSet,
    /// Own pawns beside it, ready to defend it after one step.
    push_support: SquareSet,
    /// Own pawns on the files beside its own.
    neighbours: SquareSet,
}

impl PawnView {
    fn new(pawns: &Pawns, square: Square) -> PawnView {
        let us = pawns.us;
        let here = SquareSet::of(square);
        let step = here.forward(us);
        let file_ahead = step.forward_fill(us);
        PawnView {
            square,
            own_ahead: pawns.own.meets(file_ahead),
            stoppers: pawns.enemy & file_ahead.widened(),
            threats: pawns.enemy & here.pawn_attacks(us),
            push_threats: pawns.enemy & step.pawn_attacks(us),
            support: pawns.own & here.pawn_attacks(!us),
            push_support: pawns.own & step.pawn_attacks(!us),
            neighbours: pawns.own & SquareSet::adjacent_files(square.file()),
        }
    }

    fn is_passed(&self) -> bool {
        self.stoppers.is_empty() && !self.own_ahead
    }

    fn score<V: Value>(&self, pawns: &Pawns, weights: &Weights<V>) -> V {
        let us = pawns.us;
        let file = file_from_edge(self.square);
        let rank = self.square.rank().relative_to(us).index();
        let mut score = V::ZERO;

        // Candidates: only the pawns that fight for the next square stop it.
        let others = self.stoppers.without(self.threats | self.push_threats);
        let may_pass = !self.stoppers.is_empty() && others.is_empty() && !self.own_ahead;
        if may_pass && self.push_support.len() >= self.push_threats.len() {
            let holds = self.support.len() >= self.threats.len();
            score += weights.pawn_candidate[usize::from(holds)][rank];
        }

        if self.neighbours.is_empty() && self.threats.is_empty() {
            score += weights.pawn_isolated[file];
        }

        if self.own_ahead && self.threats.is_empty() {
            let may_leave = !self.neighbours.is_empty() && !self.stoppers.is_empty();
            score += weights.pawn_doubled[usize::from(may_leave)][file];
        }

        let here = SquareSet::of(self.square);
        if !self.neighbours.is_empty() && self.is_backward(pawns) {
            let free_file = !pawns.enemy.meets(here.forward_fill(us));
            score += weights.pawn_backward[usize::from(free_file)][rank];
        } else if self.neighbours.meets(here.widened()) || !self.support.is_empty() {
            score += weights.pawn_connected[4 * rank + file];
        }
        score
    }

    /// No own pawn beside or behind can come to its help, and enemy pawns guard the next square.
    fn is_backward(&self, pawns: &Pawns) -> bool {
        let beyond = SquareSet::ranks_ahead(self.square.rank(), pawns.us);
        let step = SquareSet::of(self.square).forward(pawns.us);
        self.neighbours.without(beyond).is_empty() && step.meets(pawns.enemy_attacks)
    }
}
