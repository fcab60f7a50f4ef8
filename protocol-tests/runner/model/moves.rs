//! What the host's moves do to a state, takebacks that show only in the next move, and which root moves count.

use super::board::Reading;
use super::state::{Mode, Progress, State};

/// Half-moves that a takeback on a server may undo unannounced.
const MOST_TAKEN_BACK: usize = 6;

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
                Reading::Clear(mv) => {
                    states.push(self.after_move(mv));
                    return states;
                }
                Reading::Doubtful(moves) => moves,
                Reading::None => Vec::new(),
            };
            states.extend(moves.into_iter().map(|mv| self.clone().after_move(mv)));
        }
        self.refuse(text);
        states.push(self);
        states
    }

    /// On a server a takeback is known only from the move that follows it, and perhaps from the clocks.
    fn after_takeback(&self, text: &str) -> Vec<State> {
        let mut states = Vec::new();
        let mut rested = self.clone();
        rested.settle();
        let taken_back = (1..=MOST_TAKEN_BACK).filter_map(|plies| {
            let mut board = rested.board.clone();
            board.take_back(plies).then_some(board)
        });
        // Our move may have crossed the takeback of those before it.
        let crossed = [2, 4]
            .into_iter()
            .filter_map(|plies| rested.board.without_those_before_last(plies));
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
                Reading::Clear(mv) => vec![mv],
                Reading::Doubtful(moves) => moves,
                Reading::None => Vec::new(),
            };
            for mv in moves {
                let moved = earlier.clone().after_move(mv);
                if moved.board == self.board {
                    // The same move again: nothing has changed.
                    states.push(self.clone());
                }
                states.push(moved);
            }
        }
        states
    }

    /// A legal move of the host has been made.
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

    /// `exclude`, `include`.
    pub(super) fn root_moves(&mut self, line: &str, include: bool, text: &str) {
        if text.is_empty() || self.board.position().is_none() {
            return self.refuse(line);
        }
        let mut named = Vec::new();
        let mut doubtful = false;
        if text.split_whitespace().count() > self.board.legal_moves().len().max(1) {
            // More than there are.
            return self.refuse(line);
        }
        if text == "all" {
            named = self.board.legal_moves();
        } else {
            for word in text.split_whitespace() {
                match self.board.read(word) {
                    Reading::Clear(mv) => named.push(mv),
                    // One that is no move, and all are refused.
                    Reading::None => return self.refuse(line),
                    Reading::Doubtful(_) => doubtful = true,
                }
            }
        }
        if doubtful || self.root_moves_unclear {
            // The search may begin again.
            self.progress = Progress::default();
        }
        if doubtful {
            // Which one it is cannot be told, so nothing is known of the set any more but that it may be refused.
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

    /// The search for the same answer begins again, with other root moves.
    fn search_restarts(&mut self) {
        match self.mode {
            Mode::Analysing { .. } => self.analyse(),
            Mode::Thinking { .. } => self.search_begins(),
            _ => {}
        }
    }
}
