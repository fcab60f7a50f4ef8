//! Follows the game from the lines of a script, with a chess library that is independent of the engine.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position, PositionError};

/// The game according to the lines to and from the engine.
pub struct Referee {
    /// Positions of the game, the current one last; empty after an impossible position.
    positions: Vec<Chess>,
    castling: CastlingMode,
    editing: bool,
}

impl Referee {
    /// Returns a game at the start position.
    pub fn new() -> Referee {
        Referee {
            positions: vec![Chess::default()],
            castling: CastlingMode::Standard,
            editing: false,
        }
    }

    /// Records a line to the engine.
    pub fn sent(&mut self, line: &str) {
        let line = line.trim();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if self.editing {
            self.editing = verb != ".";
            return;
        }
        match verb {
            "new" => *self = Referee::new(),
            "variant" if rest == "fischerandom" => self.castling = CastlingMode::Chess960,
            "variant" => self.castling = CastlingMode::Standard,
            "setboard" => self.set(rest),
            "edit" => self.editing = true,
            "usermove" => self.play(rest),
            "undo" => self.take_back(1),
            "remove" => self.take_back(2),
            word if rest.is_empty() => self.play(word),
            _ => {}
        }
    }

    /// Records a line from the engine.
    pub fn received(&mut self, line: &str) {
        if let Some(text) = line.strip_prefix("move ") {
            self.play(text);
        }
    }

    /// Sets the position. In an impossible one, no move is legal.
    pub fn set(&mut self, fen: &str) {
        let position = Fen::from_ascii(fen.trim().as_bytes()).ok().and_then(|fen| {
            fen.into_position(self.castling)
                .or_else(PositionError::ignore_too_much_material)
                .ok()
        });
        self.positions = position.into_iter().collect();
    }

    fn take_back(&mut self, plies: usize) {
        if self.positions.len() > plies {
            self.positions.truncate(self.positions.len() - plies);
        }
    }

    fn play(&mut self, text: &str) {
        if let Some(position) = self.positions.last()
            && let Some(chosen) = read_move(position, text)
        {
            let mut next = position.clone();
            next.play_unchecked(chosen);
            self.positions.push(next);
        }
    }

    /// Returns `true` for a legal move, in coordinates or SAN.
    pub fn is_legal(&self, text: &str) -> bool {
        self.positions
            .last()
            .is_some_and(|position| read_move(position, text).is_some())
    }

    /// Returns `true` for consecutive legal moves. `!` or `?` may follow the last one, and columns that end in a tab
    /// may precede the first.
    pub fn is_legal_line(&self, text: &str) -> bool {
        let text = match text.split_once('\t') {
            Some((columns, line)) if columns.split(' ').all(|word| word.parse::<u64>().is_ok()) => {
                line
            }
            _ => text,
        };
        let Some(mut position) = self.positions.last().cloned() else {
            return false;
        };
        let mut words = text.split_whitespace().peekable();
        let any = words.peek().is_some();
        while let Some(word) = words.next() {
            let last = words.peek().is_none();
            let bare = word.trim_end_matches(['!', '?']);
            if last && bare.is_empty() {
                break;
            }
            if !last && bare.len() < word.len() {
                return false;
            }
            match read_move(&position, bare) {
                Some(chosen) => position.play_unchecked(chosen),
                None => return false,
            }
        }
        any
    }

    /// Returns a legal move in coordinates.
    pub fn some_legal_move(&self) -> Option<String> {
        let position = self.positions.last()?;
        let first = position.legal_moves().into_iter().next()?;
        Some(first.to_uci(self.castling).to_string())
    }

    /// Returns the number of legal moves.
    pub fn legal_moves(&self) -> usize {
        self.positions
            .last()
            .map_or(0, |position| position.legal_moves().len())
    }
}

fn read_move(position: &Chess, text: &str) -> Option<Move> {
    let found = match UciMove::from_ascii(text.as_bytes()) {
        Ok(UciMove::Put { .. } | UciMove::Null) => return None,
        Ok(coordinates) => coordinates.to_move(position).ok()?,
        Err(_) => San::from_ascii(text.trim_end_matches(['+', '#']).as_bytes())
            .ok()?
            .to_move(position)
            .ok()?,
    };
    position.is_legal(found).then_some(found)
}
