//! Challenges to opponents with an adjourned game.

use std::time::Instant;

use super::account::Account;
use super::phase::Phase;
use crate::rules;
use crate::text::ChallengeNotice;

impl Account {
    /// Handles the answer to a challenge of this account, and news of opponents with adjourned games.
    pub(super) fn on_challenge_notice(&mut self, notice: &ChallengeNotice, now: Instant) {
        match notice {
            ChallengeNotice::PresentPartners(names) => {
                for name in names {
                    self.on_partner(name, now);
                }
            }
            ChallengeNotice::AdjournedPartners(number) => self.partners.expects(*number),
            ChallengeNotice::Issued { to, adjourned } => self.on_issued(to, *adjourned),
            ChallengeNotice::Declined(name) | ChallengeNotice::Gone(name) => {
                self.on_challenge_refused(name);
            }
            ChallengeNotice::Accepted(_)
            | ChallengeNotice::Withdrawn(_)
            | ChallengeNotice::Updated(_) => {}
        }
    }

    /// Notes that a user with an adjourned game is online.
    pub(super) fn on_partner(&mut self, name: &str, now: Instant) {
        let rules = &self.config.challenges;
        if rules.adjourned && !rules::is_listed(&rules.noplay, name) {
            self.partners.add(name);
            self.resume_next(now);
        }
    }

    /// Challenges the next opponent with an adjourned game, unless the account accepts no games or pauses.
    pub(super) fn resume_next(&mut self, now: Instant) {
        if !matches!(self.phase, Phase::Idle { .. }) || !self.config.challenges.accept {
            return;
        }
        self.history.since_last_game = self.last_game.map(|end| now.saturating_duration_since(end));
        if rules::pause_left(&self.config.challenges, &self.history).is_some() {
            return;
        }
        if let Some(name) = self.partners.next(now) {
            self.send(format!("match {name}"));
            self.report_own_challenge(name, "adjourned game");
        }
    }

    /// Handles the server's description of a challenge of this account. Without an adjourned game, `match` would begin
    /// a new game with the server's usual time control.
    fn on_issued(&mut self, to: &str, adjourned: bool) {
        if !adjourned && self.partners.is_asked(to) {
            self.send(format!("withdraw {to}"));
            self.partners.is_refused_by(to);
        }
    }

    /// Handles the refusal of a challenge of this account.
    pub(super) fn on_challenge_refused(&mut self, by: &str) {
        self.partners.is_refused_by(by);
    }
}
