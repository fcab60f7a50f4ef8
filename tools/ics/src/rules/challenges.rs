//! Decisions on challenges.

use std::time::Duration;

use super::facts::{ChallengeFacts, Colour, Decision, History, is_listed};
use super::pause::pause_left;
use crate::config::{Challenges, ColourChoice, account_name};
use crate::text::Rating;

/// Moves that the estimated duration of a game counts, as on FICS.
const ESTIMATED_MOVES: u32 = 40;

/// Variants of standard chess by time control: the names that FICS gives to ratings.
const STANDARD_NAMES: [&str; 9] = [
    "normal",
    "chess",
    "lightning",
    "bullet",
    "blitz",
    "standard",
    "rapid",
    "slow",
    "untimed",
];

/// Names of Fischer Random chess on servers and in the xboard protocol.
const FISCHER_RANDOM_NAMES: [&str; 5] = ["fischerandom", "wild/fr", "chess960", "fr", "w/fr"];

/// Returns the name of a variant in the configuration: `normal`, `fischerandom`, or the server's name in lower case.
pub fn variant(server_name: &str) -> String {
    let name = server_name.trim().to_ascii_lowercase();
    // Lasker describes an adjourned game as a loaded board, such as `lightning/0`.
    let category = name.split('/').next().unwrap_or_default();
    if STANDARD_NAMES.contains(&category) || name.is_empty() {
        "normal".to_owned()
    } else if FISCHER_RANDOM_NAMES.contains(&name.as_str()) {
        "fischerandom".to_owned()
    } else {
        name
    }
}

/// Returns the estimated duration of a game in seconds, for one player: base time and 40 increments.
pub fn duration_seconds(base_minutes: u32, increment: u32) -> u64 {
    u64::from(base_minutes) * 60 + u64::from(increment) * u64::from(ESTIMATED_MOVES)
}

/// Decides on a challenge. The reason of a refusal is a sentence for the other player.
///
/// A challenge during a game or after a stop was requested is declined, so that the other player need not wait.
/// A challenge of a listed opponent (`noplay`) is declined without a reason. A challenge of a player whose name is no
/// account name is ignored, because the answer contains the name.
pub fn decide(challenge: &ChallengeFacts, rules: &Challenges, history: &History) -> Decision {
    if account_name(&challenge.opponent).is_err() {
        return Decision::Ignore;
    }
    if is_listed(&rules.noplay, &challenge.opponent) {
        return Decision::Decline(String::new());
    }
    let reason = availability(rules, history)
        .or_else(|| terms(challenge, rules))
        .or_else(|| opponent(challenge, rules, history));
    reason.map_or(Decision::Accept, Decision::Decline)
}

/// Returns the reason for which no game can begin now.
fn availability(rules: &Challenges, history: &History) -> Option<String> {
    if history.playing {
        Some("I am playing a game. Please challenge me again when it has ended.".to_owned())
    } else if history.stopping {
        Some("Sorry, I am about to log out.".to_owned())
    } else if !rules.accept {
        Some("Sorry, I accept no challenges now.".to_owned())
    } else {
        None
    }
}

/// Returns the first term of the game that the rules refuse.
pub(super) fn terms(challenge: &ChallengeFacts, rules: &Challenges) -> Option<String> {
    if challenge.adjourned {
        return (!rules.adjourned).then(|| "Sorry, I resume no adjourned games.".to_owned());
    }
    if !rules.variants.contains(&variant(&challenge.variant)) {
        let known = rules.variants.join(" and ");
        return Some(format!("Sorry, I play only these variants: {known}."));
    }
    if challenge.rated && !rules.rated {
        return Some("Sorry, I play only unrated games.".to_owned());
    }
    if !challenge.rated && !rules.unrated {
        return Some("Sorry, I play only rated games.".to_owned());
    }
    if let Some(reason) = colour(challenge.colour, rules.colour) {
        return Some(reason);
    }
    let Some((base, increment)) = challenge.time else {
        return (!rules.untimed).then(|| "Sorry, I play only with clocks.".to_owned());
    };
    time(base, increment, rules)
}

/// Returns the reason for which the account does not take the colour.
fn colour(asked: Option<Colour>, allowed: ColourChoice) -> Option<String> {
    match (asked, allowed) {
        (Some(Colour::White), ColourChoice::Black) => {
            Some("Sorry, I play only with the black pieces.".to_owned())
        }
        (Some(Colour::Black), ColourChoice::White) => {
            Some("Sorry, I play only with the white pieces.".to_owned())
        }
        _ => None,
    }
}

/// Returns the reason for which the time control is refused.
fn time(base: u32, increment: u32, rules: &Challenges) -> Option<String> {
    if !(rules.base_min..=rules.base_max).contains(&base) {
        return Some(format!(
            "Sorry, I play with base times from {} to {} minutes.",
            rules.base_min, rules.base_max
        ));
    }
    if !(rules.increment_min..=rules.increment_max).contains(&increment) {
        return Some(format!(
            "Sorry, I play with increments from {} to {} seconds.",
            rules.increment_min, rules.increment_max
        ));
    }
    let seconds = duration_seconds(base, increment);
    let (least, most) = (
        u64::from(rules.duration_min) * 60,
        u64::from(rules.duration_max) * 60,
    );
    (!(least..=most).contains(&seconds)).then(|| {
        format!(
            "Sorry, I play games of {} to {} minutes for each side (base time and 40 increments).",
            rules.duration_min, rules.duration_max
        )
    })
}

/// Returns the reason for which this player is refused.
fn opponent(challenge: &ChallengeFacts, rules: &Challenges, history: &History) -> Option<String> {
    if challenge.adjourned || is_listed(&rules.prefer, &challenge.opponent) {
        return None;
    }
    if rules.prefer_only {
        return Some("Sorry, I play only with players whom I know.".to_owned());
    }
    if challenge.computer && !rules.computers {
        return Some("Sorry, I do not play with computers.".to_owned());
    }
    if let Some(reason) = rating(challenge.rating, rules) {
        return Some(reason);
    }
    let in_row = if history
        .last_opponent
        .eq_ignore_ascii_case(&challenge.opponent)
    {
        history.games_in_row
    } else {
        0
    };
    if rules.games_in_row > 0 && in_row >= rules.games_in_row {
        return Some("Thank you for the games. Please let others play now.".to_owned());
    }
    pause_left(rules, history).map(|left| {
        let minutes = left.saturating_add(Duration::from_secs(59)).as_secs() / 60;
        let unit = if minutes == 1 { "minute" } else { "minutes" };
        format!("I am taking a rest. Please try again in {minutes} {unit}.")
    })
}

/// Returns the reason for which a player with this rating is refused.
fn rating(rating: Rating, rules: &Challenges) -> Option<String> {
    match rating {
        Rating::Guest if !rules.guests => Some("Sorry, I do not play with guests.".to_owned()),
        Rating::Unrated if !rules.unrated_players => {
            Some("Sorry, I play only with players who have a rating.".to_owned())
        }
        Rating::Known(number) if !(rules.rating_min..=rules.rating_max).contains(&number) => {
            Some(format!(
                "Sorry, I play with players rated from {} to {}.",
                rules.rating_min, rules.rating_max
            ))
        }
        _ => None,
    }
}
