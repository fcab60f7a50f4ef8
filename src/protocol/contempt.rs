//! The contempt with which Gaur plays against an opponent.

use crate::config::{ContemptSettings, MAX_CONTEMPT};
use crate::game::Players;

/// Rating points by which the opponent must be weaker for an automatic contempt of one centipawn.
const RATING_POINTS_PER_CENTIPAWN: i64 = 8;

/// Largest automatic contempt by ratings.
const MAX_BY_RATINGS: i64 = 40;

/// Centipawns of odds given for an automatic contempt of one centipawn.
const ODDS_PER_CENTIPAWN: i32 = 10;

/// Largest automatic contempt by odds.
const MAX_BY_ODDS: i32 = 40;

/// Returns the contempt in centipawns against this opponent, whom Gaur gives odds of this value.
pub fn contempt(settings: &ContemptSettings, players: &Players, odds: i32) -> i32 {
    let automatic = if settings.is_automatic {
        by_ratings(players) + (odds / ODDS_PER_CENTIPAWN).min(MAX_BY_ODDS)
    } else {
        0
    };
    (settings.centipawns + automatic).clamp(-MAX_CONTEMPT, MAX_CONTEMPT)
}

/// Returns the automatic contempt by ratings. A stronger opponent, or an unrated player, causes none.
fn by_ratings(players: &Players) -> i32 {
    let (Some(own), Some(opponent)) = (players.own_rating, players.opponent_rating) else {
        return 0;
    };
    let points = i64::from(own) - i64::from(opponent);
    (points / RATING_POINTS_PER_CENTIPAWN).clamp(0, MAX_BY_RATINGS) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn centipawns(settings: &[(&str, &str)], own: i32, opponent: i32, odds: i32) -> i32 {
        let mut config = Config::default();
        for (name, value) in settings {
            assert!(config.set(name, Some(value)).is_ok(), "{name}");
        }
        let mut players = Players::default();
        players.set_ratings(own, opponent);
        contempt(&config.contempt, &players, odds)
    }

    #[test]
    fn ratings_decide() {
        let by_ratings = |own, opponent| centipawns(&[], own, opponent, 0);
        assert_eq!(by_ratings(2000, 1760), 30);
        assert_eq!(by_ratings(9999, 1), 40);
        assert_eq!(by_ratings(2000, 2400), 0);
        assert_eq!((by_ratings(0, 1500), by_ratings(1500, 0)), (0, 0));
    }

    #[test]
    fn odds_add_to_the_ratings() {
        assert_eq!(centipawns(&[], 0, 0, 300), 30);
        assert_eq!(centipawns(&[], 2000, 1760, 300), 60);
        assert_eq!(centipawns(&[], 9999, 1, 5000), 80);
    }

    #[test]
    fn the_number_of_the_user_is_added_and_limited() {
        let number = [("Contempt", "-20")];
        assert_eq!(centipawns(&number, 0, 0, 0), -20);
        assert_eq!(centipawns(&number, 2000, 1760, 0), 10);
        assert_eq!(centipawns(&[("Contempt", "100")], 9999, 1, 970), 100);
        let alone = [("Contempt", "7"), ("AutoContempt", "0")];
        assert_eq!(centipawns(&alone, 9999, 1, 970), 7);
    }
}
