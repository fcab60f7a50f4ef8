//! Follows a conversation line by line, and knows what must hold.
//!
//! Lines to the engine take effect when it reads them, which nobody sees. So the model keeps every state that the
//! engine may be in: for each line it says, every number of lines that it may have obeyed by then. A line that fits
//! no state is an error of the engine. Whatever is owed (pongs, refusals, results) must be said before the next line
//! is obeyed; so a pong makes it sharp what has been read.
//!
//! | file | what |
//! |---|---|
//! | `board` | the game, by a chess library that knows nothing of the engine |
//! | `state` | one possible state of the engine |
//! | `obey` | what a line from the host does to it |
//! | `moves` | what its moves do, and takebacks and root moves |
//! | `speak` | what a line from the engine tells of it |
//! | `lines` | the forms of thinking lines and `stat01` |
//! | `self_test` | what the model must see |

mod board;
mod lines;
mod moves;
mod obey;
mod self_test;
mod speak;
mod state;

pub use board::Board;
pub use self_test::self_test;

use obey::END_OF_INPUT;
use state::{Mode, State};

/// More states than this at once are a mistake of the model or of the conversation.
const MOST_STATES: usize = 20_000;

/// The conversation so far.
pub struct Model {
    /// Lines to the engine, of which the first may have been forgotten.
    sent: Vec<String>,
    /// What the engine may be doing.
    states: Vec<State>,
}

impl Model {
    /// An engine that has just been started.
    pub fn new() -> Model {
        Model {
            sent: Vec::new(),
            states: vec![State::new()],
        }
    }

    /// Takes note of a line to the engine.
    pub fn sent(&mut self, line: &str) {
        self.sent.push(line.to_string());
    }

    /// Takes note of the end of what is sent to the engine.
    pub fn input_ended(&mut self) {
        self.sent.push(END_OF_INPUT.to_string());
    }

    /// Takes note of a line from the engine; an error says why it must not come.
    pub fn received(&mut self, line: &str) -> Result<(), String> {
        let mut fitting = Vec::new();
        let mut reason = None;
        self.for_each_state(|state| match state.hear(line) {
            Ok(next) => {
                // Comments repeat themselves in many states.
                if !fitting.contains(&next) {
                    fitting.push(next);
                }
            }
            Err(error) => reason = Some(error),
        })?;
        if fitting.is_empty() {
            let reason = reason.unwrap_or_default();
            return Err(format!("`{line}` must not come here: {reason}"));
        }
        self.states = fitting;
        Ok(())
    }

    /// What the engine still has to say if it has read everything; `None` if it may be silent.
    pub fn pending(&self) -> Result<Option<String>, String> {
        let mut least: Option<Vec<String>> = None;
        let all = self.sent.len();
        self.for_each_state(|state| {
            let debts = state.debts();
            let waits = state.obeyed < all && !state.is_free();
            if (state.obeyed == all || waits)
                && least.as_ref().is_none_or(|known| debts.len() < known.len())
            {
                least = Some(debts);
            }
        })?;
        Ok(least
            .filter(|debts| !debts.is_empty())
            .map(|debts| debts.join(", ")))
    }

    /// Everything sent has been obeyed: what the engine says next, it says as one who knows.
    pub fn settle(&mut self) -> Result<(), String> {
        let all = self.sent.len();
        let mut settled: Vec<State> = Vec::new();
        let mut pending = None;
        self.for_each_state(|state| {
            if state.obeyed == all && state.is_free() {
                if !settled.contains(state) {
                    settled.push(state.clone());
                }
            } else if !state.is_free() {
                pending = state.pending.front().map(|pending| format!("{pending:?}"));
            }
        })?;
        if settled.is_empty() {
            return Err(format!("unsaid: {}", pending.unwrap_or_default()));
        }
        self.states = settled;
        Ok(())
    }

    /// The engine is gone, after `quit` or the end of input: it must have given all answers.
    pub fn ended(&self) -> Result<(), String> {
        let mut well = false;
        self.for_each_state(|state| well |= state.mode == Mode::Gone && state.is_free())?;
        if well {
            Ok(())
        } else {
            Err("it has left without saying what it owed".to_string())
        }
    }

    /// The game, as far as the engine is likely to have read.
    pub fn board(&self) -> Board {
        self.latest().board
    }

    /// The root moves that a search would consider now.
    pub fn root_moves(&self) -> Vec<String> {
        let state = self.latest();
        let mut moves = state.considered();
        if moves.is_empty() {
            moves = state.board.legal_moves();
        }
        moves
            .into_iter()
            .map(|mv| state.board.coordinates(mv))
            .collect()
    }

    /// A state in which as much as possible has been obeyed.
    fn latest(&self) -> State {
        let mut latest: Option<State> = None;
        let looked = self.for_each_state(|state| {
            if latest
                .as_ref()
                .is_none_or(|known| known.obeyed < state.obeyed)
            {
                latest = Some(state.clone());
            }
        });
        // Whoever is lost is found out by the next line; until then any state will do.
        looked.unwrap_or_default();
        latest.unwrap_or_else(State::new)
    }

    /// Whether a move of the host would be taken now, if it is legal.
    pub fn host_may_move(&self) -> bool {
        let state = self.latest();
        match state.inner() {
            Mode::Waiting { engine, .. } => state.board.turn() == Some(!*engine),
            Mode::Force | Mode::Analysing { .. } => true,
            _ => false,
        }
    }

    /// Whether some state has the engine owing a move, with nothing left to obey.
    pub fn may_be_thinking(&self) -> bool {
        let mut thinking = false;
        let all = self.sent.len();
        let looked = self.for_each_state(|state| {
            thinking |= state.obeyed == all && matches!(state.mode, Mode::Thinking { .. });
        });
        looked.is_ok() && thinking
    }

    /// Visits every state that the engine may be in, from those known on.
    fn for_each_state(&self, mut visit: impl FnMut(&State)) -> Result<(), String> {
        // The likeliest first.
        let mut open: Vec<State> = self.states.iter().rev().cloned().collect();
        // By different ways to the same state, which is visited once.
        let mut visited: Vec<Vec<State>> = Vec::new();
        let mut seen = 0;
        while let Some(state) = open.pop() {
            if visited.len() <= state.obeyed {
                visited.resize(state.obeyed + 1, Vec::new());
            }
            if visited[state.obeyed].contains(&state) {
                continue;
            }
            seen += 1;
            if seen > MOST_STATES {
                return Err("the model has lost its way among too many states".to_string());
            }
            visit(&state);
            if state.is_free()
                && let Some(line) = self.sent.get(state.obeyed)
            {
                open.extend(state.obey(line));
            }
            visited[state.obeyed].push(state);
        }
        Ok(())
    }
}
