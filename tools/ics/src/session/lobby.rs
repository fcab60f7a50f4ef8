//! The time between two games: challenges, seeks, the offer of a rematch, and lists of users.

use std::time::{Duration, Instant};

use super::account::Account;
use super::phase::Phase;
use super::starting::Accepted;
use crate::config::SeekGame;
use crate::engine::Variant;
use crate::report::{Event, Level};
use crate::rules::{self, ChallengeFacts, Colour, Decision};
use crate::text::{self, Challenge, GameTerms};

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
            next_seek: Some(now + pause),
        };
        self.adjournment = None;
    }

    /// Answers a challenge.
    pub(super) fn on_challenge(&mut self, challenge: &Challenge, now: Instant) {
        self.history.playing = !matches!(self.phase, Phase::Idle { .. });
        self.history.stopping = self.stop.is_some();
        self.history.since_last_game = self.last_game.map(|end| now.saturating_duration_since(end));
        let facts = self.facts(challenge);
        let name = challenge.from.name.as_str();
        let is_unwanted = self.unwanted.contains(&name.to_ascii_lowercase());
        let decision = match rules::decide(&facts, &self.config.challenges, &self.history) {
            Decision::Accept if is_unwanted && !facts.adjourned => {
                Decision::Decline("Sorry, not after the game that I cannot play.".into())
            }
            // The description of an adjourned game does not always name its variant.
            Decision::Accept if facts.adjourned => Decision::Accept,
            Decision::Accept => self.engine_decision(&facts.variant),
            other => other,
        };
        match decision {
            Decision::Accept => {
                self.report_challenge(challenge, true, "");
                self.accepted.retain(|accepted| accepted.is_recent(now));
                self.accepted.push(Accepted::new(name, now));
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

    /// Reports a challenge of this account.
    pub(super) fn report_own_challenge(&mut self, opponent: String, purpose: &'static str) {
        self.log(Level::Info, format!("{opponent} is challenged: {purpose}"));
        self.report(Event::ChallengeSent { opponent, purpose });
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
    pub(super) fn on_list_line(&mut self, line: &str, now: Instant) {
        let partners = self.partners.expected_names(&text::names(line));
        for name in &partners {
            self.on_partner(name, now);
        }
        if let Some(rest) = line.strip_prefix(COMPUTERS) {
            let number = rest.split_whitespace().find_map(|word| word.parse().ok());
            self.computers_to_read = number.unwrap_or(0);
        } else if self.computers_to_read > 0 {
            for name in line.split_whitespace().map(str::to_ascii_lowercase) {
                if let Some(left) = self.computers_to_read.checked_sub(1) {
                    self.computers_to_read = left;
                    self.computers.insert(name);
                }
            }
        }
    }

    /// Ends all lists: their lines follow each other.
    pub(super) fn end_lists(&mut self) {
        self.computers_to_read = 0;
        self.partners.expects(0);
    }

    /// Seeks a game, or offers a rematch, if it is time.
    pub(super) fn tick_idle(&mut self, now: Instant) {
        if let Some((at, command)) = &self.rematch
            && now >= *at
        {
            let command = command.clone();
            self.rematch = None;
            let opponent = command.split(' ').nth(1).unwrap_or_default().to_string();
            self.report_own_challenge(opponent, "rematch");
            self.send(command);
        }
        self.resume_next(now);
        let Phase::Idle { next_seek } = &mut self.phase else {
            return;
        };
        if !self.can_seek || next_seek.is_none_or(|next| now < next) {
            return;
        }
        *next_seek = Some(now + Duration::from_secs(self.config.seek.every.max(1)));
        self.history.since_last_game = self.last_game.map(|end| now.saturating_duration_since(end));
        if let Some(seek) = self.next_seek() {
            self.send(rules::seek_command(&seek));
            self.seek_sent = Some(seek);
        }
    }

    /// Returns the next seek that the server has not refused, and counts it.
    fn next_seek(&mut self) -> Option<SeekGame> {
        for _ in 0..self.config.seek.games.len() {
            let seek = rules::next_seek(&self.config, &self.history)?.clone();
            self.history.seeks += 1;
            if !self.refused_seeks.contains(&seek) {
                return Some(seek);
            }
        }
        None
    }

    /// Leaves out the seek that the server refuses, until the next login.
    pub(super) fn on_seek_refused(&mut self, text: &str) {
        let Some(seek) = self.seek_sent.take() else {
            return;
        };
        let mut warning = format!(
            "the server refuses `{}` ({text}), which is not sent again",
            rules::seek_command(&seek)
        );
        if !seek.automatic {
            warning.push_str(
                ". If it does not know `m`, set automatic = true for this game in [seek] games",
            );
        }
        self.refused_seeks.push(seek);
        self.log(Level::Warning, warning);
    }

    /// Ends the seeks of this session, because the server does not know them.
    pub(super) fn on_unknown_seek(&mut self) {
        self.seek_sent = None;
        self.can_seek = false;
        let text = "the server does not know seeks: no more are sent";
        self.log(Level::Warning, text.into());
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
pub(super) fn variant(kind: &str) -> Variant {
    match rules::variant(kind).as_str() {
        "normal" => Variant::Normal,
        "fischerandom" => Variant::FischerRandom,
        other => Variant::Other(other.into()),
    }
}

/// Returns `true` if the text refuses a seek, because of its variant or because the account accepts it by hand.
pub(super) fn refuses_seek(text: &str) -> bool {
    ["seek", "Usage: seek", "No such category/board: "]
        .iter()
        .any(|start| text.starts_with(start))
}
