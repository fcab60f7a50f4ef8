//! Entries of Polyglot books: a position, a move, and its weight.
//!
//! An entry has 16 bytes, all numbers with the highest byte first:
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | key of the position |
//! | 8-9 | move |
//! | 10-11 | weight: among the moves of a position, the share with which it is played; 0 for a move not to be played |
//! | 12-15 | for other programs free; Gaur's own books hold a [score](Entry::score) |
//!
//! The bits of a move:
//!
//! | bits | content |
//! |---|---|
//! | 0-5 | index of the target square, 0 (a1) to 63 (h8) |
//! | 6-11 | index of the start square |
//! | 12-14 | promotion: none, knight, bishop, rook, queen |
//!
//! Castling is king takes own rook, such as `e1h1`. Some programs write `e1g1`, which Gaur understands, too.

use crate::board::Board;
use crate::types::{Move, PieceKind, Square};

/// Size of an entry in bytes.
pub const ENTRY_SIZE: usize = 16;

/// Upper half of the last field if the lower half is a score.
const SCORE_MARK: u32 = 0x4761;

/// Pieces by the number of a promotion, from 1.
const PROMOTIONS: [PieceKind; 4] = [
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Queen,
];

/// An entry of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Key of the position.
    pub key: u64,
    /// The move as the format encodes it, which may be illegal.
    pub mv: u16,
    /// Share with which the move is played.
    pub weight: u16,
    /// A number for the program that has written the book.
    pub learn: u32,
}

impl Entry {
    /// Returns the entry in the bytes of a book.
    pub fn from_bytes(bytes: [u8; ENTRY_SIZE]) -> Entry {
        let bits = u128::from_be_bytes(bytes);
        Entry {
            key: (bits >> 64) as u64,
            mv: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    /// Returns the bytes of the entry in a book.
    ///
    /// ```
    /// use gaur::book::Entry;
    ///
    /// let entry = Entry { key: 1, mv: 2, weight: 3, learn: 4 };
    /// assert_eq!(Entry::from_bytes(entry.to_bytes()), entry);
    /// assert_eq!(entry.to_bytes()[7..12], [1, 0, 2, 0, 3]);
    /// ```
    pub fn to_bytes(self) -> [u8; ENTRY_SIZE] {
        let bits = u128::from(self.key) << 64
            | u128::from(self.mv) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        bits.to_be_bytes()
    }

    /// Returns the score of the move in centipawns for the side to move, if Gaur has written the book.
    pub fn score(self) -> Option<i16> {
        (self.learn >> 16 == SCORE_MARK).then_some(self.learn as u16 as i16)
    }

    /// Returns the last field of an entry with a score.
    ///
    /// ```
    /// use gaur::book::Entry;
    ///
    /// let entry = Entry { key: 0, mv: 0, weight: 1, learn: Entry::learn_of(-25) };
    /// assert_eq!(entry.score(), Some(-25));
    /// ```
    pub fn learn_of(score: i16) -> u32 {
        SCORE_MARK << 16 | u32::from(score as u16)
    }

    /// Returns the move, if it is legal on the board.
    pub fn legal_move(self, board: &Board) -> Option<Move> {
        decode_move(board, self.mv)
    }
}

/// Returns the bits of a move in a book.
///
/// ```
/// use gaur::book::encode_move;
/// use gaur::types::{Move, MoveKind, Square};
///
/// let square = |name| Square::from_name(name).unwrap();
/// let castling = Move::new(square("e1"), square("h1"), MoveKind::Castle);
/// assert_eq!(encode_move(castling), 4 << 6 | 7);
/// ```
pub fn encode_move(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |kind| {
        // Pawns promote to no other piece.
        PROMOTIONS
            .iter()
            .position(|&piece| piece == kind)
            .map_or(0, |index| index + 1)
    });
    (promotion << 12 | mv.from().index() << 6 | mv.to().index()) as u16
}

/// Returns the legal move that bits in a book stand for, castling as `e1h1` or `e1g1`.
///
/// ```
/// use gaur::board::Board;
/// use gaur::book::{decode_move, encode_move};
///
/// let board = Board::standard();
/// for mv in board.legal_moves() {
///     assert_eq!(decode_move(&board, encode_move(mv)), Some(mv));
/// }
/// assert_eq!(decode_move(&board, 0), None);
/// ```
pub fn decode_move(board: &Board, bits: u16) -> Option<Move> {
    let square = |shift: u32| Square::from_index(usize::from(bits >> shift & 63));
    let (from, to) = (square(6), square(0));
    let moves = board.legal_moves();
    let exact = moves.iter().find(|&&mv| encode_move(mv) == bits);
    let castling = || {
        moves.iter().find(|mv| {
            let king_target = mv.castling_side().king_target(board.side_to_move());
            // In Fischer Random, a castling whose king moves one square looks like a move of the king.
            mv.is_castle() && mv.from() == from && king_target == to && bits >> 12 == 0
        })
    };
    exact.or_else(castling).copied()
}

/// Returns the number of the promotion that a letter such as `q` means; 0 for an empty text.
pub(super) fn decode_promotion(letter: &str) -> Option<u16> {
    if letter.is_empty() {
        return Some(0);
    }
    let index = PROMOTIONS.iter().position(|kind| {
        let own = kind.letter().to_ascii_lowercase();
        letter.len() == 1 && letter.starts_with(own)
    });
    index.map(|index| index as u16 + 1)
}

/// Returns the letter of the promotion of a move; an empty text if there is none.
pub(super) fn promotion_letter(bits: u16) -> String {
    let number = usize::from(bits >> 12);
    let kind = number
        .checked_sub(1)
        .and_then(|index| PROMOTIONS.get(index));
    kind.map(|kind| kind.letter().to_ascii_lowercase().to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;
    use crate::types::{CastlingSide, Color, MoveKind, Piece, Rank};

    fn square(name: &str) -> Square {
        Square::from_name(name).expect("a square")
    }

    /// Returns the bits of a move between two squares.
    fn bits(from: &str, to: &str, promotion: u16) -> u16 {
        promotion << 12 | (square(from).index() as u16) << 6 | square(to).index() as u16
    }

    fn board(pieces: &[(char, &str)], side_to_move: Color, castling: bool) -> Board {
        let mut setup = Setup::empty();
        for &(letter, name) in pieces {
            setup.set(square(name), Piece::from_fen_letter(letter));
        }
        setup.side_to_move = side_to_move;
        if castling {
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    let rook = match side {
                        CastlingSide::HSide => "h1",
                        CastlingSide::ASide => "a1",
                    };
                    setup.castling[color.index()][side.index()] = Some(square(rook).file());
                }
            }
        }
        Board::from_setup(&setup).expect("legal")
    }

    const CASTLING: [(char, &str); 6] = [
        ('K', "e1"),
        ('R', "a1"),
        ('R', "h1"),
        ('k', "e8"),
        ('r', "a8"),
        ('r', "h8"),
    ];

    #[test]
    fn castling_has_two_spellings() {
        for color in Color::ALL {
            let board = board(&CASTLING, color, true);
            for (rook_file, king_file) in [('h', 'g'), ('a', 'c')] {
                let rank = Rank::home(color).digit();
                let at = |file: char| format!("{file}{rank}");
                let mv = Move::new(square(&at('e')), square(&at(rook_file)), MoveKind::Castle);
                assert_eq!(encode_move(mv), bits(&at('e'), &at(rook_file), 0));
                for target in [rook_file, king_file] {
                    assert_eq!(
                        decode_move(&board, bits(&at('e'), &at(target), 0)),
                        Some(mv)
                    );
                }
            }
        }
    }

    #[test]
    fn a_move_of_the_king_is_no_castling() {
        let board = board(&CASTLING, Color::White, false);
        for target in ["g1", "h1", "c1", "a1"] {
            assert_eq!(decode_move(&board, bits("e1", target, 0)), None);
        }
        let rook = decode_move(&board, bits("h1", "g1", 0)).expect("legal");
        assert_eq!(rook.kind(), MoveKind::Quiet);
    }

    #[test]
    fn promotions_have_numbers() {
        let pieces = [('K', "a1"), ('k', "a3"), ('P', "g7"), ('r', "h8")];
        let board = board(&pieces, Color::White, false);
        for (number, kind) in PROMOTIONS.into_iter().enumerate() {
            for target in ["g8", "h8"] {
                let bits = bits("g7", target, number as u16 + 1);
                let mv = decode_move(&board, bits).expect("legal");
                assert_eq!(mv.promotion(), Some(kind));
                assert_eq!(encode_move(mv), bits);
            }
        }
        for promotion in [0, 5, 6, 7, 8, 12] {
            assert_eq!(decode_move(&board, bits("g7", "g8", promotion)), None);
        }
        assert_eq!(decode_move(&board, bits("a1", "b1", 4)), None);
    }

    #[test]
    fn every_number_is_a_legal_move_or_none() {
        for color in Color::ALL {
            let board = board(&CASTLING, color, true);
            let legal = board.legal_moves();
            let decoded: Vec<Move> = (0..=u16::MAX)
                .filter_map(|bits| decode_move(&board, bits))
                .collect();
            // The castlings have two spellings.
            assert_eq!(decoded.len(), legal.len() + 2);
            assert!(decoded.iter().all(|&mv| board.is_legal(mv)));
        }
    }

    #[test]
    fn only_marked_fields_are_scores() {
        let entry = |learn| Entry {
            key: 0,
            mv: 0,
            weight: 0,
            learn,
        };
        for score in [i16::MIN, -1, 0, 35, i16::MAX] {
            assert_eq!(entry(Entry::learn_of(score)).score(), Some(score));
        }
        for learn in [0, 35, u32::MAX] {
            assert_eq!(entry(learn).score(), None);
        }
    }
}
