//! Effect of a line from the host on a state. There are several states afterwards if engines may differ.

use shakmaty::{CastlingMode, Color};

use super::board::{Board, SetUp};
use super::host_words::{
    edit_square, ends_pause, is_bare, is_clear_clock, is_clear_time, is_score_and_depth, unsigned,
};
use super::state::{Mode, Pending, Progress, State, finish_edit};

/// Marker for the end of input; no line can be equal to it.
pub const END_OF_INPUT: &str = "\n";

/// Length up to which the engine echoes the number of a ping.
const MAX_PING_LENGTH: usize = 40;

/// Words in the last line of the answer to `help`.
const END_OF_HELP: &str = "All other commands are those of the xboard protocol.";

/// Words in the last line of the answer to `d`.
const END_OF_BOARD: &str = ". Clocks: Gaur ";

impl State {
    /// Returns the states after the next line, or after the end of input.
    pub fn apply_host_line(&self, line: &str) -> Vec<State> {
        let mut state = self.clone();
        state.lines_read += 1;
        // The engine has omitted the optional answers.
        state.pending.clear();
        if line == END_OF_INPUT {
            if state.is_thinking() {
                // Like `?`, the end of input ends a pause.
                state.resume();
                state.ending = true;
            } else {
                state.mode = Mode::Gone;
            }
            return vec![state];
        }
        let line = line.trim_start_matches('\u{feff}').trim();
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match state.mode {
            Mode::Gone => vec![state],
            Mode::Editing { .. } => state.apply_edit_line(line, verb, rest),
            // `go` refers to the move that is due, even if the engine found it just before the pause.
            Mode::Paused(_) if verb == "go" && state.is_thinking() => {
                state.resume();
                vec![state]
            }
            Mode::Paused(_) if ends_pause(verb, rest) => vec![self.resumed()],
            // A move ends a pause, legal or not; another word does not.
            Mode::Paused(_) if is_bare(verb, rest) => {
                state.refuse(line);
                vec![self.resumed(), state]
            }
            // Malformed numbers do not end it.
            Mode::Paused(_) if verb == "setscore" => {
                state.maybe_refuse(line);
                vec![self.resumed(), state]
            }
            _ => state.apply_command(line, verb, rest),
        }
    }

    fn apply_command(mut self, line: &str, verb: &str, rest: &str) -> Vec<State> {
        match verb {
            "quit" => {
                // Pongs that wait for a search do not come any more; those that wait for settings may.
                if self.is_thinking() {
                    self.held.clear();
                }
                self.mode = Mode::Gone;
            }
            "ping" => self.ping(line, rest),
            "protover" => match unsigned(rest) {
                Some(version) => {
                    self.is_gui = true;
                    self.accepts_xboard_features = false;
                    self.accepts_setscore = false;
                    if version > 1 {
                        self.pending.push_back(Pending::Features);
                    }
                }
                None => {
                    self.pending.push_back(Pending::MaybeFeatures);
                    self.maybe_refuse(line);
                }
            },
            "accepted" => {
                self.debug |= rest == "debug";
                self.accepts_xboard_features |= matches!(rest, "exclude" | "highlight");
                self.accepts_setscore |= rest == "setscore";
            }
            "new" => {
                self.stop_search();
                if !self.is_analysing() {
                    self.mode = waiting(Color::Black);
                }
                self.new_board(Board::start(CastlingMode::Standard));
            }
            "variant" => self.variant(line, rest),
            "setboard" => return self.set_board(line, rest),
            "edit" => self.edit(),
            "undo" => self.take_back(1, line),
            "remove" => self.take_back(2, line),
            "force" => {
                self.stop_search();
                if !self.is_analysing() {
                    self.mode = Mode::Force;
                }
            }
            "go" => self.go(),
            "playother" => self.play_other(),
            "white" => self.give_move_to(Color::White),
            "black" => self.give_move_to(Color::Black),
            "usermove" if rest.is_empty() => self.refuse(line),
            "usermove" => return self.user_move(rest),
            "?" => {}
            "analyze" => {
                if !matches!(self.mode, Mode::Analysing { searching: true }) {
                    self.stop_search();
                    self.analyse();
                }
            }
            "exit" => {
                if self.is_analysing() {
                    self.stop_search();
                    self.mode = Mode::Force;
                }
            }
            "pause" => {
                if !matches!(self.mode, Mode::Paused(_)) {
                    self.mode = Mode::Paused(Box::new(self.mode));
                }
            }
            "resume" => self.resume(),
            "result" => self.result(),
            "draw" => self.draw_offered = true,
            "hint" => self.pending.push_back(Pending::MaybeHint),
            _ if is_bare(verb, rest) => return self.user_move(line),
            _ => self.apply_setting(line, verb, rest),
        }
        vec![self]
    }

    /// Handles the commands that leave game and mode as they are, and unknown commands.
    fn apply_setting(&mut self, line: &str, verb: &str, rest: &str) {
        match verb {
            "xboard" => self.is_gui = true,
            "help" if !self.is_gui => self.pending.push_back(Pending::Text(END_OF_HELP)),
            "d" | "show" if !self.is_gui => self.pending.push_back(Pending::Text(END_OF_BOARD)),
            "bk" => self.pending.push_back(Pending::Book),
            "hard" => {
                self.ponder = true;
                if self.board.length() > 0 {
                    self.ponder_now();
                }
            }
            "easy" => {
                self.ponder = false;
                let mode = match &mut self.mode {
                    Mode::Paused(inner) => inner,
                    mode => mode,
                };
                if let Mode::Waiting { pondering, .. } = mode {
                    *pondering = false;
                }
            }
            "post" => {
                self.post = true;
                // The engine may send the ponder move now.
                self.pending.push_back(Pending::MaybeHint);
            }
            "nopost" => self.post = false,
            "." => {
                if self.is_analysing() || self.is_thinking() {
                    self.status_asked += 1;
                }
            }
            "exclude" | "include" => self.root_moves(line, verb == "include", rest),
            "memory" | "cores" | "option" => {
                self.settings += 1;
                if verb == "option" {
                    // About files, or notes without a log.
                    self.pending.push_back(Pending::MaybeTellUser);
                    // Some options change others, which the engine then announces again.
                    self.pending.push_back(Pending::MaybeFeatures);
                }
                let text = rest.to_ascii_lowercase().replace(char::is_whitespace, "");
                if verb == "option" && text.starts_with("savesettings") {
                    self.saves.push(self.settings);
                }
                if verb == "option" && text.starts_with("resign=") {
                    self.may_resign = true;
                }
                if rest.is_empty() || verb == "option" || unsigned(rest).is_none() {
                    self.maybe_refuse(line);
                }
            }
            "egtpath" => {
                self.pending.push_back(Pending::MaybeTellUser);
                self.maybe_refuse(line);
            }
            "ics" => self.on_server = !rest.is_empty() && rest != "-",
            "time" | "otim" if is_clear_clock(rest) => {}
            "st" if is_clear_time(rest) => {}
            "sd" if unsigned(rest).is_some_and(|depth| (1..=u16::MAX.into()).contains(&depth)) => {}
            "" | "rejected" | "random" | "computer" | "name" | "rating" | "partner" | "ptell"
            | "holding" => {}
            // Commands whose arguments may be refused, or commands for people at a terminal.
            "lift" | "put" | "hover" => {
                self.pending.push_back(Pending::MaybeMarks);
                self.maybe_refuse(line);
            }
            "setscore" => {
                if is_score_and_depth(rest) {
                    self.restart_search();
                } else {
                    self.progress = Progress::default();
                    self.pending.push_back(Pending::MaybeHint);
                }
                self.maybe_refuse(line);
            }
            "level" | "time" | "otim" | "st" | "sd" | "nps" | "depth" | "choice" | "setup"
            | "fritz" | "reset" | "ponder" => self.maybe_refuse(line),
            _ => self.refuse(line),
        }
    }

    fn apply_edit_line(mut self, line: &str, verb: &str, rest: &str) -> Vec<State> {
        let Mode::Editing {
            draft,
            color,
            after,
        } = &mut self.mode
        else {
            return vec![self];
        };
        match verb {
            "" => {}
            "." => {
                let setup = finish_edit(draft.clone(), self.board.castling());
                self.mode = (**after).clone();
                let set_up = self.board.set_up(setup);
                return self.take(set_up, "");
            }
            "#" => draft.board = shakmaty::Board::empty(),
            "c" => *color = !*color,
            "ping" => self.ping(line, rest),
            "quit" => self.mode = Mode::Gone,
            _ => match edit_square(verb) {
                Some((role, square)) => {
                    draft.board.discard_piece_at(square);
                    if let Some(role) = role {
                        draft.board.set_piece_at(square, role.of(*color));
                    }
                }
                None => self.maybe_refuse(line),
            },
        }
        vec![self]
    }

    fn ping(&mut self, line: &str, rest: &str) {
        match rest.split_whitespace().next() {
            Some(text)
                if text.len() <= MAX_PING_LENGTH && text.chars().all(|c| c.is_ascii_digit()) =>
            {
                self.add_pong(text);
            }
            // Not a short number: the engine may refuse it or echo it in some form.
            _ => {
                self.odd_pings += 1;
                self.maybe_refuse(line);
            }
        }
    }

    pub(super) fn refuse(&mut self, line: &str) {
        self.pending.push_back(Pending::Refusal(line.to_string()));
    }

    pub(super) fn maybe_refuse(&mut self, line: &str) {
        self.pending
            .push_back(Pending::MaybeRefusal(line.to_string()));
    }

    /// Returns the state after a pause, before the line that has ended it takes effect: the engine sends withheld
    /// output.
    fn resumed(&self) -> State {
        let mut state = self.clone();
        state.pending.clear();
        state.resume();
        state
    }

    fn resume(&mut self) {
        if let Mode::Paused(inner) = &self.mode {
            self.mode = (**inner).clone();
            if self.board.length() > 0 {
                self.ponder_now();
            }
        }
    }

    /// Starts pondering if it is on and the opponent is to move.
    fn ponder_now(&mut self) {
        if let Mode::Waiting { engine, pondering } = &mut self.mode
            && self.ponder
            && self.board.turn() == Some(!*engine)
        {
            *pondering = true;
            self.pending.push_back(Pending::MaybeHint);
        }
    }

    /// Restarts analysis and pondering, but not a search for a move.
    fn restart_search(&mut self) {
        match self.mode {
            Mode::Analysing { .. } => self.analyse(),
            Mode::Waiting {
                pondering: true, ..
            } => {
                self.search_begins();
                self.pending.push_back(Pending::MaybeHint);
            }
            _ => {}
        }
    }

    fn new_board(&mut self, board: Board) {
        self.board = board;
        self.draw_offered = false;
        self.has_offered = false;
        self.position_changed();
    }

    fn variant(&mut self, line: &str, name: &str) {
        let castling = match name {
            "normal" => CastlingMode::Standard,
            "fischerandom" => CastlingMode::Chess960,
            _ => return self.refuse(line),
        };
        if castling != self.board.castling() {
            self.stop_search();
            self.new_board(Board::start(castling));
        }
    }

    fn set_board(mut self, line: &str, fen: &str) -> Vec<State> {
        if fen.is_empty() {
            self.refuse(line);
            return vec![self];
        }
        self.stop_search();
        let set_up = self.board.set(fen);
        self.take(set_up, fen)
    }

    /// Returns the states after a set-up; `fen` is the FEN sent, or empty.
    fn take(self, answers: Vec<SetUp>, fen: &str) -> Vec<State> {
        let taken = |answer: SetUp| {
            let mut state = self.clone();
            if answer.refused {
                state
                    .pending
                    .push_back(Pending::IllegalPosition(fen.to_string()));
            }
            state.new_board(answer.board);
            state
        };
        answers.into_iter().map(taken).collect()
    }

    fn take_back(&mut self, count: usize, line: &str) {
        if self.board.length() < count {
            return self.refuse(line);
        }
        self.stop_search();
        self.board.take_back(count);
        self.position_changed();
        if count == 2 && self.board.length() > 0 {
            self.ponder_now();
        }
    }

    fn go(&mut self) {
        if self.is_thinking() {
            return;
        }
        let Some(engine) = self.board.turn() else {
            return;
        };
        self.stop_search();
        let endings = self.board.endings();
        if endings.is_empty() {
            return self.think(engine);
        }
        // `go` in a position where a draw can only be claimed gets a move after the claim.
        let is_final = self.board.legal_moves().is_empty()
            || endings.iter().any(|ending| ending.word == "nsufficient");
        let is_over = self.claim(engine);
        if !is_over || !is_final {
            self.think(engine);
        }
    }

    fn play_other(&mut self) {
        let Some(turn) = self.board.turn() else {
            return;
        };
        self.stop_search();
        if !self.claim(!turn) {
            self.mode = waiting(!turn);
            self.ponder_now();
        }
    }

    fn give_move_to(&mut self, color: Color) {
        self.stop_search();
        self.board.give_move_to(color);
        if !self.is_analysing() {
            self.mode = waiting(!color);
        }
        self.position_changed();
    }

    fn result(&mut self) {
        self.draw_offered = false;
        if self.is_analysing() {
            return self.resume();
        }
        self.stop_search();
        if let Mode::Waiting { engine, .. } = self.mode {
            self.mode = Mode::Over { engine };
        }
    }
}

fn waiting(engine: Color) -> Mode {
    Mode::Waiting {
        engine,
        pondering: false,
    }
}
