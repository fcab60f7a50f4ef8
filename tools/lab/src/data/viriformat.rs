//! Games in viriformat, the game format of the viridithas engine, which trainers of networks read.
//!
//! The crate of the format encodes the bytes. Scores are White's there; the reason for the end of a game and its node
//! limit are lost.

use std::io::{self, Write};

use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as TheirMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square as TheirSquare;
use viriformat::dataformat::Game;

use crate::game_file::{GameRecord, GameResult};
use gaur::notation::write_fen;
use gaur::rules::Variant;
use gaur::types::{Color, Move, MoveKind, Square};

/// Writes a game and returns the result of writing.
///
/// # Errors
/// If the game is illegal or its start position cannot be represented.
pub(super) fn write(game: &GameRecord, out: &mut impl Write) -> Result<io::Result<()>, String> {
    let start = game.start_position().map_err(|error| error.to_string())?;
    let fen = write_fen(start.board(), game.variant);
    let is_chess960 = game.variant == Variant::Fischerandom;
    let mut board = Board::new();
    let read = board.set_from_fen(&fen, is_chess960);
    read.map_err(|error| error.to_string())?;
    let mut theirs = Game::new(&board);
    theirs.set_outcome(match game.result {
        GameResult::WhiteWins => GameOutcome::WhiteWin(WinType::Adjudication),
        GameResult::BlackWins => GameOutcome::BlackWin(WinType::Adjudication),
        GameResult::Draw => GameOutcome::Draw(DrawType::Adjudication),
    });
    let mut unknown = None;
    let replayed = game.replay(|position, scored| {
        let score = match position.side_to_move() {
            Color::White => scored.score.0,
            Color::Black => -scored.score.0,
        };
        match converted(scored.mv) {
            Some(mv) => theirs.add_move(mv, score as i16),
            None => unknown = Some("a move cannot be represented"),
        }
    });
    replayed.map_err(|error| error.to_string())?;
    match unknown {
        Some(reason) => Err(reason.to_owned()),
        None => Ok(theirs.serialise_into(out)),
    }
}

fn converted(mv: Move) -> Option<TheirMove> {
    let (from, to) = (square(mv.from())?, square(mv.to())?);
    Some(match mv.kind() {
        MoveKind::Quiet | MoveKind::DoublePush | MoveKind::Capture => TheirMove::new(from, to),
        MoveKind::Castle => TheirMove::new_with_flags(from, to, MoveFlags::Castle),
        MoveKind::EnPassant => TheirMove::new_with_flags(from, to, MoveFlags::EnPassant),
        MoveKind::PromoteKnight | MoveKind::CapturePromoteKnight => {
            TheirMove::new_with_promo(from, to, PieceType::Knight)
        }
        MoveKind::PromoteBishop | MoveKind::CapturePromoteBishop => {
            TheirMove::new_with_promo(from, to, PieceType::Bishop)
        }
        MoveKind::PromoteRook | MoveKind::CapturePromoteRook => {
            TheirMove::new_with_promo(from, to, PieceType::Rook)
        }
        MoveKind::PromoteQueen | MoveKind::CapturePromoteQueen => {
            TheirMove::new_with_promo(from, to, PieceType::Queen)
        }
    })
}

/// Converts a square. Both programs number them from a1, b1 to h8.
fn square(square: Square) -> Option<TheirSquare> {
    TheirSquare::new(square.index() as u8)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;
    use viriformat::chess::piece::Colour;
    use viriformat::dataformat::WDL;

    use super::super::random_games::random_game;
    use super::*;

    /// Pieces, side to move, castling rights, half-move clock and number of legal moves, which depends on en passant.
    type State = (Vec<Option<u8>>, Colour, [Option<TheirSquare>; 4], u8, usize);

    fn state(board: &Board) -> State {
        let pieces = (0..64)
            .map(|index| board.piece_at(TheirSquare::new(index).unwrap()))
            .map(|piece| piece.map(|piece| piece.inner()));
        let rights = board.castling_rights();
        (
            pieces.collect(),
            board.turn(),
            [rights.wk, rights.wq, rights.bk, rights.bq],
            board.fifty_move_counter(),
            board.clone().legal_moves().len(),
        )
    }

    /// Plays a game with the crate's own move generator and compares every position.
    #[test]
    fn the_crate_reads_the_same_positions() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let starts = [
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                Variant::Standard,
            ),
            (
                "rnbqkbnr/pp1p1ppp/8/2pPp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
                Variant::Standard,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFha - 0 1",
                Variant::Fischerandom,
            ),
            (
                "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
                Variant::Fischerandom,
            ),
        ];
        let mut results = [0; 3];
        for (fen, variant) in starts.into_iter().cycle().take(40) {
            let game = random_game(fen, variant, &mut random);
            let mut bytes = Vec::new();
            write(&game, &mut bytes).unwrap().unwrap();
            let theirs = Game::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
            results[game.result as usize] += 1;
            let outcome = match game.result {
                GameResult::BlackWins => WDL::Loss,
                GameResult::Draw => WDL::Draw,
                GameResult::WhiteWins => WDL::Win,
            };
            assert_eq!(theirs.outcome(), outcome);
            let mut seen = Vec::new();
            theirs.visit_positions(|board, score| seen.push((state(board), score)));
            let mut expected = Vec::new();
            game.replay(|position, scored| {
                let fen = write_fen(position.board(), variant);
                let mut board = Board::new();
                board
                    .set_from_fen(&fen, variant == Variant::Fischerandom)
                    .unwrap();
                let (pieces, turn, rights, clock, _) = state(&board);
                let setup = position.board().to_setup();
                let own_pieces: Vec<Option<u8>> = Square::all()
                    .map(|square| setup.piece_on(square))
                    .map(|piece| {
                        piece.map(|piece| 6 * piece.color.index() as u8 + piece.kind.index() as u8)
                    })
                    .collect();
                assert!(pieces == own_pieces, "{fen}");
                let moves = position.legal_moves().len();
                let score = match position.side_to_move() {
                    Color::White => scored.score.0,
                    Color::Black => -scored.score.0,
                };
                expected.push(((pieces, turn, rights, clock, moves), score));
            })
            .unwrap();
            assert!(seen == expected, "{fen}");
        }
        assert!(results.iter().all(|&games| games > 3), "{results:?}");
    }
}
