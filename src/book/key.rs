//! Keys of positions in Polyglot books.
//!
//! A key is the exclusive or of published random numbers, by their index:
//!
//! | index | meaning |
//! |---|---|
//! | 0-767 | 64 times the piece (black pawn 0, white pawn 1, black knight 2 ... white king 11), plus the square |
//! | 768-771 | castling rights `KQkq` |
//! | 772-779 | file of a pawn that can be captured en passant |
//! | 780 | White is to move |

use super::random_numbers::RANDOM_NUMBERS;
use crate::board::Board;
use crate::types::{CastlingSide, Color, Move, MoveKind, Piece, PieceKind, Square};

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// Returns the key of a position that the move `last` has led to; `None` if there was none or it is not known.
///
/// The format counts a capture en passant if a pawn stands next to the one that has moved, even if the capture would
/// expose the king. The board has forgotten the squares of such captures, therefore the last move is needed.
///
/// ```
/// use gaur::board::Board;
/// use gaur::book::polyglot_key;
///
/// assert_eq!(polyglot_key(&Board::standard(), None), 0x463b_9618_1691_fc9c);
/// ```
pub fn polyglot_key(board: &Board, last: Option<Move>) -> u64 {
    let mut key = 0;
    for square in Square::all() {
        if let Some(piece) = board.piece_on(square) {
            key ^= RANDOM_NUMBERS[64 * piece_number(piece) + square.index()];
        }
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if board.castling_rights().has(color, side) {
                key ^= RANDOM_NUMBERS[CASTLING + 2 * color.index() + side.index()];
            }
        }
    }
    if let Some(square) = en_passant(board, last) {
        key ^= RANDOM_NUMBERS[EN_PASSANT + square.file().index()];
    }
    if board.side_to_move() == Color::White {
        key ^= RANDOM_NUMBERS[WHITE_TO_MOVE];
    }
    key
}

/// Returns the number of a piece in the format.
fn piece_number(piece: Piece) -> usize {
    2 * piece.kind.index() + usize::from(piece.color == Color::White)
}

/// Returns a square on the file of a pawn that a pawn beside it could capture en passant, if the king did not matter.
fn en_passant(board: &Board, last: Option<Move>) -> Option<Square> {
    if board.en_passant().is_some() {
        return board.en_passant();
    }
    let pawn = last.filter(|mv| mv.is(MoveKind::DoublePush))?.to();
    let capturer = Piece::new(board.side_to_move(), PieceKind::Pawn);
    let is_beside = |files| {
        let square = pawn.offset(files, 0);
        square.is_some_and(|square| board.piece_on(square) == Some(capturer))
    };
    (is_beside(-1) || is_beside(1)).then_some(pawn)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use shakmaty::zobrist::Zobrist64;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, uci::UciMove};

    use super::*;

    /// Returns Gaur's move with the meaning of one in coordinates, where castling is king takes rook.
    fn find(board: &Board, text: &str) -> Move {
        let moves = board.legal_moves();
        let found = moves.into_iter().find(|mv| {
            let promotion = mv
                .promotion()
                .map(|kind| kind.letter().to_ascii_lowercase());
            let promotion = promotion.map(String::from).unwrap_or_default();
            format!("{}{}{promotion}", mv.from(), mv.to()) == text
        });
        found.unwrap_or_else(|| panic!("{text} in {board:?}"))
    }

    /// The nine positions that the description of the format lists with their keys, as moves from the start position.
    #[test]
    fn published_keys() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let (mut board, mut last) = (Board::standard(), None);
            for text in moves.split_whitespace() {
                let mv = find(&board, text);
                let _ = board.make(mv);
                last = Some(mv);
            }
            assert_eq!(polyglot_key(&board, last), key, "{moves}");
        }
    }

    /// Starts of random games; in some of them pins make captures en passant illegal.
    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];

    #[test]
    fn keys_agree_with_shakmaty_in_random_games() {
        let mut random = ChaCha8Rng::seed_from_u64(28);
        let (mut captures, mut illegal_captures, mut castlings) = (0, 0, 0);
        for game in 0..800 {
            let fen: Fen = STARTS[game % STARTS.len()].parse().unwrap();
            let mut theirs: Chess = fen.clone().into_position(CastlingMode::Standard).unwrap();
            let setup = crate::board::Setup::standard();
            let mut board = match game % STARTS.len() {
                0 => Board::from_setup(&setup).unwrap(),
                _ => board_of(&theirs),
            };
            let mut last = None;
            for _ in 0..100 {
                let pseudo_legal = theirs.pseudo_legal_ep_square();
                captures += usize::from(pseudo_legal.is_some());
                illegal_captures +=
                    usize::from(pseudo_legal.is_some() && theirs.legal_ep_square().is_none());
                let key: Zobrist64 = theirs.zobrist_hash(EnPassantMode::PseudoLegal);
                assert_eq!(polyglot_key(&board, last), key.0, "{board:?}");
                let moves = theirs.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.next_u32() as usize % moves.len()];
                let text = UciMove::from_move(mv, CastlingMode::Chess960).to_string();
                let ours = find(&board, &text);
                castlings += usize::from(ours.is_castle());
                let _ = board.make(ours);
                theirs.play_unchecked(mv);
                last = Some(ours);
            }
        }
        assert!(captures > 100, "{captures}");
        assert!(illegal_captures > 0);
        assert!(castlings > 50, "{castlings}");
    }

    /// Returns the board of a position without a capture en passant.
    fn board_of(theirs: &Chess) -> Board {
        let mut setup = crate::board::Setup::empty();
        for square in Square::all() {
            let place = shakmaty::Square::new(square.index() as u32);
            let piece = theirs.board().piece_at(place).map(shakmaty::Piece::char);
            setup.set(square, piece.and_then(Piece::from_fen_letter));
        }
        setup.side_to_move = theirs.turn().fold_wb(Color::White, Color::Black);
        for (color, ours) in [(shakmaty::Color::White, 0), (shakmaty::Color::Black, 1)] {
            for (side, index) in [
                (shakmaty::CastlingSide::KingSide, 0),
                (shakmaty::CastlingSide::QueenSide, 1),
            ] {
                let rook = theirs.castles().rook(color, side);
                setup.castling[ours][index] =
                    rook.map(|rook| Square::from_index(usize::from(rook)).file());
            }
        }
        Board::from_setup(&setup).unwrap()
    }
}
