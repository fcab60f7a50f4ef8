//! Agreement with shakmaty over random games, and no panic on any text.

use proptest::prelude::*;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Position as _};

use super::random_play::{Pair, visit};
use super::{parse_epd, parse_fen, parse_move, write_coordinate, write_fen, write_san};
use crate::board::Board;
use crate::rules::{Position, Variant};
use crate::types::Move;

const POSITIONS: usize = 4_000;

#[test]
fn fen_agrees_with_shakmaty_and_comes_back() {
    visit(1, POSITIONS, |pair: &Pair| {
        let (board, variant) = (pair.ours.board(), pair.ours.variant());
        let written = write_fen(board, variant);
        assert_eq!(written, pair.fen());
        let setup = parse_fen(&written).unwrap();
        assert_eq!(setup, board.to_setup(), "{written}");
        assert_eq!(
            write_fen(&Board::from_setup(&setup).unwrap(), variant),
            written
        );
        // The X-FEN of Fischer Random means the same.
        let x_fen = write_fen(board, Variant::Standard);
        assert_eq!(parse_fen(&x_fen).unwrap(), setup, "{x_fen}");
    });
}

#[test]
fn san_agrees_with_shakmaty_and_comes_back() {
    visit(2, POSITIONS, |pair: &Pair| {
        for mv in pair.theirs.legal_moves() {
            let theirs = SanPlus::from_move(pair.theirs.clone(), mv).to_string();
            let inner = mv.to_uci(CastlingMode::Chess960).to_string();
            let ours = parse_move(&pair.ours, &inner).unwrap();
            let fen = pair.fen();
            assert_eq!(write_san(&pair.ours, ours), theirs, "{inner} in {fen}");
            assert_eq!(
                parse_move(&pair.ours, &theirs),
                Ok(ours),
                "{theirs} in {fen}"
            );
        }
    });
}

#[test]
fn coordinates_agree_with_shakmaty_and_come_back() {
    visit(3, POSITIONS, |pair: &Pair| {
        for mv in pair.theirs.legal_moves() {
            let inner = mv.to_uci(CastlingMode::Chess960).to_string();
            let ours = parse_move(&pair.ours, &inner).unwrap();
            let text = write_coordinate(ours, pair.ours.variant());
            if pair.mode == CastlingMode::Standard || !ours.is_castle() {
                assert_eq!(text, mv.to_uci(pair.mode).to_string());
            }
            assert_eq!(
                parse_move(&pair.ours, &text),
                Ok(ours),
                "{text} in {}",
                pair.fen()
            );
        }
    });
}

#[test]
fn careless_san_is_understood() {
    visit(4, POSITIONS / 4, |pair: &Pair| {
        for mv in pair.ours.legal_moves() {
            let san = write_san(&pair.ours, mv);
            let bare = san.replace(['x', '=', '+', '#'], "").replace('O', "0");
            assert_eq!(
                parse_move(&pair.ours, &bare),
                Ok(mv),
                "{bare} in {}",
                pair.fen()
            );
            let praised = format!(" {san}!? ");
            assert_eq!(
                parse_move(&pair.ours, &praised),
                Ok(mv),
                "{praised} in {}",
                pair.fen()
            );
        }
    });
}

/// Checks that every accepted text is a legal move and every other text is refused, for any reason.
#[test]
fn every_pair_of_squares_is_read_as_a_legal_move_or_refused() {
    visit(5, 40, |pair: &Pair| {
        for from in crate::types::Square::all() {
            for to in crate::types::Square::all() {
                for promotion in ["", "q"] {
                    let text = format!("{from}{to}{promotion}");
                    if let Ok(mv) = parse_move(&pair.ours, &text) {
                        assert!(pair.ours.is_legal(mv), "{text} in {}", pair.fen());
                        assert_eq!(mv.from(), from);
                    }
                }
            }
        }
    });
}

/// Text of one line with one part of it replaced by something else.
fn mutated(seeds: &'static [&'static str]) -> impl Strategy<Value = String> {
    let noise = prop_oneof![
        "[ -~]{0,6}",
        "\\PC{0,6}",
        Just("\0".to_owned()),
        "[0-9]{1,30}"
    ];
    (
        prop::sample::select(seeds),
        any::<prop::sample::Index>(),
        0..4_usize,
        noise,
    )
        .prop_map(|(seed, at, cut, noise)| {
            let letters: Vec<char> = seed.chars().collect();
            let at = at.index(letters.len() + 1);
            let (head, tail) = letters.split_at(at);
            let tail = tail.iter().skip(cut);
            head.iter()
                .copied()
                .chain(noise.chars())
                .chain(tail.copied())
                .collect()
        })
}

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "nrkbrqbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBRQBN w EBeb e3 99 120",
    "4k3/8/8/8/8/8/8/4K2R w K - bm O-O+ Kf2; id \"WAC.001\";",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25",
];
/// Positions in which every kind of move is possible or nearly so.
const PLACES: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pPpp3p/8/3Pp3/1n4Q1/2N2N2/P1P2PPP/R3K2R w KQkq e6 0 2",
    "4k3/8/8/8/1b6/8/3P4/RK3R2 w FA - 0 1",
    "7k/8/8/8/8/8/8/qK6 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];
const MOVES: &[&str] = &[
    "e2e4",
    "e7e8=Q",
    "Nbd2",
    "exd6 e.p.",
    "O-O-O+",
    "Qh4xe1#!?",
    "0-0",
    "R1a3",
    "b7xa8(N)",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn no_text_makes_the_fen_reader_panic(text in prop_oneof![any::<String>(), mutated(FENS)]) {
        let error = match parse_fen(&text) {
            // What can be read can be built or is refused by the board; both without a panic.
            Ok(setup) => Board::from_setup(&setup).err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(error) = error {
            prop_assert!(!error.is_empty() && error.len() < 300 && !error.contains('\n'));
        }
    }

    #[test]
    fn no_text_makes_the_epd_reader_panic(text in prop_oneof![any::<String>(), mutated(FENS)]) {
        match parse_epd(&text) {
            Ok(epd) => {
                let _ = epd.perft_counts();
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn no_text_makes_the_move_reader_panic(
        text in prop_oneof![any::<String>(), mutated(MOVES)],
        fen in prop::sample::select(PLACES),
    ) {
        let board = Board::from_setup(&parse_fen(fen).unwrap()).unwrap();
        let position = Position::new(board, Variant::Fischerandom);
        match parse_move(&position, &text) {
            Ok(mv) => prop_assert!(position.is_legal(mv)),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn no_bits_make_the_move_writers_panic(
        bits in 1..=u16::MAX,
        fen in prop::sample::select(PLACES),
    ) {
        let board = Board::from_setup(&parse_fen(fen).unwrap()).unwrap();
        let mv = Move::from_bits(bits).unwrap();
        for variant in Variant::ALL {
            prop_assert!(write_coordinate(mv, variant).len() >= 3);
            prop_assert!(write_san(&Position::new(board.clone(), variant), mv).len() >= 2);
        }
    }

    #[test]
    fn whatever_is_placed_on_the_board_is_written_back(
        pieces in prop::collection::vec(prop::sample::select(b"PNBRQpnbrq11111111".to_vec()), 62),
        black in any::<bool>(),
    ) {
        let mut letters = pieces;
        letters.insert(4, b'k');
        letters.insert(60, b'K');
        let ranks: Vec<&str> =
            letters.chunks(8).map(|rank| std::str::from_utf8(rank).unwrap()).collect();
        let side = if black { 'b' } else { 'w' };
        let text = format!("{} {side} KQkq - 3 5", ranks.join("/"));
        let setup = parse_fen(&text).unwrap();
        if let Ok(board) = Board::from_setup(&setup) {
            let written = write_fen(&board, Variant::Fischerandom);
            prop_assert_eq!(parse_fen(&written).unwrap(), board.to_setup());
        }
    }
}
