//! The rules against shakmaty, over random games of standard chess and Fischer Random.
//!
//! Shakmaty plays the games; every position is rebuilt by our own moves only, so that a wrong make or
//! unmake shows, too.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _, Role};

use super::{DrawReason, Outcome, Position, Variant};
use crate::board::{Board, MoveFilter, Setup};
use crate::types::{CastlingSide, Color, Move, MoveKind, MoveList, Piece, PieceKind, Rank, Square};

const POSITIONS: usize = 100_000;

/// Longer games are cut; endings reach the fifty-move rule before that.
const GAME_LENGTH: usize = 250;

/// Standard chess, rare moves near, and endings that come close to every kind of draw.
const STANDARD_STARTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/2bp4/3P4/8/8/3BK3 w - - 0 1",
    "4k3/8/8/2b5/3b4/8/8/3BK3 w - - 0 1",
    "4k3/8/2p5/8/8/3N4/8/4K3 w - - 0 1",
    "4kn2/8/8/8/8/3N4/8/4K3 w - - 0 1",
    "8/8/8/8/8/k7/p1q5/K7 w - - 0 1",
    "q3k3/8/8/8/8/8/8/Q3K3 w - - 90 60",
];
const FISCHER_SUITE: &str = include_str!("suites/fischer.epd");

fn our_square(square: shakmaty::Square) -> Square {
    Square::from_index(usize::from(square))
}

fn our_kind(role: Role) -> PieceKind {
    match role {
        Role::Pawn => PieceKind::Pawn,
        Role::Knight => PieceKind::Knight,
        Role::Bishop => PieceKind::Bishop,
        Role::Rook => PieceKind::Rook,
        Role::Queen => PieceKind::Queen,
        Role::King => PieceKind::King,
    }
}

fn our_color(color: shakmaty::Color) -> Color {
    color.fold_wb(Color::White, Color::Black)
}

/// Shakmaty's move in our bits.
fn our_move(mv: shakmaty::Move) -> Move {
    let from = mv.from().map(our_square).expect("no drops in chess");
    let to = our_square(mv.to());
    let kind = match mv {
        shakmaty::Move::Castle { .. } => MoveKind::Castle,
        shakmaty::Move::EnPassant { .. } => MoveKind::EnPassant,
        _ => match (mv.promotion(), mv.is_capture()) {
            (Some(role), capture) => MoveKind::promotion(our_kind(role), capture),
            (None, true) => MoveKind::Capture,
            (None, false) if mv.role() == Role::Pawn && from.distance(to) == 2 => {
                MoveKind::DoublePush
            }
            (None, false) => MoveKind::Quiet,
        },
    };
    Move::new(from, to, kind)
}

/// Shakmaty's position as our setup.
fn our_setup(theirs: &Chess) -> Setup {
    let mut setup = Setup::empty();
    for (square, piece) in theirs.board().iter() {
        let piece = Piece::new(our_color(piece.color), our_kind(piece.role));
        setup.set(our_square(square), Some(piece));
    }
    setup.side_to_move = our_color(theirs.turn());
    for color in shakmaty::Color::ALL {
        for (side, ours) in [
            (shakmaty::CastlingSide::KingSide, CastlingSide::HSide),
            (shakmaty::CastlingSide::QueenSide, CastlingSide::ASide),
        ] {
            let rook = theirs.castles().rook(color, side);
            setup.castling[our_color(color).index()][ours.index()] =
                rook.map(|rook| our_square(rook).file());
        }
    }
    setup.en_passant = theirs.legal_ep_square().map(our_square);
    setup.halfmove_clock = theirs.halfmoves() as u16;
    setup.fullmove_number = u32::from(theirs.fullmoves()) as u16;
    setup
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
    bits.sort_unstable();
    bits
}

/// Plays random games and shows every position, with how often it has occurred in its game.
fn visit(seed: u64, positions: usize, mut look: impl FnMut(&Position, &Chess, usize)) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let standard = STANDARD_STARTS
        .into_iter()
        .map(|fen| (fen, Variant::Standard))
        .cycle();
    let fischer = FISCHER_SUITE
        .lines()
        .filter_map(|line| line.split(" ;").next())
        .map(|fen| (fen, Variant::Fischerandom))
        .cycle();
    let mut shown = 0;
    for (fen, variant) in standard.zip(fischer).flat_map(|(one, other)| [one, other]) {
        let mode = match variant {
            Variant::Standard => CastlingMode::Standard,
            Variant::Fischerandom => CastlingMode::Chess960,
        };
        let mut theirs: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
        let board = Board::from_setup(&our_setup(&theirs)).unwrap();
        let mut ours = Position::new(board, variant);
        let mut seen: HashMap<Chess, usize> = HashMap::new();
        for _ in 0..GAME_LENGTH {
            if shown == positions {
                return;
            }
            shown += 1;
            let times = seen.entry(theirs.clone()).or_default();
            *times += 1;
            look(&ours, &theirs, *times);
            let moves = theirs.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.next_u32() as usize % moves.len()];
            let _ = ours.play(our_move(mv));
            theirs.play_unchecked(mv);
        }
    }
}

/// Insufficient material by the words of the protocol, counted on shakmaty's board.
fn neither_can_mate(theirs: &Chess) -> bool {
    let board = theirs.board();
    let minors = board.knights() | board.bishops();
    let others = board.occupied() & !minors & !board.kings();
    let bishops = board.bishops();
    let of_one_color = (bishops & shakmaty::Bitboard::LIGHT_SQUARES).is_empty()
        || (bishops & shakmaty::Bitboard::DARK_SQUARES).is_empty();
    others.is_empty() && (minors.count() <= 1 || (board.knights().is_empty() && of_one_color))
}

fn expected_outcome(theirs: &Chess, times: usize) -> Option<Outcome> {
    let reason = if theirs.is_checkmate() {
        return Some(Outcome::Mate {
            winner: our_color(!theirs.turn()),
        });
    } else if theirs.is_stalemate() {
        DrawReason::Stalemate
    } else if neither_can_mate(theirs) {
        DrawReason::InsufficientMaterial
    } else if theirs.halfmoves() >= 100 {
        DrawReason::FiftyMoves
    } else if times >= 3 {
        DrawReason::Repetition
    } else {
        return None;
    };
    Some(Outcome::Draw(reason))
}

#[test]
fn moves_check_and_outcome_agree() {
    let mut outcomes: HashMap<String, usize> = HashMap::new();
    visit(11, POSITIONS, |ours, theirs, times| {
        let expected = sorted(theirs.legal_moves().into_iter().map(our_move));
        assert_eq!(sorted(ours.legal_moves()), expected, "{ours:?}");
        assert_eq!(
            ours.board().count_legal(),
            expected.len() as u64,
            "{ours:?}"
        );
        assert_eq!(ours.board().in_check(), theirs.is_check(), "{ours:?}");
        let outcome = ours.outcome();
        assert_eq!(outcome, expected_outcome(theirs, times), "{ours:?}");
        assert_eq!(
            neither_can_mate(theirs),
            theirs.is_insufficient_material(),
            "{ours:?}"
        );
        *outcomes.entry(format!("{outcome:?}")).or_default() += 1;
    });
    // The games must reach every kind of result, or the comparison would be incomplete.
    assert_eq!(outcomes.len(), 7, "{outcomes:?}");
}

#[test]
fn make_and_unmake_restore_every_byte() {
    visit(12, POSITIONS, |ours, _, _| {
        let mut board = ours.board().clone();
        for mv in ours.legal_moves() {
            let undo = board.make(mv);
            board.unmake(mv, undo);
            assert!(board == *ours.board(), "{mv:?} in {ours:?}");
        }
        if !board.in_check() {
            let undo = board.make_null_move();
            board.unmake_null_move(undo);
            assert!(board == *ours.board(), "null move in {ours:?}");
        }
    });
}

#[test]
fn incremental_keys_equal_recomputed_ones() {
    visit(13, POSITIONS, |ours, theirs, _| {
        let board = ours.board();
        assert_eq!(board.check_consistency(), Ok(()), "{ours:?}");
        let setup = our_setup(theirs);
        assert_eq!(board.to_setup(), setup);
        let fresh = Board::from_setup(&setup).unwrap();
        let keys = |board: &Board| {
            let parts = Color::ALL.map(|color| board.non_pawn_key(color));
            (board.key(), board.pawn_key(), board.minor_key(), parts)
        };
        assert_eq!(keys(board), keys(&fresh), "{ours:?}");
    });
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    visit(14, POSITIONS, |ours, _, _| {
        let (board, checks) = (ours.board(), ours.board().check_info());
        let generate = |which| {
            let mut moves = MoveList::new();
            board.generate(&checks, which, &mut moves);
            moves
        };
        let (noisy, quiet) = (generate(MoveFilter::Noisy), generate(MoveFilter::Quiet));
        assert!(
            noisy.iter().all(|mv| mv.is_noisy()),
            "{noisy:?} in {ours:?}"
        );
        assert!(
            quiet.iter().all(|mv| !mv.is_noisy()),
            "{quiet:?} in {ours:?}"
        );
        let both = noisy.into_iter().chain(quiet);
        assert_eq!(sorted(both), sorted(ours.legal_moves()), "{ours:?}");
    });
}

#[test]
fn any_sixteen_bits_are_legal_exactly_when_generated() {
    let mut count = 0;
    visit(15, 20_000, |ours, _, _| {
        count += 1;
        if count % 80 != 0 {
            return;
        }
        let mut legal = vec![false; 1 << 16];
        for mv in ours.legal_moves() {
            legal[usize::from(mv.bits())] = true;
        }
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let expected = legal[usize::from(mv.bits())];
            assert_eq!(
                ours.is_legal(mv),
                expected,
                "{mv:?} {:?} in {ours:?}",
                mv.kind()
            );
        }
    });
}

#[test]
fn castling_rights_match_the_squares_of_king_and_rook() {
    visit(16, POSITIONS / 10, |ours, _, _| {
        let board = ours.board();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if board.castling_rights().has(color, side) {
                    let rook = board.castling_rook(color, side);
                    assert_eq!(
                        board.piece_on(rook),
                        Some(Piece::new(color, PieceKind::Rook))
                    );
                    assert_eq!(board.king(color).rank(), Rank::home(color));
                    assert_eq!(
                        rook.file() > board.king(color).file(),
                        side == CastlingSide::HSide
                    );
                }
            }
        }
    });
}
