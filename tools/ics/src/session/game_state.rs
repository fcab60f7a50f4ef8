//! The state of a game in progress.

use std::time::{Duration, Instant};

use shakmaty::{Color, Position};

use super::starting::Attempts;
use crate::engine::{Clocks, Thinking};
use crate::game::{EngineMove, Game};
use crate::text::{Creating, GameStart};

/// Time for the server to take half-moves back after the account has agreed.
const TAKEBACK: Duration = Duration::from_secs(10);

/// Time for the server to show a move, in addition to the network delay. Then the account asks for the board.
const SHOWN: Duration = Duration::from_secs(5);

/// Time after which a move that was refused in a pause is sent again, even if the server has not announced its end.
const PAUSED: Duration = Duration::from_secs(60);

/// State of a move that was sent to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// The server is expected to show it.
    Sent,
    /// The account has asked for the board, because the server has not shown it.
    Asked,
    /// The server has refused it, because the game is paused.
    Paused,
}

/// Move that was sent to the server, which has not shown it yet.
#[derive(Clone, Debug)]
pub(super) struct SentMove {
    pub(super) mv: EngineMove,
    /// Time that passed between the beginning of the turn and the move.
    pub(super) passed: Duration,
    /// Time of the last command for it.
    pub(super) at: Instant,
    pub(super) delivery: Delivery,
    /// It has been sent before.
    pub(super) is_repeated: bool,
}

impl SentMove {
    /// Returns `true` if the board must be asked for, because the server has not shown the move in time.
    pub(super) fn is_late(&self, lag: Duration, now: Instant) -> bool {
        let time = match self.delivery {
            Delivery::Sent | Delivery::Asked => SHOWN + lag,
            Delivery::Paused => PAUSED,
        };
        now >= self.at + time
    }
}

/// State of a game.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) start: GameStart,
    /// Players and terms, if the server has announced them.
    pub(super) terms: Option<Creating>,
    pub(super) game: Game,
    /// Beginning of the game here.
    pub(super) started: Instant,
    /// Arrival of the last board.
    pub(super) board_at: Instant,
    /// Arrival of the board with the last change of the position.
    pub(super) turn_at: Instant,
    pub(super) sent: Option<SentMove>,
    /// Takeback that the account has agreed to: until this time, moves of the engine are held back.
    pub(super) takeback_until: Option<Instant>,
    /// Move that is held back.
    pub(super) held: Option<EngineMove>,
    /// Number of takebacks that the account has agreed to.
    pub(super) takebacks: u32,
    /// The opponent has offered a draw, and the engine has been asked.
    pub(super) is_draw_offered: bool,
    pub(super) illegal_moves: u32,
    /// Last thinking line of the engine in this position.
    pub(super) thinking: Option<Thinking>,
    /// Score and depth of the half-moves of the engine, by their number.
    pub(super) scores: Vec<Option<Thinking>>,
    /// Last call of the opponent's flag.
    pub(super) flag_called: Option<Instant>,
    /// The server has refused to call the flag of an untimed game.
    pub(super) flag_refused: bool,
    /// Attempts to end the game, which the engine cannot play.
    pub(super) attempts: Option<Attempts>,
    /// Own moves since the last message with a score.
    pub(super) moves_since_score: u32,
}

/// A game that was adjourned or interrupted. It is recorded when it is certain that it is not resumed.
#[derive(Debug)]
pub(super) struct Interrupted {
    pub(super) play: Box<Play>,
    /// Reason of the interruption, for the archive.
    pub(super) reason: String,
}

impl Play {
    /// Begins a game whose board arrived at `board_at`.
    pub(super) fn new(
        start: GameStart,
        terms: Option<Creating>,
        game: Game,
        board_at: Instant,
    ) -> Play {
        Play {
            start,
            terms,
            game,
            started: board_at,
            board_at,
            turn_at: board_at,
            sent: None,
            takeback_until: None,
            held: None,
            takebacks: 0,
            is_draw_offered: false,
            illegal_moves: 0,
            thinking: None,
            scores: Vec::new(),
            flag_called: None,
            flag_refused: false,
            attempts: None,
            moves_since_score: 0,
        }
    }

    /// Takes over the beginning and the scores of the part of this game before its interruption. Returns `false` if
    /// `earlier` is another game.
    pub(super) fn continue_from(&mut self, earlier: &Play) -> bool {
        let is_same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        let has_moves = earlier.game.moves().len() <= self.game.moves().len()
            && earlier
                .game
                .moves()
                .iter()
                .zip(self.game.moves())
                .all(|(one, other)| one.coordinates == other.coordinates);
        let board = self.game.board();
        let before = earlier.game.board();
        let is_continued = self.start.continued
            && is_same(&board.white, &before.white)
            && is_same(&board.black, &before.black)
            && has_moves;
        if is_continued {
            self.started = earlier.started;
            self.scores.clone_from(&earlier.scores);
            self.takebacks = earlier.takebacks;
            if self.terms.is_none() {
                self.terms.clone_from(&earlier.terms);
            }
        }
        is_continued
    }

    /// Returns `true` if the game has clocks. Servers show untimed games with clocks of zero.
    pub(super) fn has_clocks(&self) -> bool {
        let board = self.game.board();
        let is_timed = board.base > 0 || board.increment > 0;
        is_timed && !self.flag_refused && (board.white_time != 0 || board.black_time != 0)
    }

    /// Returns the clock of a side now, which is below zero if its time is over.
    pub(super) fn clock(&self, color: Color, now: Instant) -> i64 {
        let board = self.game.board();
        let shown = color.fold_wb(board.white_time, board.black_time);
        if board.clock_running && self.game.position().turn() == color {
            let passed = now.saturating_duration_since(self.board_at).as_millis();
            shown.saturating_sub(i64::try_from(passed).unwrap_or(i64::MAX))
        } else {
            shown
        }
    }

    /// Returns the clocks for the engine.
    pub(super) fn clocks(&self, lag: Duration, now: Instant) -> Clocks {
        let positive =
            |color| Duration::from_millis(u64::try_from(self.clock(color, now)).unwrap_or(0));
        let own = self.game.own();
        Clocks {
            own: positive(own).saturating_sub(lag),
            opponent: positive(!own),
        }
    }

    /// Returns `true` if the opponent's time is over and the flag has not been called for five seconds.
    pub(super) fn is_opponents_time_over(&self, lag: Duration, now: Instant) -> bool {
        const PAUSE: Duration = Duration::from_secs(5);
        // While the opponent's clock runs, the move may be on its way. A server without `iset ms` shows whole seconds.
        let shown = self.game.board();
        let is_rounded = shown.white_time % 1000 == 0 && shown.black_time % 1000 == 0;
        let rounding = if is_rounded { 1000 } else { 0 };
        let margin = if self.game.is_own_turn() {
            0
        } else {
            let lag = i64::try_from(lag.as_millis()).unwrap_or(0);
            lag.saturating_add(500).saturating_add(rounding)
        };
        // Servers begin to charge time with the second move.
        let has_begun = self.game.ply() >= 2;
        let may_call = has_begun && self.flag_called.is_none_or(|last| now >= last + PAUSE);
        self.has_clocks() && may_call && self.clock(!self.game.own(), now) < -margin
    }

    /// Holds moves of the engine back until the server has taken half-moves back.
    pub(super) fn expect_takeback(&mut self, now: Instant) {
        self.takeback_until = Some(now + TAKEBACK);
        self.takebacks += 1;
    }

    /// Returns the name of the game for the archive, such as `rated blitz match`.
    pub(super) fn event(&self) -> String {
        event(&self.start)
    }

    /// Returns kind and time control of the game, such as `rated blitz 5 0`.
    pub(super) fn description(&self) -> String {
        let board = self.game.board();
        let kind = self.event();
        let kind = kind.trim_end_matches("match").trim();
        match (board.base, board.increment) {
            (0, 0) => kind.to_string(),
            (base, increment) => format!("{kind} {base} {increment}")
                .trim_start()
                .to_string(),
        }
    }

    /// Returns the rating of a player, if the server has announced one.
    pub(super) fn rating_of(&self, name: &str) -> Option<u32> {
        let terms = self.terms.as_ref()?;
        [&terms.white, &terms.black]
            .into_iter()
            .find(|player| player.name.eq_ignore_ascii_case(name))
            .and_then(|player| player.rating.number())
    }
}

/// Returns the name of a game, such as `rated blitz match`; `match` for a game without an announcement.
pub(super) fn event(start: &GameStart) -> String {
    let rated = match start.rated {
        Some(true) => "rated",
        Some(false) => "unrated",
        None => "",
    };
    let words = [rated, &start.kind, "match"];
    let known: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    known.join(" ")
}
