//! Positions of games as the training script reads them: fixed records that need no chess to be understood.
//!
//! The bytes are described in `docs/data.md`.

use crate::game_file::{GameRecord, ScoredMove};
use gaur::board::Board;
use gaur::rules::Position;
use gaur::types::{Color, PieceKind, Score};

/// Pieces for which a record has room.
const PIECES: usize = 32;

/// In the place of a piece that is not there.
const NO_PIECE: u16 = 768;

/// What the next move's outlook counts in that of a move; its own score counts the rest.
const LATER: f64 = 0.9;

/// Centipawns over which the expected result changes by a factor of e, as the training has it.
const POINTS_SCALE: f64 = 200.0;

/// Bytes of a record.
pub(super) const RECORD_BYTES: usize = PIECES * 2 + 8;

/// The records of all positions of a game that a network can learn from, one after the other: the side to move is not
/// in check, the move played is neither capture nor promotion, and no mate was seen.
pub(super) fn records(game: &GameRecord) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut outlooks = outlooks(game).into_iter();
    let replayed = game.replay(|position, scored| {
        let outlook = outlooks.next().unwrap_or_default();
        if teaches(position, scored) {
            bytes.extend(record(game, position, scored, outlook));
        }
    });
    replayed.map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// What White could expect at each move of a game, judged by how the game went on: the result as the scores of the
/// moves to come foretell it, the nearest counting most. (Returns of TD(lambda): Richard Sutton, 1988.)
fn outlooks(game: &GameRecord) -> Vec<f64> {
    let mut outlook = f64::from(game.result as u8) / 2.0;
    let mut color = match game.moves.len() % 2 {
        0 => game.start.side_to_move,
        _ => !game.start.side_to_move,
    };
    let mut outlooks: Vec<f64> = game
        .moves
        .iter()
        .rev()
        .map(|scored| {
            color = !color;
            let expected = expected_result(scored.score);
            let for_white = match color {
                Color::White => expected,
                Color::Black => 1.0 - expected,
            };
            outlook = LATER * outlook + (1.0 - LATER) * for_white;
            outlook
        })
        .collect();
    outlooks.reverse();
    outlooks
}

/// The points that a score promises, 0 to 1.
fn expected_result(score: Score) -> f64 {
    1.0 / (1.0 + (-f64::from(score.0) / POINTS_SCALE).exp())
}

fn teaches(position: &Position, ScoredMove { mv, score }: ScoredMove) -> bool {
    !position.board().in_check() && !mv.is_noisy() && !score.is_mate()
}

fn record(game: &GameRecord, position: &Position, scored: ScoredMove, outlook: f64) -> Vec<u8> {
    let board = position.board();
    let us = board.side_to_move();
    let mut numbers = features(board);
    let pieces = numbers.len();
    numbers.resize(PIECES, NO_PIECE);
    let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
    bytes.extend((scored.score.0 as i16).to_le_bytes());
    let (half_points, outlook) = match us {
        Color::White => (game.result as u8, outlook),
        Color::Black => (2 - game.result as u8, 1.0 - outlook),
    };
    let king = |side: Color| board.king(side).relative_to(side).index() as u8;
    bytes.extend([half_points, pieces as u8, king(us), king(!us)]);
    bytes.extend(((outlook * f64::from(u16::MAX)).round() as u16).to_le_bytes());
    bytes
}

/// Pieces on their squares in the eyes of the side to move: its own first by kind and square, a1 being its left corner.
fn features(board: &Board) -> Vec<u16> {
    let us = board.side_to_move();
    let mut numbers = Vec::with_capacity(PIECES);
    for (side, color) in [us, !us].into_iter().enumerate() {
        for kind in PieceKind::ALL {
            let first = (side * 6 + kind.index()) * 64;
            let squares = board.pieces(color, kind);
            numbers.extend(squares.map(|square| (first + square.relative_to(us).index()) as u16));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_file::{Ending, GameResult};
    use gaur::notation::{parse_fen, parse_move};
    use gaur::rules::Variant;

    fn game(fen: &str, moves: &[(&str, i32)]) -> GameRecord {
        let start = parse_fen(fen).unwrap();
        let mut position = Position::new(Board::from_setup(&start).unwrap(), Variant::Standard);
        let moves = moves.iter().map(|&(text, score)| {
            let mv = parse_move(&position, text).unwrap();
            let _ = position.play(mv);
            ScoredMove {
                mv,
                score: Score(score),
            }
        });
        GameRecord {
            variant: Variant::Standard,
            start,
            nodes: 250,
            moves: moves.collect(),
            result: GameResult::WhiteWins,
            ending: Ending::AdjudicatedWin,
        }
    }

    fn numbers(record: &[u8]) -> Vec<u16> {
        let words = record[..PIECES * 2].as_chunks::<2>().0.iter();
        words.map(|word| u16::from_le_bytes(*word)).collect()
    }

    #[test]
    fn both_sides_see_the_board_from_their_own_end() {
        let bytes = records(&game(
            "4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1",
            &[("a2a3", 700), ("e8e7", -650)],
        ))
        .unwrap();
        let [white, black] = bytes.as_chunks::<RECORD_BYTES>().0 else {
            panic!("two records")
        };
        // Pawn a2, rook a1, king e1; the other's king e8.
        assert_eq!(numbers(white)[..5], [8, 192, 324, 764, NO_PIECE]);
        assert_eq!(
            white[64..70],
            [(700u16 & 255) as u8, (700u16 >> 8) as u8, 2, 4, 4, 4]
        );
        // Black's king on e8 is its e1; White's pawn on a3 is its a6, the rook on a1 its a8.
        assert_eq!(
            numbers(black)[..5],
            [324, 384 + 40, 576 + 56, 764, NO_PIECE]
        );
        assert_eq!(i16::from_le_bytes([black[64], black[65]]), -650);
        assert_eq!(black[66..70], [0, 4, 4, 4]);
        let expected = |score: f64| 1.0 / (1.0 + (-score / 200.0).exp());
        let [first, second] = [white, black]
            .map(|record| f64::from(u16::from_le_bytes([record[70], record[71]])) / 65535.0);
        let last = 0.9 + 0.1 * expected(650.0);
        assert!((1.0 - second - last).abs() < 1e-4, "{second}");
        assert!(
            (first - 0.9 * last - 0.1 * expected(700.0)).abs() < 1e-4,
            "{first}"
        );
    }

    #[test]
    fn checks_captures_and_mates_teach_nothing() {
        let taught = |fen, mv, score| records(&game(fen, &[(mv, score)])).unwrap().len();
        let quiet = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1";
        assert_eq!(taught(quiet, "a1a2", 500), RECORD_BYTES);
        assert_eq!(taught(quiet, "e4d5", 500), 0);
        assert_eq!(taught(quiet, "a1a2", 31_900), 0);
        assert_eq!(taught("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "e1f1", -500), 0);
    }
}
