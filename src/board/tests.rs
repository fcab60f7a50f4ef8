//! Tests of the board on fixed positions: exchanges, legality of arbitrary bits, null moves and move filters.

use crate::types::{CastlingSide, Color, File, Move, MoveKind, MoveList, Piece, PieceKind, Square};

use super::{Board, MoveFilter, Setup};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

/// Positions with checks by sliders, pins on every kind of line, en passant that would open a rank, promotions, and
/// double check.
const POSITIONS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6",
    "r3k2r/8/8/8/3pPp2/8/8/R3K1RR b KQkq e3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",
    "rnb2k1r/pp1Pbppp/2p5/q7/2B5/8/PPPQNnPP/RNB1K2R w KQ -",
    "4k3/8/5n2/8/8/4r3/8/4K2R w K -",
    "4r1k1/8/b7/8/2p5/3P4/4N3/R3K2R w KQ -",
];

/// Returns the board of the first four fields of a FEN. Only for valid FENs.
fn board(fen: &str) -> Board {
    let mut fields = fen.split(' ');
    let mut next = || fields.next().expect("four fields");
    let mut setup = Setup::empty();
    for (rank, row) in next().split('/').enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(gap) => file += gap as usize,
                None => {
                    let square = Square::from_index((7 - rank) * 8 + file);
                    setup.set(square, Piece::from_fen_letter(letter));
                    file += 1;
                }
            }
        }
    }
    if next() == "b" {
        setup.side_to_move = Color::Black;
    }
    for right in next().chars().filter(|&right| right != '-') {
        let color = usize::from(right.is_ascii_lowercase());
        let (side, file) = match right.to_ascii_lowercase() {
            'k' => (CastlingSide::HSide, File::H),
            _ => (CastlingSide::ASide, File::A),
        };
        setup.castling[color][side.index()] = Some(file);
    }
    setup.en_passant = Square::from_name(next());
    Board::from_setup(&setup).expect("a legal position")
}

/// Returns the legal move with this start and target square, and for promotions with this kind.
fn find(board: &Board, name: &str, promotion: Option<PieceKind>) -> Move {
    let (from, to) = (
        Square::from_name(&name[..2]),
        Square::from_name(&name[2..4]),
    );
    *board
        .legal_moves()
        .iter()
        .find(|mv| Some(mv.from()) == from && Some(mv.to()) == to && mv.promotion() == promotion)
        .expect("a legal move")
}

#[test]
fn exchanges_have_the_expected_results() {
    let queen = Some(PieceKind::Queen);
    for (fen, name, promotion, value) in [
        // A pawn for nothing.
        (
            "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -",
            "e1e5",
            None,
            100,
        ),
        // A knight for a pawn, with sliders behind sliders on both sides.
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -",
            "d3e5",
            None,
            100 - 320,
        ),
        // The king cannot recapture because of the second rook ...
        ("3k4/3p4/8/8/8/8/3R4/3RK3 w - -", "d2d7", None, 100),
        // ... and recaptures without it.
        ("3k4/3p4/8/8/8/8/3R4/4K3 w - -", "d2d7", None, 100 - 500),
        // A bishop behind a pawn takes part after the pawn's capture.
        ("4k3/8/2p5/3p4/4P3/5B2/8/4K3 w - -", "e4d5", None, 100),
        // En passant, undefended and defended.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", None, 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6", "e5d6", None, 0),
        // The capture en passant opens the file for the rook behind it, so that the enemy rook cannot recapture.
        ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6", "e5d6", None, 100),
        // Promotion on a safe square, on an attacked square, and with a capture.
        ("8/P3k3/8/8/8/8/8/4K3 w - -", "a7a8", queen, 950 - 100),
        ("7r/P3k3/8/8/8/8/8/4K3 w - -", "a7a8", queen, -100),
        ("1n5r/P3k3/8/8/8/8/8/4K3 w - -", "a7b8", queen, 320 - 100),
        // A quiet move to a square that a pawn attacks.
        ("4k3/8/2p5/8/8/2N5/8/4K3 w - -", "c3d5", None, -320),
        ("4k3/8/2p5/8/8/2N5/8/4K3 w - -", "c3e4", None, 0),
        // Castling captures nothing.
        (KIWIPETE, "e1h1", None, 0),
    ] {
        let board = board(fen);
        let mv = find(&board, name, promotion);
        assert!(
            board.see_at_least(mv, value),
            "{fen} {name} at least {value}"
        );
        assert!(
            !board.see_at_least(mv, value + 1),
            "{fen} {name} more than {value}"
        );
    }
}

#[test]
fn bits_are_legal_exactly_if_they_are_generated() {
    for fen in POSITIONS {
        let board = board(fen);
        let moves = board.legal_moves();
        for mv in (1..=u16::MAX).filter_map(Move::from_bits) {
            assert_eq!(
                board.is_legal(mv),
                moves.contains(&mv),
                "{fen} {mv:?} {:?}",
                mv.kind()
            );
        }
    }
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    for fen in POSITIONS {
        let board = board(fen);
        let list = |filter| {
            let mut moves = MoveList::new();
            board.generate(&board.check_info(), filter, &mut moves);
            moves
        };
        let (noisy, quiet) = (list(MoveFilter::Noisy), list(MoveFilter::Quiet));
        assert!(noisy.iter().all(|mv| mv.is_noisy()), "{fen}");
        assert!(!quiet.iter().any(|mv| mv.is_noisy()), "{fen}");
        let mut parts: Vec<u16> = noisy.iter().chain(&quiet).map(|mv| mv.bits()).collect();
        let mut all: Vec<u16> = board.legal_moves().iter().map(|mv| mv.bits()).collect();
        parts.sort_unstable();
        all.sort_unstable();
        assert_eq!(parts, all, "{fen}");
        assert_eq!(board.count_legal(), all.len() as u64);
    }
}

#[test]
fn unmake_restores_everything() {
    fn walk(board: &mut Board, depth: u32) {
        assert_eq!(board.check_consistency(), Ok(()), "{board:?}");
        if depth == 0 {
            return;
        }
        for mv in board.legal_moves() {
            let before = board.clone();
            let undo = board.make(mv);
            assert_eq!(undo.captured().is_some(), mv.is_capture());
            walk(board, depth - 1);
            board.unmake(mv, undo);
            assert!(*board == before, "{mv:?} on {before:?} left {board:?}");
        }
    }
    for fen in POSITIONS {
        walk(&mut board(fen), 3);
    }
}

#[test]
fn a_null_move_changes_only_the_turn() {
    let mut position = board("4k3/8/8/3pP3/8/8/8/4K3 w - d6");
    let before = position.clone();
    let undo = position.make_null_move();
    assert_eq!(position.check_consistency(), Ok(()));
    assert_eq!(position.en_passant(), None);
    assert_eq!(position.halfmove_clock(), 1);
    assert_eq!(position.key(), board("4k3/8/8/3pP3/8/8/8/4K3 b - -").key());
    assert_eq!(position.pawn_key(), before.pawn_key());
    position.unmake_null_move(undo);
    assert!(position == before);
}

#[test]
fn the_approximate_key_is_exact_except_for_special_moves() {
    let mut board = board("r2q1rk1/pP3ppp/2n5/3p4/4P3/5N2/PPP2PPP/R2Q1RK1 w - - 0 1");
    for mv in board.legal_moves() {
        let approximation = board.approximate_key_after(mv);
        let undo = board.make(mv);
        assert_eq!(board.key() == approximation, mv.is_plain(), "{mv:?}");
        board.unmake(mv, undo);
    }
}

#[test]
fn partial_keys_follow_their_pieces_only() {
    let mut position = board(KIWIPETE);
    let before = position.clone();
    let keys = |board: &Board| {
        [
            board.pawn_key(),
            board.minor_key(),
            board.non_pawn_key(Color::White),
            board.non_pawn_key(Color::Black),
        ]
    };
    // MoveFilter keys change: by a pawn, a knight, a rook, and by a bishop that takes a bishop.
    for (name, changes) in [
        ("a2a3", [true, false, false, false]),
        ("e5d3", [false, true, true, false]),
        ("h1g1", [false, false, true, false]),
        ("e2a6", [false, true, true, true]),
    ] {
        let undo = {
            let mv = find(&position, name, None);
            (mv, position.make(mv))
        };
        for (index, changed) in changes.into_iter().enumerate() {
            assert_eq!(
                keys(&position)[index] != keys(&before)[index],
                changed,
                "{name} {index}"
            );
        }
        position.unmake(undo.0, undo.1);
        assert_eq!(keys(&position), keys(&before));
    }
}

#[test]
fn a_double_push_opens_en_passant_only_for_a_legal_capture() {
    // A black pawn on d4 may take e3; in the second position it is pinned along the rank of its king.
    for (fen, expected) in [
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - -", Square::from_name("e3")),
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - -", None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", None),
    ] {
        let mut board = board(fen);
        let mv = find(&board, "e2e4", None);
        assert_eq!(mv.kind(), MoveKind::DoublePush);
        let _ = board.make(mv);
        assert_eq!(board.en_passant(), expected, "{fen}");
    }
}
