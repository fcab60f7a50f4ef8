//! Moves, pieces, scores and results in words and in the notation for people.

use crate::board::Board;
use crate::messages::SearchInfo;
use crate::notation::{PgnResult, write_san};
use crate::rules::{DrawReason, Outcome, Position};
use crate::types::{CastlingSide, Color, Move, PieceKind, Score, Square};

/// Reply to commands that need a position. The client sends none that is illegal.
pub(super) const NO_POSITION: &str =
    "There is no legal position on the board. Type new, or setboard and another FEN.";

/// Reply to commands that need a game that continues.
pub(super) const GAME_OVER: &str = "The game is over. Type new for another game, or undo.";

/// Reply to commands that would disturb the search for a move.
pub(super) const IS_THINKING: &str = "Gaur is thinking. Type ? to make it move now.";

/// Returns a move with its number, such as `12. Nf3` or `12... Nf6`.
pub(super) fn numbered(position: &Position, mv: Move) -> String {
    let number = position.board().fullmove_number();
    let dots = match position.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{number}{dots} {}", write_san(position, mv))
}

/// Returns a line of moves with their numbers.
pub(super) fn line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        words.push(match position.side_to_move() {
            Color::Black if !words.is_empty() => write_san(&position, mv),
            _ => numbered(&position, mv),
        });
        let _ = position.play(mv);
    }
    words.join(" ")
}

/// Returns a move in words, such as `pawn e5 takes knight on d6, check`.
pub(super) fn in_words(position: &Position, mv: Move) -> String {
    let board = position.board();
    let mut text = match board.piece_on(mv.from()) {
        _ if mv.is_castle() => match mv.castling_side() {
            CastlingSide::HSide => "castles kingside".to_owned(),
            CastlingSide::ASide => "castles queenside".to_owned(),
        },
        Some(piece) => format!("{} {} {}", piece.kind.name(), mv.from(), step(board, mv)),
        None => return write_san(position, mv),
    };
    if let Some(kind) = mv.promotion() {
        text.push_str(&format!(", promotes to {}", kind.name()));
    }
    let san = write_san(position, mv);
    if san.ends_with('#') {
        text.push_str(", checkmate");
    } else if san.ends_with('+') {
        text.push_str(", check");
    }
    text
}

fn step(board: &Board, mv: Move) -> String {
    match board.piece_on(mv.to()) {
        Some(victim) => format!("takes {} on {}", victim.kind.name(), mv.to()),
        None if mv.is_capture() => format!("takes pawn en passant on {}", mv.to()),
        None => format!("to {}", mv.to()),
    }
}

/// Returns the pieces of a side, such as `White: king e1, rooks a1 h1, pawn e4`.
pub(super) fn piece_list(board: &Board, color: Color) -> String {
    let kinds = PieceKind::ALL.into_iter().rev().filter_map(|kind| {
        let mut squares: Vec<Square> = board.pieces(color, kind).collect();
        squares.sort_by_key(|square| (square.file().index(), square.rank().index()));
        let plural = if squares.len() > 1 { "s" } else { "" };
        let names: Vec<String> = squares.iter().map(Square::to_string).collect();
        (!names.is_empty()).then(|| format!("{}{plural} {}", kind.name(), names.join(" ")))
    });
    format!("{color}: {}", kinds.collect::<Vec<_>>().join(", "))
}

/// Returns a score for the side to move as an assessment, such as `White is 0.35 better` or `Black mates in 3`.
pub(super) fn assessment(score: Score, side: Color) -> String {
    let better = if score.0 < 0 { !side } else { side };
    match score.mate_distance() {
        Some(plies) => {
            let moves = (plies.abs() + 1) / 2;
            format!("{better} mates in {moves}")
        }
        None if score.is_tablebase() => format!("{better} wins by tablebase"),
        None if score.0 == 0 => "equal".to_owned(),
        None => format!(
            "{better} is {}.{:02} better",
            score.0.abs() / 100,
            score.0.abs() % 100
        ),
    }
}

/// Returns depth, score and principal variation of a thinking line.
pub(super) fn thinking(info: &SearchInfo, position: &Position) -> String {
    format!(
        "depth {}, {}: {}",
        info.depth.max(1),
        assessment(info.score, position.side_to_move()),
        line(position, &info.pv)
    )
}

/// Returns the outcome of a game in a sentence.
pub(super) fn outcome_text(outcome: Outcome) -> String {
    let reason = match outcome {
        Outcome::Mate { winner } => {
            let result = PgnResult::win(winner).text();
            return format!("Checkmate: {winner} wins ({result}).");
        }
        Outcome::Draw(DrawReason::Stalemate) => "by stalemate",
        Outcome::Draw(DrawReason::Repetition) => "by repetition of the position",
        Outcome::Draw(DrawReason::FiftyMoves) => "by the fifty-move rule",
        Outcome::Draw(DrawReason::InsufficientMaterial) => "because no side can mate",
    };
    format!("The game is drawn {reason} (1/2-1/2).")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_fen, parse_move};
    use crate::rules::Variant;
    use crate::types::Ply;

    fn position(fen: &str) -> Position {
        Position::from_setup(&parse_fen(fen).unwrap(), Variant::Standard).unwrap()
    }

    #[test]
    fn moves_are_described_in_words() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (fen, san, words) in [
            (castling, "O-O", "castles kingside"),
            (castling, "O-O-O", "castles queenside"),
            (castling, "Rxh8", "rook h1 takes rook on h8, check"),
            (castling, "Ke2", "king e1 to e2"),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
                "exd6",
                "pawn e5 takes pawn en passant on d6",
            ),
            (
                "7k/P7/8/8/8/8/8/R6K w - - 0 1",
                "a8=N",
                "pawn a7 to a8, promotes to knight",
            ),
            (
                "7k/R7/8/8/8/8/8/1R5K w - - 0 1",
                "Rb8",
                "rook b1 to b8, checkmate",
            ),
        ] {
            let position = position(fen);
            let mv = parse_move(&position, san).unwrap();
            assert_eq!(in_words(&position, mv), words);
        }
    }

    #[test]
    fn pieces_are_listed_by_side() {
        let board = position("4k3/8/8/8/4P3/8/3P4/R3K2R w KQ - 0 1");
        let board = board.board();
        assert_eq!(
            piece_list(board, Color::White),
            "White: king e1, rooks a1 h1, pawns d2 e4"
        );
        assert_eq!(piece_list(board, Color::Black), "Black: king e8");
    }

    #[test]
    fn lines_are_numbered() {
        let start = Position::standard();
        let after = |texts: &str| {
            let mut position = start.clone();
            let moves = texts.split(' ').map(|text| {
                let mv = parse_move(&position, text).unwrap();
                let _ = position.play(mv);
                mv
            });
            moves.collect::<Vec<_>>()
        };
        let moves = after("e4 e5 Nf3");
        assert_eq!(line(&start, &moves), "1. e4 e5 2. Nf3");
        let mut second = start.clone();
        let _ = second.play(moves[0]);
        assert_eq!(line(&second, &moves[1..]), "1... e5 2. Nf3");
        // A line that does not belong to the position is omitted.
        assert_eq!(line(&second, &moves), "");
    }

    #[test]
    fn scores_name_the_better_side() {
        for (score, side, text) in [
            (Score(35), Color::White, "White is 0.35 better"),
            (Score(-135), Color::White, "Black is 1.35 better"),
            (Score(-5), Color::Black, "White is 0.05 better"),
            (Score(0), Color::Black, "equal"),
            (
                Score::tablebase_win_in(Ply(5)),
                Color::Black,
                "Black wins by tablebase",
            ),
            (Score::mate_in(Ply(5)), Color::Black, "Black mates in 3"),
            (Score::mated_in(Ply(2)), Color::Black, "White mates in 1"),
        ] {
            assert_eq!(assessment(score, side), text);
        }
    }
}
