//! Vectorised and scalar code find the same moves in the same order, and the same attacks, with each instruction set of
//! the processor.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::board::{Board, MoveFilter, MoveSink, Setup};
use crate::types::{Color, Move, MoveList, Piece, PieceKind, Square};

use super::Simd;

/// A move list without access to several entries at once, so that the generator uses scalar code.
#[derive(Default)]
struct OneByOne(MoveList);

impl MoveSink for OneByOne {
    fn add(&mut self, mv: Move) {
        self.0.push(mv);
    }
}

fn compare(board: &Board) {
    let mut board = board.clone();
    let check_info = board.check_info();
    for which in [MoveFilter::All, MoveFilter::Noisy, MoveFilter::Quiet] {
        let mut alone = OneByOne::default();
        board.generate(&check_info, which, &mut alone);
        for simd in Simd::available() {
            board.simd = Some(simd);
            let mut together = MoveList::new();
            board.generate(&check_info, which, &mut together);
            assert_eq!(together, alone.0, "{simd:?}, {which:?}: {board:?}");
        }
    }
    for by in Color::ALL {
        for simd in Simd::available() {
            board.simd = Some(simd);
            let (map, expected) = (board.attack_map(by), board.scalar_attack_map(by));
            assert_eq!(map, expected, "{simd:?}, {by:?}: {board:?}");
        }
    }
}

#[test]
fn vectorised_and_scalar_code_agree_in_random_games() {
    let mut random = ChaCha8Rng::seed_from_u64(21);
    for _ in 0..50 {
        let mut board = Board::standard();
        for _ in 0..200 {
            compare(&board);
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let _ = board.make(moves[random.next_u32() as usize % moves.len()]);
        }
    }
}

#[test]
fn vectorised_and_scalar_code_agree_with_pieces_placed_at_random() {
    let mut random = ChaCha8Rng::seed_from_u64(22);
    let mut below = |number: usize| random.next_u32() as usize % number;
    let mut compared = 0;
    while compared < 3000 {
        let mut setup = Setup::empty();
        setup.side_to_move = Color::ALL[below(2)];
        for color in Color::ALL {
            for number in 0..1 + below(16) {
                let kind = match number {
                    0 => PieceKind::King,
                    _ => PieceKind::ALL[1 + below(4)],
                };
                let square = loop {
                    let square = Square::from_index(below(64));
                    if setup.pieces[square.index()].is_none() {
                        break square;
                    }
                };
                setup.set(square, Some(Piece::new(color, kind)));
            }
        }
        if let Ok(board) = Board::from_setup(&setup) {
            compare(&board);
            compared += 1;
        }
    }
}

#[test]
fn more_than_200_moves_fit_into_the_list() {
    let mut setup = Setup::empty();
    let mut set = |color, kind, name: &str| {
        let square = Square::from_name(name).expect("a square");
        setup.set(square, Some(Piece::new(color, kind)));
    };
    // Fifteen queens that hardly block one another, and a sheltered king.
    for name in "a4 b6 c8 d2 e7 f1 g3 h5 a5 b3 c7 d4 e2 g6 h1".split(' ') {
        set(Color::White, PieceKind::Queen, name);
    }
    set(Color::White, PieceKind::King, "b1");
    set(Color::Black, PieceKind::King, "h8");
    set(Color::Black, PieceKind::Rook, "g8");
    set(Color::Black, PieceKind::Pawn, "g7");
    set(Color::Black, PieceKind::Pawn, "h7");
    setup.side_to_move = Color::White;
    let board = Board::from_setup(&setup).expect("a legal position");
    let count = board.legal_moves().len();
    assert!(count > 200, "{count}");
    compare(&board);
}
