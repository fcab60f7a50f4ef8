//! What each line from the host does to a state. Where opinions may differ there are several states afterwards.

use shakmaty::{CastlingMode, Color, Role, Square};

use super::board::{Board, SetUp};
use super::state::{Mode, Pending, Progress, State, finish_edit};

/// No move has more characters.
const LONGEST_MOVE: usize = 20;

/// Stands for the end of input; no line can be this one.
pub const END_OF_INPUT: &str = "\n";

/// Longer numbers are not echoed.
const LONGEST_PING: usize = 40;

impl State {
    /// The states after the next line, or after the end of input.
    pub fn obey(&self, line: &str) -> Vec<State> {
        let mut state = self.clone();
        state.obeyed += 1;
        // What need not be said has not been said.
        state.pending.clear();
        if line == END_OF_INPUT {
            if state.is_thinking() {
                // As `?`, which ends a pause, too.
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
            Mode::Editing { .. } => state.obey_in_edit(line, verb, rest),
            // About the move that is due, even if it was found just before the pause: no other is asked for.
            Mode::Paused(_) if verb == "go" && state.is_thinking() => {
                state.resume();
                vec![state]
            }
            Mode::Paused(_) if ends_pause(verb, rest) => vec![self.resumed()],
            // A pause ends with a move, legal or not, but not with a word that is none.
            Mode::Paused(_) if is_bare(verb, rest) => {
                state.refuse(line);
                vec![self.resumed(), state]
            }
            // Nor with numbers that may be none.
            Mode::Paused(_) if verb == "setscore" => {
                state.maybe_refuse(line);
                vec![self.resumed(), state]
            }
            _ => state.obey_command(line, verb, rest),
        }
    }

    fn obey_command(mut self, line: &str, verb: &str, rest: &str) -> Vec<State> {
        match verb {
            "quit" => {
                // Pongs that wait for a search will not come; those that wait for settings may.
                if self.is_thinking() {
                    self.held.clear();
                }
                self.mode = Mode::Gone;
            }
            "ping" => self.ping(line, rest),
            "protover" => match unsigned(rest) {
                Some(version) => {
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
                self.settle();
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
                self.settle();
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
                    self.settle();
                    self.analyse();
                }
            }
            "exit" => {
                if self.is_analysing() {
                    self.settle();
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
                // What is pondered on is said now.
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
                    // Of files, and of remarks without a log.
                    self.pending.push_back(Pending::MaybeTellUser);
                    // Some options change others, which are then announced again.
                    self.pending.push_back(Pending::MaybeFeatures);
                }
                let text = rest.to_ascii_lowercase().replace(char::is_whitespace, "");
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
            "" | "xboard" | "rejected" | "random" | "computer" | "name" | "rating" | "partner"
            | "ptell" | "holding" => {}
            // With arguments that may be refused, or not commands at all, or made for a person.
            "lift" | "put" | "hover" => {
                self.pending.push_back(Pending::MaybeMarks);
                self.maybe_refuse(line);
            }
            "setscore" => {
                if is_score_and_depth(rest) {
                    self.begin_again();
                } else {
                    self.progress = Progress::default();
                    self.pending.push_back(Pending::MaybeHint);
                }
                self.maybe_refuse(line);
            }
            "level" | "time" | "otim" | "st" | "sd" | "nps" | "depth" | "choice" | "setup"
            | "fritz" | "reset" | "ponder" => self.maybe_refuse(line),
            _ if is_bare(verb, rest) => return self.user_move(line),
            _ => self.refuse(line),
        }
        vec![self]
    }

    fn obey_in_edit(mut self, line: &str, verb: &str, rest: &str) -> Vec<State> {
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
                if text.len() <= LONGEST_PING && text.chars().all(|c| c.is_ascii_digit()) =>
            {
                self.owe_pong(text);
            }
            // Too long or odd for a number: refused, or echoed in some form.
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

    /// As it is when a pause has ended, before the line that has ended it is obeyed: what was held back in the pause
    /// is said now.
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

    /// Pondering begins if it is wanted and the opponent is on move.
    fn ponder_now(&mut self) {
        if let Mode::Waiting { engine, pondering } = &mut self.mode
            && self.ponder
            && self.board.turn() == Some(!*engine)
        {
            *pondering = true;
            self.pending.push_back(Pending::MaybeHint);
        }
    }

    /// Analysis and pondering begin again; a move that is being thought about does not.
    fn begin_again(&mut self) {
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
            self.settle();
            self.new_board(Board::start(castling));
        }
    }

    fn set_board(mut self, line: &str, fen: &str) -> Vec<State> {
        if fen.is_empty() {
            self.refuse(line);
            return vec![self];
        }
        self.settle();
        let set_up = self.board.set(fen);
        self.take(set_up, fen)
    }

    /// Takes over a position that was set up, by this FEN if it is not empty; the state is at rest.
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
        self.settle();
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
        self.settle();
        let endings = self.board.endings();
        if endings.is_empty() {
            return self.think(engine);
        }
        // Who asks for a move where a draw need not be claimed gets one, after the claim.
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
        self.settle();
        if !self.claim(!turn) {
            self.mode = waiting(!turn);
            self.ponder_now();
        }
    }

    fn give_move_to(&mut self, color: Color) {
        self.settle();
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
        self.settle();
        if let Mode::Waiting { engine, .. } = self.mode {
            self.mode = Mode::Over { engine };
        }
    }
}

/// Whether a pause ends with a line that begins like this.
fn ends_pause(verb: &str, rest: &str) -> bool {
    match verb {
        "go" | "?" => true,
        "usermove" | "exclude" | "include" => !rest.is_empty(),
        "setscore" => is_score_and_depth(rest),
        _ => false,
    }
}

fn is_score_and_depth(rest: &str) -> bool {
    match rest.split_ascii_whitespace().collect::<Vec<&str>>()[..] {
        [score, depth] => {
            unsigned(score.strip_prefix('-').unwrap_or(score)).is_some()
                && unsigned(depth).is_some()
        }
        _ => false,
    }
}

/// A number of digits alone: `parse` takes a sign before it, which an engine may or may not.
fn unsigned(word: &str) -> Option<u64> {
    let is_bare = word.chars().all(|c| c.is_ascii_digit());
    is_bare.then(|| word.parse().ok())?
}

/// Centiseconds, which may be overdrawn.
fn is_clear_clock(word: &str) -> bool {
    word.parse::<i32>().is_ok() && !word.starts_with('+')
}

/// Digits, perhaps with decimals, above 0: `parse` takes `inf` and `1e3` too, which an engine may or may not.
fn is_clear_time(word: &str) -> bool {
    let is_plain = word.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_plain && word.len() < 10 && word.parse::<f32>().is_ok_and(|time| time > 0.0)
}

/// Words that are commands; any other single word may be a move.
const COMMANDS: &str = " quit ping protover accepted new variant setboard edit undo remove force go playother white \
    black usermove ? analyze exit pause resume result draw hint bk hard easy post nopost . exclude include memory \
    cores option egtpath ics time otim st sd xboard rejected random computer name rating partner ptell holding level \
    nps depth setscore lift put hover choice setup fritz reset ponder ";

/// Whether this may be a move without `usermove` before it; every one has a digit in it, or a hyphen.
fn is_bare(verb: &str, rest: &str) -> bool {
    let has_sign = verb.contains(|c: char| c.is_ascii_digit() || "-@".contains(c));
    let is_word = !verb.is_empty() && rest.is_empty() && has_sign && verb.len() <= LONGEST_MOVE;
    is_word && !COMMANDS.contains(&format!(" {verb} "))
}

fn waiting(engine: Color) -> Mode {
    Mode::Waiting {
        engine,
        pondering: false,
    }
}

/// `Pa4`, or `xa4` for an empty square.
fn edit_square(word: &str) -> Option<(Option<Role>, Square)> {
    let mut letters = word.chars();
    let first = letters.next()?;
    let square = letters
        .as_str()
        .to_ascii_lowercase()
        .parse::<Square>()
        .ok()?;
    match first {
        'x' => Some((None, square)),
        'P' | 'N' | 'B' | 'R' | 'Q' | 'K' => Some((Role::from_char(first), square)),
        _ => None,
    }
}
