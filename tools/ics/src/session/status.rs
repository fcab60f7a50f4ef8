//! The state of the account for the status line and for owners.

use std::time::{Duration, Instant};

use super::account::Account;
use super::phase::Phase;
use crate::report::StatusView;

impl Account {
    /// Describes the state for the status line.
    pub(super) fn view(&self, now: Instant) -> StatusView {
        let mut view = StatusView {
            account: self.name.clone(),
            state: self.state(now),
            opponent: self.opponent().unwrap_or_default().to_string(),
            clocks: None,
            score: None,
            results: self.results,
        };
        if let Phase::Playing(play) = &self.phase {
            let clocks = play.clocks(Duration::ZERO, now);
            view.clocks = Some((clocks.own, clocks.opponent));
            view.score = play
                .scores
                .iter()
                .rev()
                .flatten()
                .next()
                .map(|thinking| thinking.score);
        }
        view
    }

    /// Returns the results of all games, such as `3 games: +2 -0 =1`; `None` without a game.
    pub(super) fn summary(&self) -> Option<String> {
        let (won, lost, drawn) = self.results;
        let count = won.saturating_add(lost).saturating_add(drawn);
        let games = if count == 1 { "game" } else { "games" };
        (count > 0).then(|| format!("{count} {games}: +{won} -{lost} ={drawn}"))
    }

    fn state(&self, now: Instant) -> String {
        match &self.phase {
            Phase::Offline { .. } if !self.engine.has_started() => "the engine starts".into(),
            Phase::Offline { until } => {
                let left = until.saturating_duration_since(now);
                // Rounded up.
                let seconds = left.saturating_add(Duration::from_millis(999)).as_secs();
                match seconds {
                    0 => "connecting".into(),
                    _ => format!("offline, next attempt in {seconds} s"),
                }
            }
            Phase::LoggingIn { .. } => "logging in".into(),
            Phase::Idle { .. } => "waiting for a game".into(),
            Phase::Starting(_) => "a game begins".into(),
            Phase::Playing(_) if self.stop.is_some() => {
                let what = match self.adjournment {
                    Some(_) => "adjournment requested",
                    None => "ends after this game",
                };
                let hint = match self.signals {
                    0 => "",
                    _ => " (Ctrl-C again: at once)",
                };
                format!("{what}{hint}")
            }
            Phase::Playing(play) => {
                format!("playing {}", play.game.own().fold_wb("White", "Black"))
            }
            Phase::Leaving { .. } => "logging out".into(),
        }
    }
}
