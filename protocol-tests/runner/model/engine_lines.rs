//! Effect of a line from the engine on a state, or the reason why it must not come there.

use shakmaty::{Move, Position};

use super::lines::{is_legal_line, looks_like_thinking, status, thinking};
use super::state::{Mode, Pending, State};

/// Length up to which the engine echoes a line in full.
const MAX_ECHO_LENGTH: usize = 60;

/// Commands for messages to other users of a server.
const CHAT: [&str; 3] = ["tellopponent ", "tellall ", "tellothers "];

impl State {
    /// Returns the state after this line, or the reason why it must not come here.
    pub fn apply_engine_line(&self, line: &str) -> Result<State, String> {
        if self.on_server && CHAT.iter().any(|word| line.starts_with(word)) {
            return Ok(self.clone());
        }
        // A file is written while later lines are answered.
        if !self.saves.is_empty()
            && line.starts_with("tellusererror ")
            && line.ends_with("; the settings were not saved")
        {
            let mut state = self.clone();
            state.saves.remove(0);
            return Ok(state);
        }
        // A pending answer, possibly after optional ones that were omitted.
        for (index, pending) in self.pending.iter().enumerate() {
            if let Some(rest) = answers(pending, line, self) {
                let mut state = self.clone();
                state.pending.drain(..=index);
                // After a `protover` whose number the engine may refuse.
                state.is_gui |= line.starts_with("feature myname=");
                if let Some(text) = line.strip_prefix("Hint: ") {
                    state.guess = state.board.engine_move(text);
                }
                if let Some(rest) = rest {
                    state.pending.push_front(rest);
                }
                return Ok(state);
            }
            if !pending.is_optional() {
                // A pong that waits for settings comes when they are applied, whatever else is pending.
                if let Some(text) = line.strip_prefix("pong ") {
                    let mut state = self.clone();
                    if state.odd_or_held_pong(text).is_ok() {
                        return Ok(state);
                    }
                }
                // Comments may stand anywhere but in a list.
                return if line.starts_with('#') && *pending != Pending::Book {
                    self.comment()
                } else {
                    Err(format!("{pending:?} is due first"))
                };
            }
        }
        let mut state = self.clone();
        if line.starts_with('#') {
            return state.comment();
        }
        if let Some(text) = line.strip_prefix("pong ") {
            // What is pending belongs to the last line read, which comes after the ping.
            state.odd_or_held_pong(text)?;
            return Ok(state);
        }
        state.pending.clear();
        if let Some(text) = line.strip_prefix("move ") {
            state.own_move(text)?;
        } else if let Some(text) = line.strip_prefix("stat01: ") {
            state.status(text)?;
        } else if let Some(text) = line.strip_prefix("Hint: ") {
            state.hint(text)?;
        } else if line == "offer draw" {
            state.offer_draw()?;
        } else if line == "resign" {
            state.resign()?;
        } else if looks_like_thinking(line) {
            state.thinking(line)?;
        } else {
            return Err("nothing of the kind is due".to_string());
        }
        Ok(state)
    }

    fn comment(&self) -> Result<State, String> {
        if self.debug {
            Ok(self.clone())
        } else {
            Err("comments were not asked for".to_string())
        }
    }

    fn odd_or_held_pong(&mut self, text: &str) -> Result<(), String> {
        let held = self.held_pong(text);
        if held.is_err() && self.odd_pings > 0 {
            self.odd_pings -= 1;
            return Ok(());
        }
        held
    }

    fn held_pong(&mut self, text: &str) -> Result<(), String> {
        let thinking = matches!(self.mode, Mode::Thinking { .. });
        match self.held.front() {
            None => Err("no pong is due".to_string()),
            Some(held) if held.text != text => Err(format!("pong {} comes first", held.text)),
            Some(held) if thinking && held.search == Some(self.search) => {
                Err("its ping came while a move was due, which comes first".to_string())
            }
            Some(held) => {
                self.settings_done = self.settings_done.max(held.settings);
                self.saves.retain(|&save| save > self.settings_done);
                self.held.pop_front();
                Ok(())
            }
        }
    }

    fn own_move(&mut self, text: &str) -> Result<(), String> {
        let Mode::Thinking { engine } = self.mode else {
            return Err(format!("a move is not due: {:?}", self.mode));
        };
        if let Some(held) = self
            .held
            .iter()
            .find(|held| held.search != Some(self.search))
        {
            return Err(format!("pong {} is older than this search", held.text));
        }
        let mv = self
            .board
            .engine_move(text)
            .ok_or("it is not legal, or not in coordinates")?;
        let considered = self.considered();
        if !self.root_moves_unclear && !considered.is_empty() && !considered.contains(&mv) {
            return Err("it was excluded".to_string());
        }
        self.board.play(mv);
        self.excluded.clear();
        self.root_moves_unclear = false;
        self.draw_offered = false;
        self.has_offered = false;
        self.search_begins();
        self.mode = Mode::Waiting {
            engine,
            pondering: self.ponder,
        };
        if !self.claim(engine) && self.ponder && !self.ending {
            self.pending.push_back(Pending::MaybeHint);
        }
        self.release_pongs();
        self.end_if_due();
        Ok(())
    }

    fn status(&mut self, text: &str) -> Result<(), String> {
        let status = status(text)?;
        if self.status_asked == 0 {
            return Err("it was not requested".to_string());
        }
        self.status_asked -= 1;
        let mut considered = self.considered();
        if considered.is_empty() && self.is_thinking() {
            // In play, excluding all moves excludes none.
            considered = self.board.legal_moves();
        }
        let leaves_some_out =
            self.takeback_assumed && self.is_thinking() && status.total < considered.len();
        if !self.root_moves_unclear && !leaves_some_out && status.total != considered.len() {
            return Err(format!("there are {} root moves", considered.len()));
        }
        if let Some(current) = &status.current
            && !self
                .board
                .engine_move(current)
                .is_some_and(|mv| self.root_moves_unclear || considered.contains(&mv))
        {
            return Err(format!("{current} is no root move"));
        }
        let progress = &mut self.progress;
        if status.time < progress.status_time || status.nodes < progress.status_nodes {
            return Err("time or nodes run backwards".to_string());
        }
        progress.status_time = status.time;
        progress.status_nodes = status.nodes;
        Ok(())
    }

    /// Ponder move, sent without a request.
    fn hint(&mut self, text: &str) -> Result<(), String> {
        if !matches!(
            self.inner(),
            Mode::Waiting {
                pondering: true,
                ..
            }
        ) {
            return Err("it was not requested, and the engine does not ponder".to_string());
        }
        self.guess = Some(self.board.engine_move(text).ok_or("it is not legal")?);
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<(), String> {
        let waiting = matches!(self.inner(), Mode::Waiting { .. }) && self.draw_offered;
        let thinking = matches!(self.mode, Mode::Thinking { .. }) && !self.has_offered;
        if !waiting && !thinking {
            return Err("nothing to offer or accept".to_string());
        }
        self.draw_offered = false;
        self.has_offered = true;
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        let Mode::Thinking { engine } = self.mode else {
            return Err("it is not on move".to_string());
        };
        if !self.may_resign {
            return Err("it was not allowed to".to_string());
        }
        self.mode = Mode::Over { engine };
        self.search_begins();
        self.release_pongs();
        self.end_if_due();
        Ok(())
    }

    /// Ends the engine after its last move if the input has ended.
    fn end_if_due(&mut self) {
        if self.ending {
            self.mode = Mode::Gone;
        }
    }

    fn thinking(&mut self, line: &str) -> Result<(), String> {
        if !self.post {
            return Err("thinking is not to be shown".to_string());
        }
        let output = thinking(line)?;
        let reads_all_columns = self.accepts_xboard_features && !self.accepts_setscore;
        let columns = match output.line.is_empty() {
            false if reads_all_columns => 7,
            _ => 4,
        };
        if output.columns != columns {
            return Err(format!(
                "{columns} columns are read, not {}",
                output.columns
            ));
        }
        let position = self.board.position().ok_or("there is no position")?;
        let castling = self.board.castling();
        let legal = |position: &shakmaty::Chess| is_legal_line(position, castling, &output.line);
        match self.mode {
            Mode::Thinking { .. } | Mode::Analysing { searching: true } => {
                if !legal(position) {
                    return Err("its moves are not legal here".to_string());
                }
                let first = output
                    .line
                    .first()
                    .and_then(|word| self.board.engine_move(word));
                let considered = self.considered();
                if let Some(first) = first
                    && !self.root_moves_unclear
                    && !considered.is_empty()
                    && !considered.contains(&first)
                {
                    return Err("its first move was excluded".to_string());
                }
            }
            Mode::Waiting {
                pondering: true, ..
            } => {
                // The line begins with the ponder move or after it.
                let after = |mv: Move| {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    legal(&next)
                };
                let fits = match self.guess {
                    Some(guess) => after(guess),
                    None => legal(position) || position.legal_moves().into_iter().any(after),
                };
                if !fits {
                    return Err("its moves are not legal after the ponder move".to_string());
                }
            }
            _ => return Err(format!("nothing is searched: {:?}", self.mode)),
        }
        if output.is_book {
            let is_due = matches!(self.mode, Mode::Thinking { .. });
            return is_due.then_some(()).ok_or("no move is due".to_string());
        }
        let progress = &mut self.progress;
        if output.depth < progress.depth && self.settings > self.settings_seen {
            self.settings_seen = self.settings;
            progress.depth = 0;
        }
        if output.depth < progress.depth
            || output.time < progress.time
            || output.nodes < progress.nodes
        {
            return Err("depth, time or nodes run backwards".to_string());
        }
        progress.depth = output.depth;
        progress.time = output.time;
        progress.nodes = output.nodes;
        Ok(())
    }
}

/// Returns `None` if a line is not this pending answer, otherwise the part of the answer that is still missing.
fn answers(pending: &Pending, line: &str, state: &State) -> Option<Option<Pending>> {
    let is_answer = match pending {
        Pending::Pong(text) => line.strip_prefix("pong ") == Some(text),
        Pending::Refusal(text) | Pending::MaybeRefusal(text) => is_refusal(line, text),
        Pending::MaybeMarks => line.starts_with("highlight ") || line.starts_with("choice "),
        Pending::Features | Pending::MaybeFeatures => {
            let done = line.split_whitespace().any(|token| token == "done=1");
            return line
                .starts_with("feature ")
                .then(|| (!done).then_some(Pending::Features));
        }
        Pending::Result(endings) | Pending::MaybeResult(endings) => endings.iter().any(|ending| {
            line.strip_prefix(ending.code)
                .is_some_and(|rest| rest.starts_with(" {") && rest.contains(ending.word))
        }),
        Pending::Book => {
            return match line {
                "" => Some(None),
                _ => line.starts_with([' ', '\t']).then_some(Some(Pending::Book)),
            };
        }
        Pending::Text(last) => {
            let is_last = line.contains(last);
            return Some((!is_last).then_some(Pending::Text(last)));
        }
        Pending::IllegalPosition(fen) => names_position(line, fen),
        Pending::MaybeTellUser => ["telluser ", "tellusererror "]
            .iter()
            .any(|start| line.starts_with(start)),
        Pending::MaybeHint => line
            .strip_prefix("Hint: ")
            .is_some_and(|text| state.board.engine_move(text).is_some()),
    };
    is_answer.then_some(None)
}

fn is_refusal(line: &str, text: &str) -> bool {
    let refused = line.starts_with("Illegal move") || line.starts_with("Error (");
    refused && (!is_plain(text) || whole(line).ends_with(&whole(text)))
}

/// Returns `true` if a line refuses this position, with the FEN as it was sent.
fn names_position(line: &str, fen: &str) -> bool {
    line.strip_prefix("tellusererror Illegal position: ")
        .is_some_and(|rest| !is_plain(fen) || whole(rest).starts_with(&whole(fen)))
}

/// Returns `true` if the engine echoes this text in full.
fn is_plain(text: &str) -> bool {
    text.len() <= MAX_ECHO_LENGTH && text.chars().all(|c| c == ' ' || c.is_ascii_graphic())
}

/// Returns a text without the underscores by which an echo splits words that hosts act on, as in `t_ime`.
fn whole(text: &str) -> String {
    text.replace('_', "")
}
