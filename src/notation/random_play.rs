//! Random games for tests: Gaur's position and shakmaty's, side by side.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use super::{parse_fen, parse_move};
use crate::board::Board;
use crate::rules::{Position, Variant};

/// A position in two forms: that of Gaur and that of the chess library.
pub(super) struct Pair {
    pub(super) ours: Position,
    pub(super) theirs: Chess,
    pub(super) mode: CastlingMode,
}

impl Pair {
    /// Shakmaty's FEN, with the castling letters of the variant.
    pub(super) fn fen(&self) -> String {
        let mut fen = Fen::from_position(&self.theirs, EnPassantMode::Legal).to_string();
        if self.mode == CastlingMode::Chess960 {
            let setup = self.theirs.to_setup(EnPassantMode::Legal);
            let letters = |color: shakmaty::Color| {
                let rooks = setup.castling_rights.into_iter().filter(move |rook| {
                    rook.rank() == color.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth)
                });
                let files = rooks.map(|rook| rook.file().upper_char()).rev();
                files.map(move |file| color.fold_wb(file, file.to_ascii_lowercase()))
            };
            let castling: String = letters(shakmaty::Color::White)
                .chain(letters(shakmaty::Color::Black))
                .collect();
            let mut fields: Vec<&str> = fen.split(' ').collect();
            if fields[2] != "-" {
                fields[2] = &castling;
            }
            fen = fields.join(" ");
        }
        fen
    }
}

/// Starts for random games: the standard one, shuffled ones, and some where the rare moves are near.
const STARTS: [(&str, CastlingMode); 8] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        CastlingMode::Standard,
    ),
    (
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        CastlingMode::Standard,
    ),
    (
        "rnbnkbqr/pppppppp/8/8/8/8/PPPPPPPP/RNBNKBQR w HAha - 0 1",
        CastlingMode::Chess960,
    ),
    (
        "nrkbrqbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBRQBN w EBeb - 0 1",
        CastlingMode::Chess960,
    ),
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        CastlingMode::Chess960,
    ),
    (
        "rk1q1b1r/pbpppnpp/1p3p2/8/4Q3/1P3N2/P1PPPPPP/RK2NB1R w HAha - 0 1",
        CastlingMode::Chess960,
    ),
];

/// Visits positions of random games until it has shown this many.
pub(super) fn visit(seed: u64, positions: usize, mut look: impl FnMut(&Pair)) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut shown = 0;
    for (fen, mode) in STARTS.into_iter().cycle() {
        let variant = match mode {
            CastlingMode::Standard => Variant::Standard,
            CastlingMode::Chess960 => Variant::Fischerandom,
        };
        let board = Board::from_setup(&parse_fen(fen).unwrap()).unwrap();
        let theirs = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
        let mut pair = Pair {
            ours: Position::new(board, variant),
            theirs,
            mode,
        };
        for _ in 0..120 {
            if shown == positions {
                return;
            }
            shown += 1;
            look(&pair);
            let moves = pair.theirs.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.next_u32() as usize % moves.len()];
            // Shakmaty's castling in Chess960 spelling is king-takes-rook, as ours inside.
            let text = mv.to_uci(CastlingMode::Chess960).to_string();
            let ours = parse_move(&pair.ours, &text).unwrap();
            let _ = pair.ours.play(ours);
            pair.theirs.play_unchecked(mv);
        }
    }
}
