//! The end of games: results, rematches, and games that end without a word of the server.

use std::time::{Duration, Instant};

use super::account::Account;
use super::actions::{Action, Exit};
use super::game_state::{Interrupted, Play};
use super::lobby::variant;
use super::phase::Phase;
use crate::config::ColourChoice;
use crate::engine::{Order, Variant};
use crate::report::{Event, Level};
use crate::rules::{self, Outcome};
use crate::text::{GameEnd, GameResult};

/// Pause between a game and the challenge for a rematch, in which the server ends the game.
const REMATCH: Duration = Duration::from_secs(1);

/// Time for the server to confirm the resignation before the program ends.
const RESIGNATION: Duration = Duration::from_secs(3);

impl Account {
    /// Handles the end of a game.
    pub(super) fn on_game_end(&mut self, end: &GameEnd, now: Instant) {
        let is_own = match &self.phase {
            Phase::Playing(play) => play.start.game == end.game,
            Phase::Starting(starting) => starting.start.game == end.game,
            _ => false,
        };
        if !is_own {
            return;
        }
        let opponent = self.opponent().unwrap_or_default().to_string();
        let goodbye = self.config.chat.goodbye.clone();
        if end.result != GameResult::None {
            self.say(&goodbye);
        }
        let outcome = self.outcome(end);
        let own_result = outcome.unwrap_or(Outcome::Unfinished).as_str();
        self.log(
            Level::Notice,
            format!(
                "game {} against {opponent}: {own_result} ({})",
                end.game, end.reason
            ),
        );
        self.finish_game(end, &opponent, now);
        let rematch = match &self.phase {
            Phase::Playing(play) => self.rematch(play, outcome, &opponent),
            _ => None,
        };
        match outcome {
            Some(Outcome::Won) => self.results.0 += 1,
            Some(Outcome::Lost) => self.results.1 += 1,
            Some(Outcome::Drawn) => self.results.2 += 1,
            Some(Outcome::Unfinished) | None => {}
        }
        if end.is_adjourned() {
            self.keep_interrupted(&end.reason);
        } else {
            self.record_running(end.result.as_str(), &end.reason);
        }
        self.become_idle(now);
        self.rematch = rematch.map(|command| (now + REMATCH, command));
        if let Some((_, exit)) = self.exit.take() {
            self.end(exit);
        }
    }

    /// Ends a game here that the server does not show any more.
    pub(super) fn end_lost_game(&mut self, reason: &str, now: Instant) {
        let (game, white, black) = match &self.phase {
            Phase::Playing(play) => {
                let board = play.game.board();
                (play.start.game, board.white.clone(), board.black.clone())
            }
            Phase::Starting(starting) => {
                let start = &starting.start;
                (start.game, start.white.clone(), start.black.clone())
            }
            _ => return,
        };
        self.log(Level::Warning, format!("game {game} ends here: {reason}"));
        let end = GameEnd {
            game,
            white,
            black,
            reason: reason.to_string(),
            result: GameResult::None,
        };
        let opponent = self.opponent().unwrap_or_default().to_string();
        self.finish_game(&end, &opponent, now);
        // The server may resume it.
        self.keep_interrupted(reason);
        self.become_idle(now);
        if let Some((_, exit)) = self.exit.take() {
            self.end(exit);
        }
    }

    /// Informs the engine and supervising programs of the end of the game, and counts the game.
    fn finish_game(&mut self, end: &GameEnd, opponent: &str, now: Instant) {
        self.order(Order::GameOver {
            result: end.result.as_str(),
            comment: end.reason.clone(),
        });
        let half_moves = match &self.phase {
            Phase::Playing(play) => play.game.ply(),
            _ => 0,
        };
        let is_white = self.is_own_name(&end.white);
        let own_result = self.outcome(end).unwrap_or(Outcome::Unfinished).as_str();
        self.report(Event::GameEnded {
            game: end.game,
            white: end.white.clone(),
            black: end.black.clone(),
            result: end.result.as_str().into(),
            reason: end.reason.clone(),
            half_moves,
            own_colour: if is_white { "white" } else { "black" },
            own_result,
        });
        let rules = &self.config.challenges;
        if end.result != GameResult::None {
            self.history.game_ended(opponent, rules.pause_after);
        }
        if rules::pause_left(rules, &self.history).is_some() {
            self.send("unseek");
        }
        self.last_game = Some(now);
    }

    /// Leaves the running game without its end: the connection is lost, or the account logs out.
    pub(super) fn leave_game(&mut self, reason: &str) {
        if self.phase.is_game() {
            self.order(Order::GameOver {
                result: "*",
                comment: reason.to_string(),
            });
            self.keep_interrupted(reason);
        }
    }

    /// Keeps the running game until it is resumed, or until another interruption or the end of the program. The caller
    /// sets the next phase.
    fn keep_interrupted(&mut self, reason: &str) {
        if let Some(play) = self.phase.take_play() {
            self.record_interrupted();
            self.interrupted = Some(Interrupted {
                play,
                reason: reason.to_string(),
            });
        }
    }

    /// Continues the interrupted game, if `play` is that game.
    pub(super) fn continue_interrupted(&mut self, play: &mut Play) {
        if let Some(interrupted) = &self.interrupted
            && play.continue_from(&interrupted.play)
        {
            self.interrupted = None;
        }
    }

    /// Records the interrupted game without a result.
    fn record_interrupted(&mut self) {
        if let Some(interrupted) = self.interrupted.take() {
            self.record(&interrupted.play, "*", &interrupted.reason);
        }
    }

    fn record_running(&mut self, result: &str, reason: &str) {
        if let Some(play) = self.phase.take_play() {
            self.record(&play, result, reason);
        }
    }

    /// Ends the program. All games are recorded.
    pub(super) fn end(&mut self, exit: Exit) {
        self.leave_game("the program has ended");
        self.record_interrupted();
        self.actions.push(Action::End(exit));
    }

    /// Resigns the running game, because the engine cannot play on, and then ends the program.
    ///
    /// A resignation is fairer than a wait for the flag.
    pub(super) fn resign_and_end(&mut self, exit: Exit, now: Instant) {
        if self.phase.is_game() {
            self.send("resign");
            self.exit = Some((now + RESIGNATION, exit));
        } else {
            self.end(exit);
        }
    }

    /// Returns the challenge for a rematch with the other colour, or the one that the rules allow, if the
    /// configuration wants one. Only FICS itself has a command `rematch`.
    fn rematch(&self, play: &Play, outcome: Option<Outcome>, opponent: &str) -> Option<String> {
        let terms = &play.terms.as_ref()?.terms;
        let base = terms.base?;
        let rated = if terms.rated { "rated" } else { "unrated" };
        let color = match self.config.challenges.colour {
            ColourChoice::Any if play.game.own().is_white() => "black",
            ColourChoice::Any | ColourChoice::White => "white",
            ColourChoice::Black => "black",
        };
        let variant = match variant(&terms.kind) {
            Variant::FischerRandom => " wild fr",
            _ => "",
        };
        let command = format!(
            "match {opponent} {base} {} {rated} {color}{variant}",
            terms.increment
        );
        rules::offers_rematch(outcome?, &self.config, &self.history).then_some(command)
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
}
