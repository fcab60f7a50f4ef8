//! Tests of decisions on challenges.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::config::{Challenges, ColourChoice};
use crate::text::Rating;

fn challenge() -> ChallengeFacts {
    ChallengeFacts {
        opponent: "Rabbit".to_owned(),
        rating: Rating::Known(1500),
        computer: false,
        rated: true,
        variant: "blitz".to_owned(),
        time: Some((5, 3)),
        colour: None,
        adjourned: false,
    }
}

/// Returns the reason of a refusal; empty for an accepted challenge.
fn reason(challenge: &ChallengeFacts, rules: &Challenges, history: &History) -> String {
    match decide(challenge, rules, history) {
        Decision::Accept => String::new(),
        Decision::Decline(reason) => reason,
        Decision::Ignore => "ignored".to_owned(),
    }
}

/// Checks that `rules` accept the challenge before the change and decline it with `text` after it.
fn declines(
    rules: &Challenges,
    history: &History,
    change: impl Fn(&mut ChallengeFacts),
    text: &str,
) {
    let mut changed = challenge();
    change(&mut changed);
    let default = decide(&changed, &Challenges::default(), &History::default());
    assert_eq!(default, Decision::Accept, "the reason must be the rule");
    let found = reason(&changed, rules, history);
    assert!(found.contains(text), "{found:?} instead of {text:?}");
}

fn unchanged(_: &mut ChallengeFacts) {}

#[test]
fn usual_challenges_are_accepted() {
    let rules = Challenges::default();
    assert_eq!(
        decide(&challenge(), &rules, &History::default()),
        Decision::Accept
    );
}

#[test]
fn time_controls_are_limited() {
    let idle = History::default();
    let rules = Challenges {
        base_min: 3,
        base_max: 15,
        increment_min: 1,
        increment_max: 10,
        duration_min: 5,
        duration_max: 17,
        ..Challenges::default()
    };
    let at =
        |base, increment| move |facts: &mut ChallengeFacts| facts.time = Some((base, increment));
    declines(&rules, &idle, at(2, 5), "base times from 3 to 15 minutes");
    declines(&rules, &idle, at(16, 1), "base times from 3 to 15 minutes");
    declines(&rules, &idle, at(5, 0), "increments from 1 to 10 seconds");
    declines(&rules, &idle, at(5, 11), "increments from 1 to 10 seconds");
    // 3 minutes and 40 seconds; 17 minutes and 40 seconds.
    declines(&rules, &idle, at(3, 1), "games of 5 to 17 minutes");
    declines(&rules, &idle, at(15, 4), "games of 5 to 17 minutes");
    for time in [(3, 3), (15, 3)] {
        let facts = ChallengeFacts {
            time: Some(time),
            ..challenge()
        };
        assert_eq!(decide(&facts, &rules, &idle), Decision::Accept, "{time:?}");
    }
    assert_eq!(
        duration_seconds(999, u32::MAX),
        999 * 60 + u64::from(u32::MAX) * 40
    );
}

#[test]
fn games_without_clocks_are_declined_by_default() {
    let facts = ChallengeFacts {
        time: None,
        variant: "untimed".to_owned(),
        ..challenge()
    };
    let idle = History::default();
    assert!(reason(&facts, &Challenges::default(), &idle).contains("clocks"));
    let rules = Challenges {
        untimed: true,
        ..Challenges::default()
    };
    assert_eq!(decide(&facts, &rules, &idle), Decision::Accept);
}

#[test]
fn opponents_are_limited() {
    let idle = History::default();
    let rules = Challenges {
        rating_min: 1000,
        rating_max: 2000,
        unrated_players: false,
        guests: false,
        computers: false,
        ..Challenges::default()
    };
    let rated = |rating| move |facts: &mut ChallengeFacts| facts.rating = rating;
    declines(
        &rules,
        &idle,
        rated(Rating::Known(999)),
        "rated from 1000 to 2000",
    );
    declines(
        &rules,
        &idle,
        rated(Rating::Known(2001)),
        "rated from 1000 to 2000",
    );
    declines(&rules, &idle, rated(Rating::Unrated), "who have a rating");
    declines(&rules, &idle, rated(Rating::Guest), "guests");
    declines(&rules, &idle, |facts| facts.computer = true, "computers");
    for rating in [1000, 2000] {
        let facts = ChallengeFacts {
            rating: Rating::Known(rating),
            ..challenge()
        };
        assert_eq!(decide(&facts, &rules, &idle), Decision::Accept);
    }
}

#[test]
fn kind_of_game_is_limited() {
    let idle = History::default();
    let unrated_only = Challenges {
        rated: false,
        ..Challenges::default()
    };
    declines(&unrated_only, &idle, unchanged, "only unrated");
    let rated_only = Challenges {
        unrated: false,
        ..Challenges::default()
    };
    declines(
        &rated_only,
        &idle,
        |facts| facts.rated = false,
        "only rated",
    );
    let closed = Challenges {
        accept: false,
        ..Challenges::default()
    };
    declines(&closed, &idle, unchanged, "no challenges");
}

#[test]
fn variants_have_several_names() {
    for name in ["blitz", "Standard", "lightning", "untimed", "", "normal"] {
        assert_eq!(variant(name), "normal", "{name}");
    }
    for name in ["wild/fr", "Wild/FR", "fischerandom", "chess960"] {
        assert_eq!(variant(name), "fischerandom", "{name}");
    }
    assert_eq!(variant("Crazyhouse"), "crazyhouse");
    assert_eq!(variant("wild/4"), "wild/4");
    let facts = ChallengeFacts {
        variant: "crazyhouse".to_owned(),
        ..challenge()
    };
    let found = reason(&facts, &Challenges::default(), &History::default());
    assert_eq!(
        found,
        "Sorry, I play only these variants: normal and fischerandom."
    );
    let normal = Challenges {
        variants: vec!["normal".to_owned()],
        ..Challenges::default()
    };
    declines(
        &normal,
        &History::default(),
        |facts| facts.variant = "wild/fr".to_owned(),
        "variants: normal.",
    );
}

#[test]
fn colour_left_to_the_server_is_accepted() {
    for (allowed, asked, text) in [
        (ColourChoice::White, Colour::Black, "white pieces"),
        (ColourChoice::Black, Colour::White, "black pieces"),
    ] {
        let rules = Challenges {
            colour: allowed,
            ..Challenges::default()
        };
        let idle = History::default();
        declines(&rules, &idle, |facts| facts.colour = Some(asked), text);
        assert_eq!(decide(&challenge(), &rules, &idle), Decision::Accept);
        let mut facts = challenge();
        facts.colour = Some(if asked == Colour::White {
            Colour::Black
        } else {
            Colour::White
        });
        assert_eq!(decide(&facts, &rules, &idle), Decision::Accept);
    }
}

#[test]
fn refused_players_hear_no_reason() {
    let rules = Challenges {
        noplay: vec!["RABBIT".to_owned()],
        ..Challenges::default()
    };
    let decision = decide(&challenge(), &rules, &History::default());
    assert_eq!(decision, Decision::Decline(String::new()));
    let facts = ChallengeFacts {
        adjourned: true,
        ..challenge()
    };
    assert_eq!(decide(&facts, &rules, &History::default()), decision);
}

#[test]
fn names_that_could_be_commands_are_ignored() {
    for name in ["", "a; quit", "a\nquit", "a b", "-x", "Straße"] {
        let facts = ChallengeFacts {
            opponent: name.to_owned(),
            ..challenge()
        };
        let decision = decide(&facts, &Challenges::default(), &History::default());
        assert_eq!(decision, Decision::Ignore, "{name:?}");
    }
}

#[test]
fn no_game_begins_during_a_game_or_a_stop() {
    let playing = History {
        playing: true,
        ..History::default()
    };
    let stopping = History {
        stopping: true,
        ..History::default()
    };
    let rules = Challenges {
        prefer: vec!["Rabbit".to_owned()],
        ..Challenges::default()
    };
    declines(&rules, &playing, unchanged, "playing a game");
    declines(&rules, &stopping, unchanged, "log out");
    declines(&rules, &stopping, |facts| facts.adjourned = true, "log out");
}

#[test]
fn adjourned_games_have_their_own_rule() {
    let facts = ChallengeFacts {
        adjourned: true,
        rated: false,
        time: None,
        rating: Rating::Guest,
        variant: "suicide".to_owned(),
        ..challenge()
    };
    let mut rules = Challenges {
        guests: false,
        unrated: false,
        games_in_row: 1,
        ..Challenges::default()
    };
    let history = History {
        last_opponent: "rabbit".to_owned(),
        games_in_row: 1,
        ..History::default()
    };
    assert_eq!(decide(&facts, &rules, &history), Decision::Accept);
    rules.adjourned = false;
    assert!(reason(&facts, &rules, &history).contains("resume"));
}

#[test]
fn games_in_a_row_are_limited() {
    let rules = Challenges {
        games_in_row: 2,
        ..Challenges::default()
    };
    let mut history = History::default();
    history.game_ended("rabbit", 0);
    assert_eq!(decide(&challenge(), &rules, &history), Decision::Accept);
    history.game_ended("Rabbit", 0);
    declines(&rules, &history, unchanged, "let others play");
    history.game_ended("Fox", 0);
    assert_eq!(
        (history.last_opponent.as_str(), history.games_in_row),
        ("Fox", 1)
    );
    assert_eq!(decide(&challenge(), &rules, &history), Decision::Accept);
}

#[test]
fn pause_follows_the_games() {
    let rules = Challenges {
        pause_after: 2,
        pause: 5,
        ..Challenges::default()
    };
    let mut history = History::default();
    assert_eq!(pause_left(&rules, &history), None);
    history.game_ended("Fox", 2);
    assert_eq!(decide(&challenge(), &rules, &history), Decision::Accept);
    history.game_ended("Fox", 2);
    declines(&rules, &history, unchanged, "try again in 5 minutes");
    history.since_last_game = Some(Duration::from_secs(4 * 60 + 1));
    declines(&rules, &history, unchanged, "try again in 1 minute.");
    history.since_last_game = Some(Duration::from_secs(5 * 60));
    assert_eq!(decide(&challenge(), &rules, &history), Decision::Accept);
    // The next pause comes after two more games.
    history.game_ended("Fox", 2);
    assert_eq!(history.games_since_pause, 1);
    assert_eq!(pause_left(&rules, &history), None);
}

#[test]
fn preferred_players_are_exempt() {
    let rules = Challenges {
        prefer: vec!["rabbit".to_owned()],
        prefer_only: true,
        rating_min: 2000,
        computers: false,
        games_in_row: 1,
        pause_after: 1,
        ..Challenges::default()
    };
    let mut history = History::default();
    history.game_ended("Rabbit", 1);
    let facts = ChallengeFacts {
        computer: true,
        ..challenge()
    };
    assert_eq!(decide(&facts, &rules, &history), Decision::Accept);
    let other = ChallengeFacts {
        opponent: "Fox".to_owned(),
        ..challenge()
    };
    assert!(reason(&other, &rules, &history).contains("whom I know"));
    // The limits on the game itself apply to them, too.
    let long = ChallengeFacts {
        time: Some((500, 0)),
        ..facts
    };
    assert!(reason(&long, &rules, &history).contains("base times"));
}

proptest! {
    /// A stricter rule never accepts what a milder rule declines.
    #[test]
    fn stricter_ratings_accept_less(
        rating in 0u32..4000, low in 0u32..4000, high in 0u32..4000, more in 0u32..500,
    ) {
        let facts = ChallengeFacts { rating: Rating::Known(rating), ..challenge() };
        let rules = |low, high| Challenges { rating_min: low, rating_max: high, ..Challenges::default() };
        let accepts = |rules: &Challenges| decide(&facts, rules, &History::default()) == Decision::Accept;
        if accepts(&rules(low + more, high)) {
            prop_assert!(accepts(&rules(low, high)));
            prop_assert!((low..=high).contains(&rating));
        }
    }

    /// Accepted challenges fulfil the limits, whatever the numbers are; reasons are short printable sentences.
    #[test]
    fn accepted_games_fulfil_the_limits(
        base in any::<u32>(), increment in 0u32..200, limits in prop::array::uniform6(0u32..200), untimed: bool,
    ) {
        let [base_min, base_max, increment_min, increment_max, duration_min, duration_max] = limits;
        let rules = Challenges {
            base_min, base_max, increment_min, increment_max, duration_min, duration_max, untimed,
            ..Challenges::default()
        };
        for base in [base, base % 200] {
            let facts = ChallengeFacts { time: Some((base, increment)), ..challenge() };
            match decide(&facts, &rules, &History::default()) {
                Decision::Accept => {
                    prop_assert!((base_min..=base_max).contains(&base));
                    prop_assert!((increment_min..=increment_max).contains(&increment));
                    let minutes = base as f64 + f64::from(increment) * 2.0 / 3.0;
                    prop_assert!(minutes >= f64::from(duration_min) - 0.01);
                    prop_assert!(minutes <= f64::from(duration_max) + 0.01);
                }
                Decision::Decline(reason) => {
                    prop_assert!(!reason.is_empty() && reason.len() < 200);
                    prop_assert!(reason.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
                }
                Decision::Ignore => prop_assert!(false),
            }
        }
    }
}
