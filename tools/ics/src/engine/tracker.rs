//! Position of the engine's game, for algebraic notation and for a game that must begin again.

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, Chess, Move};

use super::types::GameSetup;
use super::variant::Variant;

/// Position and moves of a game.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    /// `None` for other variants than chess and after a move that cannot be read.
    position: Option<Chess>,
    mode: CastlingMode,
    moves: Vec<String>,
    white_to_move: bool,
}

impl Tracker {
    /// Creates the position at the start of the game, before its moves.
    pub(super) fn new(setup: &GameSetup) -> Tracker {
        let mode = CastlingMode::from_chess960(setup.variant == Variant::FischerRandom);
        let position = match (&setup.variant, &setup.start_fen) {
            (Variant::Other(_), _) => None,
            (_, None) => Some(Chess::default()),
            (_, Some(fen)) => read_position(fen, mode),
        };
        let is_black = |fen: &String| fen.split_whitespace().nth(1) == Some("b");
        Tracker {
            position,
            mode,
            moves: Vec::new(),
            white_to_move: !setup.start_fen.as_ref().is_some_and(is_black),
        }
    }

    /// Creates the position after the moves of the game.
    pub(super) fn after(setup: &GameSetup) -> Tracker {
        let mut tracker = Tracker::new(setup);
        for text in &setup.moves {
            tracker.push(text);
        }
        tracker
    }

    /// Returns `true` if White is to move.
    pub(super) fn white_to_move(&self) -> bool {
        self.white_to_move
    }

    /// Returns the moves so far: coordinates, or the given text if the position is not known.
    pub(super) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Makes a move. Returns it in algebraic notation, or `None` if the position is not known or the move is illegal.
    pub(super) fn push(&mut self, text: &str) -> Option<String> {
        self.white_to_move = !self.white_to_move;
        let played = self.position.take().and_then(|mut position| {
            let mv = read_move(text, &position, self.mode)?;
            let coordinates = coordinates(mv, self.mode);
            let san = SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
            Some((position, coordinates, san))
        });
        let Some((position, coordinates, san)) = played else {
            self.moves.push(text.to_string());
            return None;
        };
        self.position = Some(position);
        self.moves.push(coordinates);
        Some(san)
    }
}

fn read_position(fen: &str, mode: CastlingMode) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(mode).ok()
}

fn read_move(text: &str, position: &Chess, mode: CastlingMode) -> Option<Move> {
    let san = text
        .trim_end_matches(['+', '#', '!', '?'])
        .replace("0-0", "O-O")
        .replace("O-0", "O-O");
    let plain: String = text
        .chars()
        .filter(|letter| !matches!(letter, '-' | '='))
        .collect();
    if let Ok(uci) = plain.to_ascii_lowercase().parse::<UciMove>()
        && let Ok(mv) = uci.to_move(position)
        && (mode == CastlingMode::Standard || !mv.is_castle() || UciMove::from_chess960(mv) == uci)
    {
        return Some(mv);
    }
    san.parse::<San>().ok()?.to_move(position).ok()
}

fn coordinates(mv: Move, mode: CastlingMode) -> String {
    match mv.castling_side() {
        Some(CastlingSide::KingSide) if mode.is_chess960() => "O-O".into(),
        Some(CastlingSide::QueenSide) if mode.is_chess960() => "O-O-O".into(),
        _ => UciMove::from_standard(mv).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_both_notations() {
        let mut tracker = Tracker::new(&GameSetup::default());
        for (text, san) in [
            ("e2e4", "e4"),
            ("e7-e5", "e5"),
            ("Nf3", "Nf3"),
            ("b8c6", "Nc6"),
            ("f1b5", "Bb5"),
        ] {
            assert_eq!(tracker.push(text).as_deref(), Some(san));
        }
        assert_eq!(tracker.push("g8f6").as_deref(), Some("Nf6"));
        assert_eq!(tracker.push("e1g1").as_deref(), Some("O-O"));
        assert_eq!(tracker.moves().last().map(String::as_str), Some("e1g1"));
        assert!(!tracker.white_to_move());
    }

    #[test]
    fn castling_has_letters_in_fischer_random_chess() {
        let setup = GameSetup {
            variant: Variant::FischerRandom,
            start_fen: Some("rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1".into()),
            ..GameSetup::default()
        };
        for text in ["O-O", "b1h1", "0-0"] {
            let mut tracker = Tracker::new(&setup);
            assert_eq!(tracker.push(text).as_deref(), Some("O-O"), "{text}");
            assert_eq!(tracker.moves(), ["O-O"]);
        }
    }

    #[test]
    fn an_illegal_move_leaves_no_position() {
        let mut tracker = Tracker::new(&GameSetup::default());
        assert_eq!(tracker.push("e2e5"), None);
        assert_eq!(tracker.push("e7e5"), None);
        assert_eq!(tracker.moves(), ["e2e5", "e7e5"]);
        assert!(tracker.white_to_move());
    }
}
