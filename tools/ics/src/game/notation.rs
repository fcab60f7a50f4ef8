//! Moves as engines write them and as servers read them.

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, Chess, Move, Position};

/// Reads a move of an engine: coordinates with or without `-` and `=`, castling in any form, or algebraic notation.
pub(super) fn read(text: &str, position: &Chess, mode: CastlingMode) -> Option<Move> {
    let text = text.trim();
    read_castling(text, position)
        .or_else(|| read_coordinates(text, position, mode))
        .or_else(|| read_san(text, position))
}

/// Returns the text for a server: `e2e4`, `e7e8=q`, `O-O`.
pub(super) fn for_server(mv: Move) -> String {
    match (mv.castling_side(), mv.from()) {
        (Some(side), _) => castling(side).to_string(),
        (None, Some(from)) => {
            let promotion = mv.promotion().map(|role| format!("={}", role.char()));
            format!("{from}{}{}", mv.to(), promotion.unwrap_or_default())
        }
        // Drops do not occur in chess.
        (None, None) => mv.to_string(),
    }
}

/// Returns the text for an engine: `e2e4`, `e7e8q`, `e1g1`; castling in Fischer Random chess: `O-O`.
pub(super) fn for_engine(mv: Move, mode: CastlingMode) -> String {
    match mv.castling_side() {
        Some(side) if mode.is_chess960() => castling(side).to_string(),
        _ => UciMove::from_standard(mv).to_string(),
    }
}

fn castling(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }
}

fn read_castling(text: &str, position: &Chess) -> Option<Move> {
    let letters = text.trim_end_matches(['+', '#']).replace(['0', 'o'], "O");
    let side = match letters.as_str() {
        "O-O" => CastlingSide::KingSide,
        "O-O-O" => CastlingSide::QueenSide,
        _ => return None,
    };
    position
        .legal_moves()
        .into_iter()
        .find(|mv| mv.castling_side() == Some(side))
}

fn read_coordinates(text: &str, position: &Chess, mode: CastlingMode) -> Option<Move> {
    let plain: String = text
        .chars()
        .filter(|letter| !matches!(letter, '-' | '='))
        .collect();
    let uci: UciMove = plain.to_ascii_lowercase().parse().ok()?;
    let mv = uci.to_move(position).ok()?;
    // In Fischer Random chess, the squares of a king's move are that move: e1g1 is castling in normal chess only.
    if mode.is_chess960() && mv.is_castle() && UciMove::from_chess960(mv) != uci {
        return None;
    }
    position.is_legal(mv).then_some(mv)
}

/// Reads a move in algebraic notation.
fn read_san(text: &str, position: &Chess) -> Option<Move> {
    let san: San = text.trim_end_matches(['+', '#', '!', '?']).parse().ok()?;
    san.to_move(position).ok()
}
