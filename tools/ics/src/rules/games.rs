//! The next game: seeks and rematches.

use super::challenges::terms;
use super::facts::{ChallengeFacts, Colour, History, Outcome};
use super::pause::pause_left;
use crate::config::{Challenges, ColourChoice, Config, RematchOffer, SeekGame};
use crate::text::Rating;

/// Returns the next game to seek: the games of the list in turn, by the number of seeks in `history`. `None` while the
/// account plays, pauses or stops.
///
/// The caller waits for `seek.after` and between two seeks for `seek.every`.
pub fn next_seek<'a>(config: &'a Config, history: &History) -> Option<&'a SeekGame> {
    let games = &config.seek.games;
    if games.is_empty()
        || history.playing
        || history.stopping
        || !config.challenges.accept
        || pause_left(&config.challenges, history).is_some()
    {
        return None;
    }
    games.get(history.seeks % games.len())
}

/// Returns the reason for which the rules decline everyone who answers a seek, for its terms; `None` if the server
/// starts the game at once.
pub fn contradiction(seek: &SeekGame, rules: &Challenges) -> Option<String> {
    if seek.automatic {
        return None;
    }
    let facts = ChallengeFacts {
        opponent: String::new(),
        rating: Rating::Unrated,
        computer: false,
        rated: seek.rated,
        variant: seek.variant.clone(),
        time: Some((seek.base, seek.increment)),
        colour: match seek.colour {
            ColourChoice::Any => None,
            ColourChoice::White => Some(Colour::White),
            ColourChoice::Black => Some(Colour::Black),
        },
        adjourned: false,
    };
    terms(&facts, rules)
}

/// Returns the line for the server that seeks the game, such as `seek 5 0 rated m`.
pub fn seek_command(game: &SeekGame) -> String {
    let mut line = format!("seek {} {}", game.base, game.increment);
    line.push_str(if game.rated { " rated" } else { " unrated" });
    match game.colour {
        ColourChoice::Any => {}
        ColourChoice::White => line.push_str(" white"),
        ColourChoice::Black => line.push_str(" black"),
    }
    if game.variant == "fischerandom" {
        line.push_str(" wild fr");
    }
    // Manual: the server asks before it starts the game, so that the rules decide.
    if !game.automatic {
        line.push_str(" m");
    }
    if (game.rating_min, game.rating_max) != (0, 9999) {
        line.push_str(&format!(" {}-{}", game.rating_min, game.rating_max));
    }
    line
}

/// Returns `true` if this account offers a rematch after a game with this outcome.
///
/// `history` already contains the game.
pub fn offers_rematch(outcome: Outcome, config: &Config, history: &History) -> bool {
    let wanted = match (config.rematch.offer, outcome) {
        (RematchOffer::Never, _) | (_, Outcome::Unfinished) => false,
        (RematchOffer::Always, _) => true,
        (RematchOffer::Won, outcome) => outcome == Outcome::Won,
        (RematchOffer::NotWon, outcome) => outcome != Outcome::Won,
    };
    // The rules for challenges would decline more games in a row.
    let limit = match config.challenges.games_in_row {
        0 => config.rematch.games,
        limit => limit.min(config.rematch.games),
    };
    wanted
        && !history.playing
        && !history.stopping
        && config.challenges.accept
        && history.games_in_row < limit
        && pause_left(&config.challenges, history).is_none()
        && !super::is_listed(&config.challenges.noplay, &history.last_opponent)
}
