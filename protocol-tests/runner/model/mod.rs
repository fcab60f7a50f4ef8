//! Protocol model: follows a conversation line by line and rejects every line that the engine must not send.
//!
//! A line to the engine takes effect when the engine reads it, which is invisible from outside. The model therefore
//! keeps every state that the engine may be in: one for each number of lines that it may have read. A line that fits no
//! state is an error of the engine. The engine must send pending answers (pongs, refusals, results) before it handles
//! the next line; a pong therefore shows how much the engine has read.
//!
//! | file | content |
//! |---|---|
//! | `board` | the game, followed by a chess library that is independent of the engine |
//! | `lenient_fen` | incomplete FENs, which an engine may accept or refuse |
//! | `state` | one possible state of the engine |
//! | `host_lines` | the effect of a line from the host on a state |
//! | `host_words` | words that the engine must, may or must not accept |
//! | `moves` | the effect of moves, takebacks and root moves on a state |
//! | `engine_lines` | the effect of a line from the engine on a state |
//! | `lines` | the forms of thinking lines and `stat01` |
//! | `self_test` | conversations that the model must accept or reject |

mod board;
mod engine_lines;
mod host_lines;
mod host_words;
mod lenient_fen;
mod lines;
mod moves;
mod self_test;
mod state;

pub use board::Board;
pub use self_test::self_test;

use host_lines::END_OF_INPUT;
use state::{Mode, State};

/// Number of simultaneous states at which the model or the conversation must be wrong.
const MAX_STATES: usize = 20_000;

/// Model of one conversation.
pub struct Model {
    /// Lines sent to the engine.
    sent: Vec<String>,
    /// States that the engine may be in.
    states: Vec<State>,
}

impl Model {
    /// Returns the model of an engine that has just been started.
    pub fn new() -> Model {
        Model {
            sent: Vec::new(),
            states: vec![State::new()],
        }
    }

    /// Records a line to the engine.
    pub fn sent(&mut self, line: &str) {
        self.sent.push(line.to_string());
    }

    /// Records the end of the engine's input.
    pub fn input_ended(&mut self) {
        self.sent.push(END_OF_INPUT.to_string());
    }

    /// Checks a line from the engine; an error states why it must not come.
    pub fn received(&mut self, line: &str) -> Result<(), String> {
        let mut fitting = Vec::new();
        let mut reason = None;
        self.for_each_state(|state| match state.apply_engine_line(line) {
            Ok(next) => {
                // Many states accept a comment and stay as they are.
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

    /// Returns the answers that the engine must still send if it has read everything; `None` if there are none.
    pub fn pending(&self) -> Result<Option<String>, String> {
        let mut least: Option<Vec<String>> = None;
        let all = self.sent.len();
        self.for_each_state(|state| {
            let due_answers = state.due_answers();
            let waits = state.lines_read < all && !state.is_free();
            if (state.lines_read == all || waits)
                && least
                    .as_ref()
                    .is_none_or(|known| due_answers.len() < known.len())
            {
                least = Some(due_answers);
            }
        })?;
        Ok(least
            .filter(|due_answers| !due_answers.is_empty())
            .map(|due_answers| due_answers.join(", ")))
    }

    /// Keeps only the states in which the engine has read all lines.
    pub fn assume_all_read(&mut self) -> Result<(), String> {
        let all = self.sent.len();
        let mut remaining: Vec<State> = Vec::new();
        let mut pending = None;
        self.for_each_state(|state| {
            if state.lines_read == all && state.is_free() {
                if !remaining.contains(state) {
                    remaining.push(state.clone());
                }
            } else if !state.is_free() {
                pending = state.pending.front().map(|pending| format!("{pending:?}"));
            }
        })?;
        if remaining.is_empty() {
            return Err(format!("missing: {}", pending.unwrap_or_default()));
        }
        self.states = remaining;
        Ok(())
    }

    /// Checks that the engine has sent all answers, after it has ended.
    pub fn ended(&self) -> Result<(), String> {
        let mut is_complete = false;
        self.for_each_state(|state| is_complete |= state.mode == Mode::Gone && state.is_free())?;
        if is_complete {
            Ok(())
        } else {
            Err("it ended without sending all answers".to_string())
        }
    }

    /// Returns the game after as many lines as the engine may have read.
    pub fn board(&self) -> Board {
        self.latest().board
    }

    /// Returns the root moves of a search that started now, in coordinates.
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

    /// Returns the state with the most lines read.
    fn latest(&self) -> State {
        let mut latest: Option<State> = None;
        let visited = self.for_each_state(|state| {
            if latest
                .as_ref()
                .is_none_or(|known| known.lines_read < state.lines_read)
            {
                latest = Some(state.clone());
            }
        });
        // If no state can be found, the next line reports it; until then, any state will do.
        visited.unwrap_or_default();
        latest.unwrap_or_else(State::new)
    }

    /// Returns `true` if the engine would accept a legal move of the host now.
    pub fn host_may_move(&self) -> bool {
        let state = self.latest();
        match state.inner() {
            Mode::Waiting { engine, .. } => state.board.turn() == Some(!*engine),
            Mode::Force | Mode::Analysing { .. } => true,
            _ => false,
        }
    }

    /// Returns `true` if the engine may be thinking about a move with all lines read.
    pub fn may_be_thinking(&self) -> bool {
        let mut thinking = false;
        let all = self.sent.len();
        let visited = self.for_each_state(|state| {
            thinking |= state.lines_read == all && matches!(state.mode, Mode::Thinking { .. });
        });
        visited.is_ok() && thinking
    }

    /// Visits every state that the engine may be in, starting from the stored states.
    fn for_each_state(&self, mut visit: impl FnMut(&State)) -> Result<(), String> {
        // The most likely ones first.
        let mut open: Vec<State> = self.states.iter().rev().cloned().collect();
        // Different paths lead to the same state, which is visited once.
        let mut visited: Vec<Vec<State>> = Vec::new();
        let mut seen = 0;
        while let Some(state) = open.pop() {
            if visited.len() <= state.lines_read {
                visited.resize(state.lines_read + 1, Vec::new());
            }
            if visited[state.lines_read].contains(&state) {
                continue;
            }
            seen += 1;
            if seen > MAX_STATES {
                return Err("the model has too many states".to_string());
            }
            visit(&state);
            if state.is_free()
                && let Some(line) = self.sent.get(state.lines_read)
            {
                open.extend(state.apply_host_line(line));
            }
            visited[state.lines_read].push(state);
        }
        Ok(())
    }
}
