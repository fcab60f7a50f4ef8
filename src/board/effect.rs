//! The pieces that a move removes from and adds to squares.

use crate::types::{Color, Move, MoveKind, Piece, PieceKind, Square};

use super::Board;
use super::geometry::{Index0x88, forward};

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedPiece {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
}

/// The changes that a move makes to the squares of a board.
///
/// `T` describes a piece on a square. [`Board::effect`] returns [`PlacedPiece`]s; [`Board::effect_with`] converts
/// them, for example to input features of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEffect<T = PlacedPiece> {
    /// A move without a capture. A promotion adds the new piece.
    Quiet {
        /// The moved piece on its old square.
        removed: T,
        /// The moved or promoted piece on its new square.
        added: T,
    },
    /// A capture, en passant and captures with promotion included.
    Capture {
        /// The moved piece on its old square, and the captured piece.
        removed: [T; 2],
        /// The moved or promoted piece on its new square.
        added: T,
    },
    /// Castling: king first, then rook. In Fischer Random, a square can be in both lists.
    Castle {
        /// King and rook on their old squares.
        removed: [T; 2],
        /// King and rook on their new squares.
        added: [T; 2],
    },
}

impl<T> MoveEffect<T> {
    /// Returns what disappears from squares. Remove these before adding [`MoveEffect::added`].
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let mv = Move::new(square("g1"), square("f3"), MoveKind::Quiet);
    /// let effect = Board::standard().effect(mv);
    /// assert_eq!(effect.removed()[0].square, square("g1"));
    /// assert_eq!(effect.added()[0].square, square("f3"));
    /// ```
    pub fn removed(&self) -> &[T] {
        match self {
            MoveEffect::Quiet { removed, .. } => std::slice::from_ref(removed),
            MoveEffect::Capture { removed, .. } | MoveEffect::Castle { removed, .. } => removed,
        }
    }

    /// Returns what appears on squares.
    pub fn added(&self) -> &[T] {
        match self {
            MoveEffect::Quiet { added, .. } | MoveEffect::Capture { added, .. } => {
                std::slice::from_ref(added)
            }
            MoveEffect::Castle { added, .. } => added,
        }
    }
}

impl Board {
    /// Returns the effect of a legal move that has not been made yet.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Color, Move, MoveKind, Piece, PieceKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let mv = Move::new(square("e2"), square("e4"), MoveKind::DoublePush);
    /// let effect = Board::standard().effect(mv);
    /// let pawn = Piece::new(Color::White, PieceKind::Pawn);
    /// assert_eq!(effect.removed().len(), 1);
    /// assert_eq!((effect.added()[0].piece, effect.added()[0].square), (pawn, square("e4")));
    /// ```
    #[inline(always)]
    pub fn effect(&self, mv: Move) -> MoveEffect {
        self.effect_with(mv, |placed| placed)
    }

    /// Returns the new square of the king if `mv`, a legal move that has not been made yet, moves it.
    ///
    /// ```
    /// use gaur::board::Board;
    /// use gaur::types::{Move, MoveKind, Square};
    ///
    /// let square = |name| Square::from_name(name).unwrap();
    /// let mv = Move::new(square("g1"), square("f3"), MoveKind::Quiet);
    /// assert_eq!(Board::standard().king_target(mv), None);
    /// ```
    #[inline(always)]
    pub fn king_target(&self, mv: Move) -> Option<Square> {
        let us = self.side_to_move;
        if mv.from() != self.king(us) {
            None
        } else if mv.is_castle() {
            Some(mv.castling_side().king_target(us))
        } else {
            Some(mv.to())
        }
    }

    /// Returns the effect of a legal move that has not been made yet, with each piece on a square converted, for
    /// example to an input feature of a network.
    #[inline(always)]
    pub fn effect_with<T>(&self, mv: Move, convert: impl Fn(PlacedPiece) -> T) -> MoveEffect<T> {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let placed = |color, kind, square| {
            convert(PlacedPiece {
                piece: Piece::new(color, kind),
                square,
            })
        };
        if mv.is_castle() {
            let side = mv.castling_side();
            return MoveEffect::Castle {
                removed: [
                    placed(us, PieceKind::King, from),
                    placed(us, PieceKind::Rook, to),
                ],
                added: [
                    placed(us, PieceKind::King, side.king_target(us)),
                    placed(us, PieceKind::Rook, side.rook_target(us)),
                ],
            };
        }
        let kind = self.entry(from.index_0x88()).kind();
        let removed = placed(us, kind, from);
        let added = placed(us, mv.promotion().unwrap_or(kind), to);
        if !mv.is_capture() {
            return MoveEffect::Quiet { removed, added };
        }
        let index = captured_index(us, mv, to.index_0x88());
        let captured = placed(
            !us,
            self.entry(index).kind(),
            Square::from_index_0x88(index),
        );
        MoveEffect::Capture {
            removed: [removed, captured],
            added,
        }
    }
}

/// Returns the 0x88 index of the piece that a capture by `us` to `to` removes.
#[inline(always)]
pub(super) fn captured_index(us: Color, mv: Move, to: Index0x88) -> Index0x88 {
    if mv.is(MoveKind::EnPassant) {
        to.wrapping_sub(forward(us))
    } else {
        to
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::board::Setup;
    use crate::types::{CastlingSide, File, Rank};

    /// Returns a start position of Fischer Random. The bishops may share a colour, which the board accepts.
    fn fischer_random(random: &mut ChaCha8Rng) -> Board {
        use PieceKind::{Bishop, King, Knight, Queen, Rook};
        let mut kinds = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        for last in (1..8).rev() {
            kinds.swap(last, random.next_u32() as usize % (last + 1));
        }
        let mut order = [Rook, King, Rook].into_iter();
        for kind in &mut kinds {
            if matches!(kind, King | Rook) {
                *kind = order.next().unwrap_or(Rook);
            }
        }
        let mut setup = Setup::standard();
        let mut rooks = File::all().zip(kinds).filter(|&(_, kind)| kind == Rook);
        let a_side = rooks.next().map(|(file, _)| file);
        let h_side = rooks.next().map(|(file, _)| file);
        for color in Color::ALL {
            for (file, kind) in File::all().zip(kinds) {
                let home = Square::new(file, Rank::home(color));
                setup.set(home, Some(Piece::new(color, kind)));
            }
            setup.castling[color.index()][CastlingSide::HSide.index()] = h_side;
            setup.castling[color.index()][CastlingSide::ASide.index()] = a_side;
        }
        Board::from_setup(&setup).expect("a legal start position")
    }

    fn pieces(board: &Board) -> [Option<Piece>; 64] {
        std::array::from_fn(|index| board.piece_on(Square::from_index(index)))
    }

    /// Applies an effect to the pieces before the move.
    fn apply(effect: &MoveEffect, mut pieces: [Option<Piece>; 64]) -> [Option<Piece>; 64] {
        for placed in effect.removed() {
            let square = &mut pieces[placed.square.index()];
            assert_eq!(*square, Some(placed.piece), "{effect:?}");
            *square = None;
        }
        for placed in effect.added() {
            let square = &mut pieces[placed.square.index()];
            assert_eq!(*square, None, "{effect:?}");
            *square = Some(placed.piece);
        }
        pieces
    }

    #[test]
    fn effects_agree_with_made_moves_in_random_games() {
        let mut random = ChaCha8Rng::seed_from_u64(41);
        // Castlings, captures en passant and promotions seen.
        let mut seen = [0; 3];
        for game in 0..120 {
            let mut board = if game % 2 == 0 {
                Board::standard()
            } else {
                fischer_random(&mut random)
            };
            for _ in 0..150 {
                let before = pieces(&board);
                let moves = board.legal_moves();
                for &mv in &moves {
                    let (effect, king_target) = (board.effect(mv), board.king_target(mv));
                    let undo = board.make(mv);
                    let us = !board.side_to_move();
                    assert_eq!(apply(&effect, before), pieces(&board), "{mv:?}");
                    let king = board.king(us);
                    assert_eq!(
                        king_target,
                        (before[king.index()] != Some(Piece::new(us, PieceKind::King)))
                            .then_some(king)
                            .or(mv.is_castle().then_some(king)),
                        "{mv:?}"
                    );
                    board.unmake(mv, undo);
                    assert_eq!(pieces(&board), before, "{mv:?}");
                    seen[0] += u32::from(mv.is_castle());
                    seen[1] += u32::from(mv.kind() == MoveKind::EnPassant);
                    seen[2] += u32::from(mv.is_promotion());
                }
                if moves.is_empty() {
                    break;
                }
                let _ = board.make(moves[random.next_u32() as usize % moves.len()]);
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
