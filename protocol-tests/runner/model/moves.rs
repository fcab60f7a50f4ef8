//! Effect of the host's moves on a state, takebacks that only the next move reveals, and the root moves.

use super::board::MoveReading;
use super::state::{Mode, Progress, State};

/// Maximum number of half-moves of an unannounced takeback on a server.
const MAX_TAKEN_BACK: usize = 6;

impl State {
    pub(super) fn user_move(mut self, text: &str) -> Vec<State> {
        let may_move = match self.mode {
            Mode::Thinking { .. } | Mode::Over { .. } => false,
            Mode::Waiting { engine, .. } => self.board.turn() != Some(engine),
            _ => true,
        };
        let mut states = Vec::new();
        let may_follow_takeback = match self.mode {
            Mode::Thinking { .. } => true,
            Mode::Waiting { .. } => may_move,
            _ => false,
        };
        if self.on_server && may_follow_takeback {
            states.extend(self.after_takeback(text));
        }
        if may_move {
            let moves = match self.board.read(text) {
                MoveReading::Clear(mv) => {
                    states.push(self.after_move(mv));
                    return states;
                }
                MoveReading::Ambiguous(moves) => moves,
                MoveReading::None => Vec::new(),
            };
            states.extend(moves.into_iter().map(|mv| self.clone().after_move(mv)));
        }
        self.refuse(text);
        states.push(self);
        states
    }

    /// Returns the states after a move that reveals a takeback. On a server, only that move and the clocks show it.
    fn after_takeback(&self, text: &str) -> Vec<State> {
        let mut states = Vec::new();
        let mut rested = self.clone();
        rested.stop_search();
        let taken_back = (1..=MAX_TAKEN_BACK).filter_map(|plies| {
            let mut board = rested.board.clone();
            board.take_back(plies).then_some(board)
        });
        // The engine's move may have crossed the takeback of earlier moves.
        let crossed = [2, 4]
            .into_iter()
            .filter_map(|plies| rested.board.with_moves_before_last_removed(plies));
        for board in taken_back.chain(crossed) {
            let mut earlier = rested.clone();
            earlier.board = board;
            earlier.takeback_assumed = true;
            let Mode::Waiting { engine, .. } = earlier.mode else {
                break;
            };
            if earlier.board.turn() == Some(engine) {
                continue;
            }
            let moves = match earlier.board.read(text) {
                MoveReading::Clear(mv) => vec![mv],
                MoveReading::Ambiguous(moves) => moves,
                MoveReading::None => Vec::new(),
            };
            for mv in moves {
                let moved = earlier.clone().after_move(mv);
                if moved.board == self.board {
                    // The same move again changes nothing.
                    states.push(self.clone());
                }
                states.push(moved);
            }
        }
        states
    }

    /// Returns the state after a legal move of the host.
    fn after_move(mut self, mv: shakmaty::Move) -> State {
        self.board.play(mv);
        self.excluded.clear();
        self.root_moves_unclear = false;
        if let Mode::Waiting { engine, .. } = self.mode {
            if !self.claim(engine) {
                self.think(engine);
            }
        } else if matches!(self.mode, Mode::Analysing { .. }) {
            self.analyse();
        }
        self
    }

    /// Handles `exclude` and `include`.
    pub(super) fn root_moves(&mut self, line: &str, include: bool, text: &str) {
        if text.is_empty() || self.board.position().is_none() {
            return self.refuse(line);
        }
        let mut named = Vec::new();
        let mut ambiguous = false;
        if text.split_whitespace().count() > self.board.legal_moves().len().max(1) {
            // More moves than there are.
            return self.refuse(line);
        }
        if text == "all" {
            named = self.board.legal_moves();
        } else {
            for word in text.split_whitespace() {
                match self.board.read(word) {
                    MoveReading::Clear(mv) => named.push(mv),
                    // If one is not a move, the engine refuses all.
                    MoveReading::None => return self.refuse(line),
                    MoveReading::Ambiguous(_) => ambiguous = true,
                }
            }
        }
        if ambiguous || self.root_moves_unclear {
            // The search may restart.
            self.progress = Progress::default();
            if matches!(self.mode, Mode::Analysing { .. }) {
                self.analyse();
            }
        }
        if ambiguous {
            // The set of root moves is unknown from now on; the engine may also refuse the line.
            self.root_moves_unclear = true;
            return self.maybe_refuse(line);
        }
        if text == "all" && include {
            self.root_moves_unclear = false;
        }
        let before = self.excluded.len();
        if include {
            self.excluded.retain(|mv| !named.contains(mv));
        } else {
            for mv in named {
                if !self.excluded.contains(&mv) {
                    self.excluded.push(mv);
                }
            }
        }
        if self.excluded.len() != before {
            self.search_restarts();
        }
    }

    /// Restarts the search with other root moves.
    fn search_restarts(&mut self) {
        match self.mode {
            Mode::Analysing { .. } => self.analyse(),
            Mode::Thinking { .. } => self.search_begins(),
            _ => {}
        }
    }
}
