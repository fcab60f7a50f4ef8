//! The pause of the account after a number of games.

use std::time::Duration;

use super::facts::History;
use crate::config::Challenges;

/// Returns the rest of the pause after `pause_after` games; `None` if there is no pause now.
pub fn pause_left(rules: &Challenges, history: &History) -> Option<Duration> {
    if rules.pause_after == 0 || history.games_since_pause < rules.pause_after {
        return None;
    }
    let pause = Duration::from_secs(u64::from(rules.pause) * 60);
    let left = pause.saturating_sub(history.since_last_game?);
    (!left.is_zero()).then_some(left)
}
