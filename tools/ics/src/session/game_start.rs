//! The time between the announcement of a game and its first board, and for a resumed game its moves.

use std::time::{Duration, Instant};

use super::account::Account;
use super::game_state::Play;
use super::lobby::variant;
use super::phase::{Phase, Stop};
use super::starting::{Attempts, Starting};
use crate::engine::Variant;
use crate::game::{Change, Game};
use crate::report::Level;
use crate::rules::{self, ChallengeFacts, Decision, History};
use crate::text::{Board, Creating, GameStart, MoveList, Relation};

/// Time for the server to send the moves of a resumed game.
const MOVE_LIST: Duration = Duration::from_secs(5);

/// Time for the first board of a game. After it, the account asks for the board.
const FIRST_BOARD: Duration = Duration::from_secs(10);

/// Requests for the first board. After them, the game counts as ended.
const MOST_REQUESTS: u32 = 3;

/// Explanation for the opponent in a game of a variant that the engine does not play.
pub(super) const NOT_PLAYED: &str = "Sorry, my engine does not play this variant.";

impl Account {
    /// Notes the players and terms of a game that begins.
    pub(super) fn on_creating(&mut self, creating: Creating) {
        // Lasker announces a resumed game before its terms.
        if let Phase::Starting(starting) = &mut self.phase
            && starting.is_between(&creating.white.name, &creating.black.name)
        {
            starting.set_terms(creating);
        } else {
            self.terms = Some(creating);
        }
    }

    /// Handles the announcement of a game.
    pub(super) fn on_game_start(&mut self, start: GameStart, now: Instant) {
        let is_white = self.is_own_name(&start.white);
        if !is_white && !self.is_own_name(&start.black) {
            return;
        }
        // Lasker announces a resumed game twice, with another kind.
        match &mut self.phase {
            Phase::Starting(starting) if starting.start.game == start.game => {
                if starting.terms.is_none() {
                    starting.set_kind(&start.kind);
                }
                return;
            }
            Phase::Playing(play) if play.start.game == start.game => return,
            // The connection ends soon, and the server adjourns the game.
            Phase::Leaving { .. } if self.stop == Some(Stop::Now) => return,
            // A challenge has been accepted before. Servers refuse to log out during the game.
            Phase::Leaving { .. } => {
                let text = "a game has begun during the logout: the program ends after this game";
                self.log(Level::Notice, text.into());
            }
            _ => {}
        }
        self.leave_game("another game has begun");
        // The server's spelling of the name.
        self.name
            .clone_from(if is_white { &start.white } else { &start.black });
        let opponent = if is_white { &start.black } else { &start.white }.clone();
        self.rematch = None;
        self.back_off.reset();
        self.seek_sent = None;
        self.last_answer = None;
        self.adjournment = None;
        self.partners.game_begins();
        let is_of_game = |creating: &Creating| {
            creating.white.name.eq_ignore_ascii_case(&start.white)
                && creating.black.name.eq_ignore_ascii_case(&start.black)
        };
        let terms = self.terms.take().filter(is_of_game);
        let start = self.with_known_kind(start);
        let unwanted = self.unwanted(&opponent, &start, terms.as_ref(), now);
        self.accepted.clear();
        self.phase = Phase::Starting(Box::new(Starting::new(start, terms, now)));
        if let Some(reason) = unwanted {
            if let Phase::Starting(starting) = &mut self.phase {
                starting.protest = Some(now);
            }
            self.log(
                Level::Warning,
                format!("the account asks for the end of this game: {reason}"),
            );
            self.send("abort");
            self.explain(&opponent, &reason);
        }
    }

    /// Adds the variant of the interrupted game to the announcement of its resumption, which may only name `wild`.
    fn with_known_kind(&self, mut start: GameStart) -> GameStart {
        if let Some(interrupted) = self.interrupted.as_ref().filter(|_| start.continued) {
            let before = &interrupted.play.start;
            let is_same = before.white.eq_ignore_ascii_case(&start.white)
                && before.black.eq_ignore_ascii_case(&start.black);
            if is_same {
                start.kind.clone_from(&before.kind);
            }
        }
        start
    }

    /// Tries to end the game, because the account cannot play it.
    pub(super) fn refuse_game(&mut self, reason: &str, now: Instant) {
        let (attempts, protest) = match &mut self.phase {
            Phase::Starting(starting) => (&mut starting.attempts, starting.protest),
            Phase::Playing(play) => (&mut play.attempts, None),
            _ => return,
        };
        if attempts.is_some() {
            return;
        }
        // The rules may have refused the game already, with the same command.
        let (begun, command) = Attempts::begin(protest.unwrap_or(now));
        *attempts = Some(begun);
        let opponent = self.opponent().unwrap_or_default().to_string();
        self.unwanted.insert(opponent.to_ascii_lowercase());
        self.log(
            Level::Warning,
            format!("the account tries to end this game: {reason}"),
        );
        if protest.is_none() {
            self.send(command);
            self.explain(&opponent, reason);
        }
    }

    /// Makes the next attempt to end a game that the account cannot play, if it is time. Returns `true` if the account
    /// tries to end the game.
    pub(super) fn tick_attempts(&mut self, now: Instant) -> bool {
        let attempts = match &mut self.phase {
            Phase::Starting(starting) => &mut starting.attempts,
            Phase::Playing(play) => &mut play.attempts,
            _ => return false,
        };
        let Some(attempts) = attempts else {
            return false;
        };
        if attempts.is_due(now) {
            match attempts.next(now) {
                Some(command) => self.send(command),
                None => {
                    self.end_lost_game("the server has not ended a game that cannot be played", now)
                }
            }
        }
        true
    }

    /// Returns the reason for which the account cannot play a game.
    fn unplayable(&self, start: &GameStart) -> Option<String> {
        let variant = variant(&start.kind);
        let is_known = !matches!(variant, Variant::Other(_));
        let is_played = is_known && self.engine.plays(&variant) != Some(false);
        (!is_played).then(|| NOT_PLAYED.to_string())
    }

    /// Returns the reason for which the rules do not allow a game. The opponent can change the terms of a challenge
    /// while it is being accepted.
    fn unwanted(
        &self,
        opponent: &str,
        start: &GameStart,
        terms: Option<&Creating>,
        now: Instant,
    ) -> Option<String> {
        let is_of_challenge = self
            .accepted
            .iter()
            .any(|accepted| accepted.is_of(opponent) && accepted.is_recent(now));
        if !is_of_challenge || start.continued {
            return None;
        }
        let Creating {
            white,
            black,
            terms,
            adjourned,
        } = terms?;
        let other = if self.is_own_name(&white.name) {
            black
        } else {
            white
        };
        let facts = ChallengeFacts {
            opponent: other.name.clone(),
            rating: other.rating,
            computer: self.is_computer(&other.name),
            rated: terms.rated,
            variant: terms.kind.clone(),
            time: terms.base.map(|base| (base, terms.increment)),
            // The server may have drawn it.
            colour: None,
            adjourned: *adjourned,
        };
        let history = History {
            playing: false,
            stopping: false,
            ..self.history.clone()
        };
        match rules::decide(&facts, &self.config.challenges, &history) {
            Decision::Decline(reason) => Some(reason),
            Decision::Accept | Decision::Ignore => None,
        }
    }

    /// Handles a board line.
    pub(super) fn on_board(&mut self, board: &Board, now: Instant) {
        if matches!(self.phase, Phase::Idle { .. }) {
            self.pick_up(board, now);
        }
        let Phase::Starting(starting) = &self.phase else {
            self.follow(board, now);
            return;
        };
        if board.game != starting.start.game || starting.attempts.is_some() {
            return;
        }
        if let Some(reason) = self.unplayable(&starting.start) {
            self.refuse_game(&reason, now);
            return;
        }
        if let Some(game) = self.known_game(board) {
            self.begin_game(game, now, now);
            return;
        }
        let Phase::Starting(starting) = &mut self.phase else {
            return;
        };
        let has_moves = board.move_number > 1 || !board.white_to_move;
        if starting.start.continued && has_moves && !is_fischer_random(&starting.start) {
            // The repetitions count from the first move, so the engine needs all moves.
            let is_first = starting.board.is_none();
            starting.board = Some((board.clone(), now));
            if is_first {
                starting.since = now;
                let command = format!("moves {}", starting.start.game);
                self.send(command);
            }
            return;
        }
        self.start_from(board, now, now);
    }

    /// Returns the interrupted game of Fischer Random if the board resumes it: with its last position, or one or two
    /// half-moves later.
    fn known_game(&self, board: &Board) -> Option<Game> {
        let Phase::Starting(starting) = &self.phase else {
            return None;
        };
        let interrupted = self.interrupted.as_ref()?;
        let before = interrupted.play.game.board();
        // In normal chess, the server sends the moves.
        let is_same = starting.start.continued
            && is_fischer_random(&starting.start)
            && before.white.eq_ignore_ascii_case(&board.white)
            && before.black.eq_ignore_ascii_case(&board.black);
        let mut game = interrupted.play.game.clone();
        let change = is_same.then(|| game.update(board))?.ok()?;
        matches!(change, Change::Same | Change::Moves(_)).then_some(game)
    }

    /// Begins a game that the account plays on the server without having understood its announcement.
    fn pick_up(&mut self, board: &Board, now: Instant) {
        let is_playing = matches!(
            board.relation,
            Relation::PlayingMyMove | Relation::PlayingOpponentToMove
        );
        if is_playing {
            let start = GameStart {
                game: board.game,
                white: board.white.clone(),
                black: board.black.clone(),
                continued: true,
                rated: None,
                kind: String::new(),
            };
            self.on_game_start(start, now);
        }
    }

    /// Collects the moves of a resumed game.
    pub(super) fn on_move_list(&mut self, line: MoveList, now: Instant) {
        let Phase::Starting(starting) = &mut self.phase else {
            return;
        };
        match line {
            MoveList::Start { game } if game == starting.start.game => starting.begin_list(),
            MoveList::Players { white, black } if starting.is_between(&white, &black) => {
                starting.begin_list();
            }
            MoveList::Moves { white, black, .. } if starting.has_list => {
                starting.moves.extend(white.into_iter().chain(black));
            }
            MoveList::End { .. } if starting.has_list => self.start_with_moves(now),
            _ => {}
        }
    }

    /// Does what the time requires before the first board.
    pub(super) fn tick_starting(&mut self, now: Instant) {
        self.tick_stop(now);
        if self.tick_attempts(now) {
            return;
        }
        let Phase::Starting(starting) = &mut self.phase else {
            return;
        };
        if starting.board.is_some() {
            if now >= starting.since + MOVE_LIST {
                self.start_with_moves(now);
            }
        } else if now >= starting.since + FIRST_BOARD {
            if starting.requests == MOST_REQUESTS {
                self.end_lost_game("the server has not sent a board", now);
                return;
            }
            starting.requests += 1;
            starting.since = now;
            self.send("refresh");
        }
    }

    /// Begins a resumed game with the moves of the list, or without them if they do not lead to the board.
    fn start_with_moves(&mut self, now: Instant) {
        let Phase::Starting(starting) = &mut self.phase else {
            return;
        };
        let Some((board, board_at)) = starting.board.take() else {
            return;
        };
        match Game::resume(&board, &starting.moves) {
            Ok(game) => self.begin_game(game, board_at, now),
            Err(error) => {
                self.log(
                    Level::Warning,
                    format!("{error}; the game continues from the board"),
                );
                self.start_from(&board, board_at, now);
            }
        }
    }

    fn start_from(&mut self, board: &Board, board_at: Instant, now: Instant) {
        let Phase::Starting(starting) = &self.phase else {
            return;
        };
        match Game::start(board, is_fischer_random(&starting.start)) {
            Ok(game) => self.begin_game(game, board_at, now),
            Err(error) => self.refuse_game(&error.to_string(), now),
        }
    }

    fn begin_game(&mut self, game: Game, board_at: Instant, now: Instant) {
        if let Phase::Starting(starting) = &self.phase {
            let play = Play::new(
                starting.start.clone(),
                starting.terms.clone(),
                game,
                board_at,
            );
            self.begin(play, now);
        }
    }
}

/// Returns `true` if the game is Fischer Random chess.
fn is_fischer_random(start: &GameStart) -> bool {
    variant(&start.kind) == Variant::FischerRandom
}
