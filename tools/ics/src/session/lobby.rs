//! The time between two games: challenges, seeks, rematches, and the start and end of games.

use std::time::{Duration, Instant};

use super::account::Account;
use super::actions::EngineOrder;
use super::phase::Phase;
use super::resumption::Resumption;
use crate::engine::Variant;
use crate::game::Game;
use crate::report::{Event, Level};
use crate::rules::{self, ChallengeFacts, Colour, Decision, Outcome};
use crate::text::{
    self, Board, Challenge, Creating, GameEnd, GameResult, GameStart, GameTerms, MoveList,
};

/// Time for the server to send the moves of a resumed game.
const MOVE_LIST: Duration = Duration::from_secs(5);

/// Time for the first board of a game. After it, the account asks for the board.
const FIRST_BOARD: Duration = Duration::from_secs(10);

/// Pause between a game and the challenge for a rematch, in which the server ends the game.
const REMATCH: Duration = Duration::from_secs(1);

/// Beginning of the answer to `=computer`, the server's list of computers.
const COMPUTERS: &str = "-- computer list";

impl Account {
    /// Becomes ready for games.
    pub(super) fn become_idle(&mut self, now: Instant) {
        if self.stop.is_some() {
            self.leave(now);
            return;
        }
        self.history.playing = false;
        let pause = Duration::from_secs(self.config.seek.after);
        self.phase = Phase::Idle {
            next_seek: now + pause,
        };
    }

    /// Answers a challenge.
    pub(super) fn on_challenge(&mut self, challenge: &Challenge, now: Instant) {
        self.history.playing = !matches!(self.phase, Phase::Idle { .. });
        self.history.stopping = self.stop.is_some();
        self.history.since_last_game = self.last_game.map(|end| now.saturating_duration_since(end));
        let facts = self.facts(challenge);
        let name = challenge.from.name.as_str();
        let decision = match rules::decide(&facts, &self.config.challenges, &self.history) {
            Decision::Accept => self.engine_decision(&facts.variant),
            other => other,
        };
        match decision {
            Decision::Accept => {
                self.report_challenge(challenge, true, "");
                self.send(format!("accept {name}"));
            }
            Decision::Decline(reason) => {
                self.report_challenge(challenge, false, &reason);
                self.send(format!("decline {name}"));
                self.explain(name, &reason);
            }
            Decision::Ignore => {}
        }
    }

    /// Accepts a game that passes the rules only if the engine plays the variant.
    fn engine_decision(&self, kind: &str) -> Decision {
        match self.engine.plays(&variant(kind)) {
            Some(true) => Decision::Accept,
            Some(false) => Decision::Decline("My engine does not play this variant.".into()),
            None => {
                Decision::Decline("My engine is starting. Please try again in a moment.".into())
            }
        }
    }

    fn report_challenge(&mut self, challenge: &Challenge, accepted: bool, reason: &str) {
        let opponent = challenge.from.name.clone();
        let terms = terms(&challenge.terms);
        let answer = if accepted { "accepted" } else { "declined" };
        self.log(
            Level::Info,
            format!("challenge of {opponent} ({terms}) {answer} {reason}")
                .trim_end()
                .into(),
        );
        self.report(Event::Challenge {
            opponent,
            terms,
            accepted,
            reason: reason.into(),
        });
    }

    /// Describes a challenge for the rules.
    fn facts(&self, challenge: &Challenge) -> ChallengeFacts {
        let terms = &challenge.terms;
        ChallengeFacts {
            opponent: challenge.from.name.clone(),
            rating: challenge.from.rating,
            computer: self.is_computer(&challenge.from.name),
            rated: terms.rated,
            variant: terms.kind.clone(),
            time: terms.base.map(|base| (base, terms.increment)),
            colour: challenge
                .from_is_white
                .map(|white| if white { Colour::Black } else { Colour::White }),
            adjourned: challenge.adjourned,
        }
    }

    /// Returns `true` if the server lists the player as a computer.
    pub(super) fn is_computer(&self, name: &str) -> bool {
        self.computers.contains(&name.to_ascii_lowercase())
    }

    /// Reads a line of a list: the adjourned opponents who are online, or the computers.
    pub(super) fn on_list_line(&mut self, line: &str) {
        if std::mem::take(&mut self.expects_partners)
            && let [name, ..] = text::names(line).as_slice()
        {
            self.resume_with(name);
            return;
        }
        if line.starts_with(COMPUTERS) {
            self.reads_computers = true;
        } else if self.reads_computers {
            self.computers
                .extend(line.split_whitespace().map(str::to_ascii_lowercase));
        }
    }

    /// Seeks a game, or offers a rematch, if it is time.
    pub(super) fn tick_idle(&mut self, now: Instant) {
        if let Some((at, command)) = &self.rematch
            && now >= *at
        {
            let command = command.clone();
            self.rematch = None;
            self.send(command);
        }
        let Phase::Idle { next_seek } = &mut self.phase else {
            return;
        };
        if now < *next_seek {
            return;
        }
        *next_seek = now + Duration::from_secs(self.config.seek.every.max(1));
        self.history.since_last_game = self.last_game.map(|end| now.saturating_duration_since(end));
        if let Some(seek) = rules::next_seek(&self.config, &self.history) {
            self.history.seeks += 1;
            let command = rules::seek_command(seek);
            self.send(command);
        }
    }

    /// Continues the adjourned game with a player who has arrived.
    pub(super) fn resume_with(&mut self, name: &str) {
        if self.config.challenges.adjourned && matches!(self.phase, Phase::Idle { .. }) {
            self.send(format!("match {name}"));
        }
    }

    /// Notes the players and terms of a game that begins.
    pub(super) fn on_creating(&mut self, creating: Creating) {
        self.terms = Some(creating);
    }

    /// Handles the announcement of a game.
    pub(super) fn on_game_start(&mut self, start: GameStart, now: Instant) {
        if start.white != self.name && start.black != self.name {
            return;
        }
        let is_known = match &self.phase {
            Phase::Starting { start: known, .. } => known.game == start.game,
            Phase::Playing(play) => play.start.game == start.game,
            _ => false,
        };
        // Lasker announces a resumed game twice.
        if is_known {
            return;
        }
        self.rematch = None;
        self.resumption = Resumption::default();
        self.phase = Phase::Starting { start, since: now };
    }

    /// Handles a board line.
    pub(super) fn on_board(&mut self, board: &Board, now: Instant) {
        let Phase::Starting { start, .. } = &self.phase else {
            self.follow(board, now);
            return;
        };
        if board.game != start.game {
            return;
        }
        let start = start.clone();
        let has_moves = board.move_number > 1 || !board.white_to_move;
        if start.continued && has_moves && !is_fischer_random(&start) {
            // The repetitions count from the first move, so the engine needs all moves.
            if self.resumption.requested.is_none() {
                self.resumption.requested = Some(now);
                self.send(format!("moves {}", start.game));
            }
            self.resumption.board = Some(board.clone());
            return;
        }
        self.start_from(start, board, now);
    }

    /// Collects the moves of a resumed game.
    pub(super) fn on_move_list(&mut self, line: MoveList, now: Instant) {
        match line {
            MoveList::Start { game } if self.is_expected_list(game) => {
                self.resumption.has_begun = true;
                self.resumption.moves.clear();
            }
            MoveList::Moves { white, black, .. } if self.resumption.has_begun => {
                self.resumption.moves.extend(white.into_iter().chain(black));
            }
            MoveList::End { .. } if self.resumption.has_begun => self.start_with_moves(now),
            _ => {}
        }
    }

    /// Returns `true` if the account has requested the moves of this game.
    fn is_expected_list(&self, number: u32) -> bool {
        let is_announced =
            matches!(&self.phase, Phase::Starting { start, .. } if start.game == number);
        is_announced && self.resumption.requested.is_some()
    }

    /// Begins a resumed game without its moves if the server has not sent them in time.
    pub(super) fn start_without_moves(&mut self, now: Instant) {
        if let Phase::Starting { since, .. } = &mut self.phase
            && now >= *since + FIRST_BOARD
        {
            *since = now;
            self.send("refresh");
        }
        if self
            .resumption
            .requested
            .is_some_and(|requested| now >= requested + MOVE_LIST)
        {
            self.start_with_moves(now);
        }
    }

    fn start_with_moves(&mut self, now: Instant) {
        let resumption = std::mem::take(&mut self.resumption);
        let (Phase::Starting { start, .. }, Some(board)) = (&self.phase, resumption.board) else {
            return;
        };
        let start = start.clone();
        match Game::resume(&board, &resumption.moves) {
            Ok(game) => self.begin(start, game, now),
            Err(error) => {
                self.log(
                    Level::Warning,
                    format!("{error}; the game continues from the board"),
                );
                self.start_from(start, &board, now);
            }
        }
    }

    fn start_from(&mut self, start: GameStart, board: &Board, now: Instant) {
        match Game::start(board, is_fischer_random(&start)) {
            Ok(game) => self.begin(start, game, now),
            Err(error) => {
                self.log(Level::Error, error.to_string());
                self.send("abort");
            }
        }
    }

    /// Handles the end of a game.
    pub(super) fn on_game_end(&mut self, end: &GameEnd, now: Instant) {
        let is_own = match &self.phase {
            Phase::Playing(play) => play.start.game == end.game,
            Phase::Starting { start, .. } => start.game == end.game,
            _ => false,
        };
        if !is_own {
            return;
        }
        let opponent = self.opponent().unwrap_or_default().to_string();
        let goodbye = self.config.chat.goodbye.clone();
        let is_finished = end.result != GameResult::None;
        if is_finished {
            self.say(&goodbye);
        }
        if !end.is_adjourned() {
            self.archive(end.result.as_str(), &end.reason);
        }
        self.order(EngineOrder::GameOver {
            result: end.result.as_str(),
            comment: end.reason.clone(),
        });
        self.log(
            Level::Info,
            format!(
                "game {} is over: {} {}",
                end.game,
                end.reason,
                end.result.as_str()
            ),
        );
        self.report(Event::GameEnded {
            game: end.game,
            white: end.white.clone(),
            black: end.black.clone(),
            result: end.result.as_str().into(),
            reason: end.reason.clone(),
            half_moves: self.half_moves(),
        });
        self.count(end);
        self.history
            .game_ended(&opponent, self.config.challenges.pause_after);
        let command = self.rematch_command(end);
        self.last_game = Some(now);
        self.become_idle(now);
        self.rematch = command.map(|command| (now + REMATCH, command));
    }

    fn half_moves(&self) -> usize {
        match &self.phase {
            Phase::Playing(play) => play.game.ply(),
            _ => 0,
        }
    }

    fn count(&mut self, end: &GameEnd) {
        match self.outcome(end) {
            Some(Outcome::Won) => self.results.0 += 1,
            Some(Outcome::Lost) => self.results.1 += 1,
            Some(Outcome::Drawn) => self.results.2 += 1,
            Some(Outcome::Unfinished) | None => {}
        }
    }

    /// Returns the challenge for a rematch with the other colour (only FICS itself has a command `rematch`), if the
    /// configuration wants one.
    fn rematch_command(&self, end: &GameEnd) -> Option<String> {
        let outcome = self.outcome(end)?;
        let terms = &self.terms.as_ref()?.terms;
        let base = terms.base?;
        let rated = if terms.rated { "rated" } else { "unrated" };
        let opponent = if end.white == self.name {
            &end.black
        } else {
            &end.white
        };
        let color = if end.white == self.name {
            "black"
        } else {
            "white"
        };
        let variant = match variant(&terms.kind) {
            Variant::FischerRandom => " wild/fr",
            _ => "",
        };
        let command = format!(
            "match {opponent} {base} {} {rated} {color}{variant}",
            terms.increment
        );
        rules::offers_rematch(outcome, &self.config, &self.history).then_some(command)
    }

    /// Returns the result of the running game for this account.
    fn outcome(&self, end: &GameEnd) -> Option<Outcome> {
        let Phase::Playing(play) = &self.phase else {
            return None;
        };
        let own_is_white = play.game.own().is_white();
        Some(match end.result {
            GameResult::WhiteWins if own_is_white => Outcome::Won,
            GameResult::BlackWins if !own_is_white => Outcome::Won,
            GameResult::WhiteWins | GameResult::BlackWins => Outcome::Lost,
            GameResult::Draw => Outcome::Drawn,
            GameResult::None => Outcome::Unfinished,
        })
    }

    /// Ends the game here, because the connection is lost. The server adjourns it.
    pub(super) fn interrupt_game(&mut self, result: &'static str, comment: &str) {
        if matches!(self.phase, Phase::Playing(_) | Phase::Starting { .. }) {
            self.order(EngineOrder::GameOver {
                result,
                comment: comment.to_string(),
            });
        }
    }
}

/// Describes the terms of a challenge: `rated blitz 5 0`.
fn terms(terms: &GameTerms) -> String {
    let rated = if terms.rated { "rated" } else { "unrated" };
    match terms.base {
        Some(base) => format!("{rated} {} {base} {}", terms.kind, terms.increment),
        None => format!("{rated} {}", terms.kind),
    }
}

/// Returns the variant of a kind of game.
fn variant(kind: &str) -> Variant {
    match rules::variant(kind).as_str() {
        "normal" => Variant::Normal,
        "fischerandom" => Variant::FischerRandom,
        other => Variant::Other(other.into()),
    }
}

/// Returns `true` if the game is Fischer Random chess.
fn is_fischer_random(start: &GameStart) -> bool {
    variant(&start.kind) == Variant::FischerRandom
}
