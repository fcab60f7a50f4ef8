//! The squares that a side attacks.

use crate::types::{Color, PieceKind, Square, SquareSet, king_attacks, knight_attacks};

use super::Board;
use super::geometry::{DIAGONAL_STEPS, Index0x88, STRAIGHT_STEPS, is_off_board};

/// The squares that a side attacks, by the value of the pieces that attack them.
///
/// The sets include squares of pieces of the same side, if these are defended.
///
/// ```
/// use gaur::board::Board;
/// use gaur::types::{Color, Square};
///
/// let map = Board::standard().attack_map(Color::White);
/// let [c3, f2] = ["c3", "f2"].map(|name| Square::from_name(name).unwrap());
/// assert!(map.by_pawns.contains(c3));
/// assert!(!map.up_to_rooks.contains(f2));
/// assert!(map.by_all.contains(f2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackMap {
    /// Squares that pawns attack.
    pub by_pawns: SquareSet,
    /// Squares that pawns, knights or bishops attack.
    pub up_to_minors: SquareSet,
    /// Squares that pawns, knights, bishops or rooks attack.
    pub up_to_rooks: SquareSet,
    /// Squares that any pieces attack, queens and the king included.
    pub by_all: SquareSet,
}

impl AttackMap {
    /// Returns the map of the attacks of pawns, of knights and bishops, of rooks, and of queens and the king.
    #[inline]
    pub(super) fn new(
        pawns: SquareSet,
        minors: SquareSet,
        rooks: SquareSet,
        others: SquareSet,
    ) -> AttackMap {
        let up_to_minors = pawns | minors;
        let up_to_rooks = up_to_minors | rooks;
        AttackMap {
            by_pawns: pawns,
            up_to_minors,
            up_to_rooks,
            by_all: up_to_rooks | others,
        }
    }

    /// Returns, by [`PieceKind::index`] of a piece of the other side, the squares that less valuable pieces attack.
    ///
    /// Knights and bishops count as equal. The sets of pawns and the king are empty: nothing is less valuable than a
    /// pawn, and a king cannot move to any attacked square.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, PieceKind};
    ///
    /// let map = Board::standard().attack_map(Color::White);
    /// let sets = map.by_less_valuable();
    /// assert_eq!(sets[PieceKind::Knight.index()], map.by_pawns);
    /// assert_eq!(sets[PieceKind::Queen.index()], map.up_to_rooks);
    /// ```
    #[inline]
    pub fn by_less_valuable(&self) -> [SquareSet; 6] {
        PieceKind::ALL.map(|kind| match kind {
            PieceKind::Pawn | PieceKind::King => SquareSet::EMPTY,
            PieceKind::Knight | PieceKind::Bishop => self.by_pawns,
            PieceKind::Rook => self.up_to_minors,
            PieceKind::Queen => self.up_to_rooks,
        })
    }
}

/// The set of one square by 0x88 index; empty off the board.
static SQUARES: [SquareSet; 256] = {
    let mut squares = [SquareSet::EMPTY; 256];
    let mut index = 0;
    while index < 128 {
        if !is_off_board(index as Index0x88) {
            squares[index] = SquareSet::of(Square::from_index_0x88(index as Index0x88));
        }
        index += 1;
    }
    squares
};

impl Board {
    /// Returns the squares that `by` attacks.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, Square};
    ///
    /// let attacks = Board::standard().attack_map(Color::White).by_all;
    /// assert!(attacks.contains(Square::from_name("f3").unwrap()));
    /// assert!(!attacks.contains(Square::from_name("e4").unwrap()));
    /// ```
    pub fn attack_map(&self, by: Color) -> AttackMap {
        match self.simd {
            Some(simd) => simd.attack_map(self, by),
            None => self.scalar_attack_map(by),
        }
    }

    /// Scalar counterpart of the vectorised [`Board::attack_map`].
    pub(super) fn scalar_attack_map(&self, by: Color) -> AttackMap {
        let list = self.list(by);
        let mut pawns = SquareSet::EMPTY;
        for number in self.set(by, PieceKind::Pawn) {
            pawns |= SQUARES[usize::from(list[number])];
        }
        let mut minors = SquareSet::EMPTY;
        for number in self.set(by, PieceKind::Knight) {
            minors |= knight_attacks(Square::from_index_0x88(list[number]));
        }
        for number in self.set(by, PieceKind::Bishop) {
            minors |= self.rays(list[number], &DIAGONAL_STEPS);
        }
        let mut rooks = SquareSet::EMPTY;
        for number in self.set(by, PieceKind::Rook) {
            rooks |= self.rays(list[number], &STRAIGHT_STEPS);
        }
        let mut others = king_attacks(self.king(by));
        for number in self.set(by, PieceKind::Queen) {
            others |= self.rays(list[number], &DIAGONAL_STEPS);
            others |= self.rays(list[number], &STRAIGHT_STEPS);
        }
        AttackMap::new(pawns.pawn_attacks(by), minors, rooks, others)
    }

    /// Returns the squares from `from` in the directions of `steps`, up to and including the first piece of each ray.
    #[inline(always)]
    fn rays(&self, from: Index0x88, steps: &[Index0x88; 4]) -> SquareSet {
        let mut map = SquareSet::EMPTY;
        for &step in steps {
            let mut to = from.wrapping_add(step);
            while self.entry(to).is_empty() {
                map |= SQUARES[usize::from(to)];
                to = to.wrapping_add(step);
            }
            map |= SQUARES[usize::from(to)];
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    /// Returns the squares that pieces of `by` of these kinds attack, piece by piece.
    fn attacks_of(board: &Board, by: Color, kinds: &[PieceKind]) -> SquareSet {
        let mut attacks = SquareSet::EMPTY;
        for from in Square::all() {
            let piece = board.piece_on(from);
            if piece.is_some_and(|piece| piece.color == by && kinds.contains(&piece.kind)) {
                board.for_each_attack(from, |to, _| attacks |= SquareSet::of(to));
            }
        }
        attacks
    }

    #[test]
    fn each_kind_has_the_attacks_of_less_valuable_kinds() {
        // In the standard position, the four sets differ.
        let map = Board::standard().attack_map(Color::Black);
        let kinds = |kinds| attacks_of(&Board::standard(), Color::Black, kinds);
        let (pawn, knight) = (PieceKind::Pawn, PieceKind::Knight);
        let (bishop, rook) = (PieceKind::Bishop, PieceKind::Rook);
        let expected = [
            SquareSet::EMPTY,
            kinds(&[pawn]),
            kinds(&[pawn]),
            kinds(&[pawn, knight, bishop]),
            kinds(&[pawn, knight, bishop, rook]),
            SquareSet::EMPTY,
        ];
        assert_eq!(map.by_less_valuable(), expected);
        let distinct: HashSet<SquareSet> =
            HashSet::from([map.by_pawns, map.up_to_minors, map.up_to_rooks, map.by_all]);
        assert_eq!(distinct.len(), 4);
    }

    #[test]
    fn the_map_agrees_with_the_attacks_of_each_piece() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for _ in 0..20 {
            let mut board = Board::standard();
            for _ in 0..150 {
                for by in Color::ALL {
                    let map = board.attack_map(by);
                    let all = PieceKind::ALL;
                    for (set, kinds) in [
                        (map.by_pawns, &all[..1]),
                        (map.up_to_minors, &all[..3]),
                        (map.up_to_rooks, &all[..4]),
                        (map.by_all, &all[..]),
                    ] {
                        let expected = attacks_of(&board, by, kinds);
                        assert_eq!(set, expected, "{kinds:?} of {by:?}: {board:?}");
                    }
                    for square in Square::all() {
                        let attacked = board.is_attacked(square, by);
                        assert_eq!(
                            map.by_all.contains(square),
                            attacked,
                            "{square:?} by {by:?}: {board:?}"
                        );
                    }
                }
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let _ = board.make(moves[random.next_u32() as usize % moves.len()]);
            }
        }
    }
}
