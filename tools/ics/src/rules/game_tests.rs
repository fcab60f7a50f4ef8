//! Tests of decisions on requests, seeks and rematches.

use std::time::Duration;

use super::*;
use crate::config::{
    AbortAnswer, Challenges, ColourChoice, Config, Rematch, RematchOffer, Seek, SeekGame, Takeback,
};
use crate::text::Request;

fn game() -> GameFacts {
    GameFacts {
        rated: false,
        half_moves: 20,
        takebacks: 0,
        stopping: false,
    }
}

fn is_declined(request: Request, config: &Config, game: &GameFacts) -> bool {
    matches!(answer(request, config, game), RequestDecision::Decline(text) if !text.is_empty())
}

#[test]
fn requests_have_defaults() {
    let config = Config::default();
    assert_eq!(
        answer(Request::Draw, &config, &game()),
        RequestDecision::AskEngine
    );
    assert_eq!(
        answer(Request::Unpause, &config, &game()),
        RequestDecision::Accept
    );
    for request in [
        Request::Takeback(1),
        Request::Takeback(2),
        Request::Pause,
        Request::Switch,
        Request::Adjourn,
        Request::Abort,
    ] {
        assert!(is_declined(request, &config, &game()), "{request:?}");
    }
}

#[test]
fn draws_and_adjournments_follow_the_configuration() {
    let mut config = Config::default();
    config.draw.engine = false;
    assert!(is_declined(Request::Draw, &config, &game()));
    let stopping = GameFacts {
        stopping: true,
        ..game()
    };
    assert_eq!(
        answer(Request::Adjourn, &config, &stopping),
        RequestDecision::Accept
    );
    config.adjourn.accept = true;
    assert_eq!(
        answer(Request::Adjourn, &config, &game()),
        RequestDecision::Accept
    );
}

#[test]
fn takebacks_have_limits() {
    let mut config = Config {
        takeback: Takeback {
            accept: true,
            half_moves: 2,
            per_game: 3,
            rated: false,
        },
        ..Config::default()
    };
    for half_moves in [1, 2] {
        assert_eq!(
            answer(Request::Takeback(half_moves), &config, &game()),
            RequestDecision::Accept
        );
    }
    for half_moves in [0, 3, u32::MAX] {
        assert!(is_declined(Request::Takeback(half_moves), &config, &game()));
    }
    let start = GameFacts {
        half_moves: 1,
        ..game()
    };
    assert!(is_declined(Request::Takeback(2), &config, &start));
    let third = GameFacts {
        takebacks: 3,
        ..game()
    };
    assert!(is_declined(Request::Takeback(1), &config, &third));
    let rated = GameFacts {
        rated: true,
        ..game()
    };
    assert!(is_declined(Request::Takeback(1), &config, &rated));
    config.takeback.rated = true;
    assert_eq!(
        answer(Request::Takeback(1), &config, &rated),
        RequestDecision::Accept
    );
}

#[test]
fn games_are_aborted_early_only() {
    let mut config = Config::default();
    let after = |half_moves| GameFacts {
        half_moves,
        ..game()
    };
    for half_moves in [0, 1] {
        assert_eq!(
            answer(Request::Abort, &config, &after(half_moves)),
            RequestDecision::Accept
        );
    }
    assert!(is_declined(Request::Abort, &config, &after(2)));
    assert!(is_declined(Request::Abort, &config, &after(u32::MAX)));
    config.abort.accept = AbortAnswer::Always;
    assert_eq!(
        answer(Request::Abort, &config, &after(99)),
        RequestDecision::Accept
    );
    config.abort.accept = AbortAnswer::Never;
    assert!(is_declined(Request::Abort, &config, &after(0)));
}

#[test]
fn seeks_take_turns() {
    let games = [3, 5].map(|base| SeekGame {
        base,
        ..SeekGame::default()
    });
    let mut config = Config {
        seek: Seek {
            games: games.to_vec(),
            ..Seek::default()
        },
        ..Config::default()
    };
    let mut history = History::default();
    let bases: Vec<u32> = (0..4)
        .map(|seeks| {
            history.seeks = seeks;
            next_seek(&config, &history).unwrap().base
        })
        .collect();
    assert_eq!(bases, [3, 5, 3, 5]);
    let playing = History {
        playing: true,
        ..History::default()
    };
    let stopping = History {
        stopping: true,
        ..History::default()
    };
    assert_eq!(next_seek(&config, &playing), None);
    assert_eq!(next_seek(&config, &stopping), None);
    config.challenges.pause_after = 1;
    history.game_ended("Fox", 1);
    assert_eq!(next_seek(&config, &history), None);
    history.since_last_game = Some(Duration::from_secs(301));
    assert!(next_seek(&config, &history).is_some());
    config.challenges.accept = false;
    assert_eq!(next_seek(&config, &history), None);
    assert_eq!(next_seek(&Config::default(), &History::default()), None);
}

#[test]
fn seeks_name_all_terms() {
    assert_eq!(seek_command(&SeekGame::default()), "seek 5 0 rated m");
    let game = SeekGame {
        base: 15,
        increment: 10,
        rated: false,
        variant: "fischerandom".to_owned(),
        colour: ColourChoice::White,
        rating_min: 1000,
        rating_max: 2000,
        automatic: true,
    };
    assert_eq!(
        seek_command(&game),
        "seek 15 10 unrated white wild fr 1000-2000"
    );
}

#[test]
fn rematches_follow_the_result() {
    use Outcome::{Drawn, Lost, Unfinished, Won};
    let mut history = History::default();
    history.game_ended("Fox", 0);
    for (offer, outcomes) in [
        (RematchOffer::Never, vec![]),
        (RematchOffer::Won, vec![Won]),
        (RematchOffer::NotWon, vec![Lost, Drawn]),
        (RematchOffer::Always, vec![Won, Lost, Drawn]),
    ] {
        let config = Config {
            rematch: Rematch { offer, games: 2 },
            ..Config::default()
        };
        for outcome in [Won, Lost, Drawn, Unfinished] {
            let offers = offers_rematch(outcome, &config, &history);
            assert_eq!(offers, outcomes.contains(&outcome), "{offer:?} {outcome:?}");
        }
    }
}

#[test]
fn rematches_respect_the_rules() {
    let mut config = Config {
        rematch: Rematch {
            offer: RematchOffer::Always,
            games: 3,
        },
        ..Config::default()
    };
    let mut history = History::default();
    history.game_ended("Fox", 0);
    history.game_ended("Fox", 0);
    assert!(offers_rematch(Outcome::Won, &config, &history));
    config.challenges.games_in_row = 2;
    assert!(!offers_rematch(Outcome::Won, &config, &history));
    config.challenges.games_in_row = 0;
    config.challenges.noplay = vec!["fox".to_owned()];
    assert!(!offers_rematch(Outcome::Won, &config, &history));
    config.challenges.noplay.clear();
    config.challenges.pause_after = 2;
    assert!(!offers_rematch(Outcome::Won, &config, &history));
    config.challenges.pause_after = 0;
    history.stopping = true;
    assert!(!offers_rematch(Outcome::Won, &config, &history));
    history.stopping = false;
    history.game_ended("Fox", 0);
    assert!(!offers_rematch(Outcome::Won, &config, &history));
}

#[test]
fn a_seek_whose_answers_are_declined_contradicts_the_rules() {
    let seek = SeekGame {
        base: 30,
        colour: ColourChoice::White,
        ..SeekGame::default()
    };
    let mut rules = Challenges::default();
    assert_eq!(contradiction(&seek, &rules), None);
    for change in [
        (|rules| rules.base_max = 15) as fn(&mut Challenges),
        |rules| rules.duration_max = 20,
        |rules| rules.increment_min = 1,
        |rules| rules.rated = false,
        |rules| rules.colour = ColourChoice::Black,
        |rules| rules.variants = vec!["fischerandom".into()],
    ] {
        rules.clone_from(&Challenges::default());
        change(&mut rules);
        assert!(contradiction(&seek, &rules).is_some(), "{rules:?}");
        let automatic = SeekGame {
            automatic: true,
            ..seek.clone()
        };
        assert_eq!(contradiction(&automatic, &rules), None);
    }
}
