//! Tests of the policy.

use super::*;
use crate::config::Config;
use crate::protocol::contempt::contempt;
use crate::types::Ply;

fn after(scores: &[i32]) -> PolicyState {
    let mut state = PolicyState::default();
    scores
        .iter()
        .for_each(|&score| state.record_result(Score(score), false));
    state
}

/// A stage with all pieces on the board.
fn at(length: usize) -> Stage {
    Stage { length, pieces: 32 }
}

fn policy(settings: &[(&str, &str)], players: &Players) -> OpponentPolicy {
    at_odds(settings, players, 0)
}

/// The policy in a game in which Gaur gives odds of this value, with the contempt that follows from the settings, the
/// ratings and the odds.
fn at_odds(settings: &[(&str, &str)], players: &Players, odds: i32) -> OpponentPolicy {
    let mut config = Config::default();
    for (name, value) in settings {
        assert!(config.set(name, Some(value)).is_ok(), "{name}");
    }
    let contempt = contempt(&config.contempt, players, odds);
    OpponentPolicy::new(
        &config.draw_and_resign,
        players,
        GameTerms { odds, contempt },
    )
}

/// Setting without automatic contempt.
const NO_CONTEMPT: &[(&str, &str)] = &[("AutoContempt", "0")];

fn rated(own: i32, opponent: i32, is_computer: bool) -> Players {
    let mut players = Players {
        opponent_is_computer: is_computer,
        ..Players::default()
    };
    players.set_ratings(own, opponent);
    players
}

#[test]
fn draws_are_accepted_when_worse_and_in_long_equal_games() {
    let policy = policy(&[], &Players::default());
    assert!(policy.accepts_draw_at(Score(-150), at(10)));
    assert!(policy.accepts_draw_at(Score::mated_in(Ply(4)), at(10)));
    assert!(!policy.accepts_draw_at(Score(-30), at(10)));
    assert!(policy.accepts_draw_at(Score(5), at(100)));
    assert!(policy.accepts_draw_at(Score(-50), at(100)));
    assert!(!policy.accepts_draw_at(Score(90), at(100)));
}

#[test]
fn options_decide_about_draws() {
    let unrated = Players::default();
    assert!(!policy(&[("AcceptDraws", "0")], &unrated).accepts_draw_at(Score(-900), at(100)));
    let greedy = policy(&[("DrawScore", "-300")], &unrated);
    assert!(
        !greedy.accepts_draw_at(Score(-299), at(10)) && greedy.accepts_draw_at(Score(-300), at(10))
    );
    let peaceful = policy(&[("DrawScore", "50")], &unrated);
    assert!(
        peaceful.accepts_draw_at(Score(50), at(10)) && peaceful.accepts_draw_at(Score(50), at(100))
    );
}

#[test]
fn ratings_shift_the_draw_score() {
    let accepts = |own, opponent, score| {
        policy(NO_CONTEMPT, &rated(own, opponent, false)).accepts_draw_at(Score(score), at(10))
    };
    assert!(accepts(2000, 2400, -10) && !accepts(2000, 2400, -9));
    assert!(accepts(2400, 2000, -110) && !accepts(2400, 2000, -109));
    assert!(accepts(1, 9999, 0) && !accepts(1, 9999, 1));
    // An unrated player shifts nothing.
    assert!(!accepts(2400, 0, -59) && accepts(2400, 0, -60));
}

#[test]
fn weak_humans_may_play_the_game_out() {
    let lost = after(&[-900; 4]);
    let settings = [("Resign", "800"), ("PlayOutBelow", "1800")];
    for (opponent, is_computer, ends) in [
        (1799, false, false),
        (0, false, false),
        (1800, false, true),
        (1500, true, true),
        (0, true, true),
    ] {
        let policy = policy(&settings, &rated(1800, opponent, is_computer));
        assert_eq!(lost.resigns(&policy, 60), ends, "{opponent}");
        assert_eq!(
            policy.accepts_draw_at(Score(-900), at(60)),
            ends,
            "{opponent}"
        );
    }
}

#[test]
fn an_offer_can_be_accepted_once() {
    let policy = policy(&[], &Players::default());
    let mut state = after(&[-300]);
    assert!(!state.accepts_draw(&policy, at(10)));
    state.on_draw_offer();
    assert!(state.accepts_draw(&policy, at(10)));
    state.clear_draw_offer();
    assert!(!state.accepts_draw(&policy, at(10)));
}

#[test]
fn no_offer_is_accepted_before_the_first_search() {
    let mut state = PolicyState::default();
    state.on_draw_offer();
    assert!(!state.accepts_draw(&policy(&[], &Players::default()), at(100)));
}

#[test]
fn resignation_needs_consecutive_bad_scores_and_a_real_game() {
    let unrated = Players::default();
    let resigning = |limit| policy(&[("Resign", limit)], &unrated);
    let lost = after(&[50, -900, -950, -900, -1200]);
    assert!(lost.resigns(&resigning("800"), 60));
    assert!(!lost.resigns(&resigning("0"), 60));
    assert!(!lost.resigns(&resigning("1000"), 60));
    assert!(!lost.resigns(&resigning("800"), 20));
    assert!(!after(&[-900, -900, 20, -900]).resigns(&resigning("800"), 60));
    assert!(!after(&[-900, -900, -900]).resigns(&resigning("800"), 60));
    let soon = policy(&[("Resign", "800"), ("ResignMoves", "2")], &unrated);
    assert!(after(&[50, -900, -900]).resigns(&soon, 60));
    assert!(!after(&[50, -900]).resigns(&soon, 60));
    let late = policy(&[("Resign", "800"), ("ResignMoves", "20")], &unrated);
    assert!(after(&[-900; 20]).resigns(&late, 60));
    assert!(!after(&[-900; 19]).resigns(&late, 60));
    assert!(after(&[-900; 300]).results.len() <= MAX_RESULTS);
}

#[test]
fn claims_are_repeated_after_an_interval() {
    let mut state = PolicyState::default();
    assert!(state.may_claim_draw(50));
    assert!(!state.may_claim_draw(51));
    assert!(!state.may_claim_draw(69));
    assert!(state.may_claim_draw(70));
    assert!(!state.may_claim_draw(71));
}

/// The state of a game in which Gaur offers a draw with these settings against this opponent after the last of these
/// scores; `None` if it does not.
fn offer(policy: &OpponentPolicy, scores: &[i32], stage: Stage) -> Option<PolicyState> {
    let mut state = after(scores);
    state.offers_draw(policy, stage).then_some(state)
}

#[test]
fn a_draw_is_offered_late_in_an_even_game() {
    let unrated = Players::default();
    let default = policy(&[], &unrated);
    assert!(offer(&default, &[15; 10], at(80)).is_some());
    assert!(offer(&default, &[-15; 10], at(80)).is_some());
    assert!(offer(&default, &[0; 9], at(80)).is_none());
    assert!(offer(&default, &[0; 10], at(79)).is_none());
    let endgame = |pieces| Stage { length: 20, pieces };
    assert!(offer(&default, &[0; 10], endgame(7)).is_some());
    assert!(offer(&default, &[0; 10], endgame(8)).is_none());
    for uneven in [16, -16] {
        let mut scores = [0; 10];
        scores[4] = uneven;
        assert!(offer(&default, &scores, at(80)).is_none(), "{uneven}");
    }
    assert!(offer(&policy(&[("OfferDraws", "0")], &unrated), &[0; 50], at(80)).is_none());
    let patient = policy(&[("OfferDraws", "50")], &unrated);
    assert!(offer(&patient, &[0; 49], at(200)).is_none());
    assert!(offer(&patient, &[0; 50], at(200)).is_some());
}

#[test]
fn a_move_without_a_search_interrupts_an_even_game() {
    let mut state = after(&[0; 10]);
    state.forget_scores();
    (0..9).for_each(|_| state.record_result(Score(0), false));
    let policy = policy(&[], &Players::default());
    assert!(!state.offers_draw(&policy, at(100)));
    state.record_result(Score(0), false);
    assert!(state.offers_draw(&policy, at(102)));
}

#[test]
fn offers_are_rare_and_few() {
    let policy = policy(&[], &Players::default());
    let mut state = after(&[0; 10]);
    let offers: Vec<usize> = (80..400)
        .step_by(2)
        .filter(|&length| state.offers_draw(&policy, at(length)))
        .collect();
    assert_eq!(offers, [80, 120, 160]);
}

#[test]
fn ratings_decide_about_offers() {
    let offers = |own, opponent, moves, score| {
        let policy = policy(NO_CONTEMPT, &rated(own, opponent, false));
        offer(&policy, &vec![score; moves], at(80)).is_some()
    };
    assert!(!offers(2000, 2095, 9, 0) && offers(2000, 2096, 5, 0));
    assert!(offers(2000, 2400, 5, 30) && !offers(2000, 2400, 5, 31));
    assert!(offers(2100, 2000, 10, 3) && !offers(2100, 2000, 50, 4));
    assert!(offers(2200, 2000, 10, -10) && !offers(2200, 2000, 50, -9));
    assert!(!offers(2400, 2000, 50, -15));
}

#[test]
fn humans_who_play_the_game_out_get_no_offer() {
    let settings = [("PlayOutBelow", "1800")];
    for (opponent, is_computer, is_offered) in [
        (1799, false, false),
        (0, false, false),
        (1800, false, true),
        (0, true, true),
    ] {
        let policy = policy(&settings, &rated(1800, opponent, is_computer));
        assert_eq!(
            offer(&policy, &[0; 50], at(80)).is_some(),
            is_offered,
            "{opponent}"
        );
    }
}

#[test]
fn programs_play_on_for_long() {
    let program = policy(&[], &rated(0, 0, true));
    assert!(offer(&program, &[0; 39], at(200)).is_none());
    assert!(offer(&program, &[0; 40], at(200)).is_some());
}

#[test]
fn a_tablebase_draw_is_offered_soon_but_not_to_weaker_players() {
    let offers = |players: &Players, moves| {
        let mut state = after(&[300]);
        (0..moves).for_each(|_| state.record_result(Score(0), true));
        state.offers_draw(
            &policy(&[], players),
            Stage {
                length: 60,
                pieces: 5,
            },
        )
    };
    assert!(!offers(&Players::default(), 2) && offers(&Players::default(), 3));
    assert!(offers(&rated(2000, 2000, false), 3));
    // These 40 points cause a contempt of 5 centipawns.
    assert!(!offers(&rated(2040, 2000, false), 9));
    assert!(!offers(&rated(2100, 2000, false), 9));
    assert!(!offers(&rated(0, 0, true), 9) && offers(&rated(0, 0, true), 10));
}

#[test]
fn an_own_offer_stands_until_the_opponent_has_moved() {
    let policy = policy(&[("AcceptDraws", "0")], &Players::default());
    let mut state = offer(&policy, &[0; 10], at(80)).expect("an offer");
    assert!(!state.accepts_draw(&policy, at(81)), "no answer yet");
    state.on_draw_offer();
    assert!(state.accepts_draw(&policy, at(81)));
    state.end_own_offer();
    assert!(!state.accepts_draw(&policy, at(82)), "AcceptDraws is off");
}

#[test]
fn odds_lower_all_limits() {
    let settings = [("Resign", "800")];
    let policy = at_odds(&settings, &Players::default(), 300);
    // The contempt is 30.
    assert!(!policy.accepts_draw_at(Score(-389), at(1)));
    assert!(policy.accepts_draw_at(Score(-390), at(1)));
    assert!(!policy.accepts_draw_at(Score(-309), at(80)));
    assert!(policy.accepts_draw_at(Score(-310), at(80)));
    assert!(!after(&[-1099; 4]).resigns(&policy, 60));
    assert!(after(&[-1100; 4]).resigns(&policy, 60));
    assert!(offer(&policy, &[0; 50], at(80)).is_none());
    let without_resignation = at_odds(&[], &Players::default(), 300);
    assert!(!after(&[-5000; 4]).resigns(&without_resignation, 60));
}

#[test]
fn an_even_game_is_not_played_on_for_ever() {
    let accepts = |policy: &OpponentPolicy, moves, stage| {
        let mut state = after(&vec![0; moves]);
        state.on_draw_offer();
        state.accepts_draw(policy, stage)
    };
    for policy in [
        at_odds(&[], &Players::default(), 300),
        policy(&[], &rated(2400, 1200, false)),
    ] {
        assert!(!accepts(&policy, 19, at(80)) && accepts(&policy, 20, at(80)));
        assert!(!accepts(&policy, 20, at(79)));
    }
    let declines = policy(&[("AcceptDraws", "0")], &Players::default());
    assert!(!accepts(&declines, 20, at(80)));
}

#[test]
fn limits_count_from_the_score_of_a_draw() {
    let unrated = Players::default();
    for contempt in [-100, -20, 0, 20, 100] {
        let value = contempt.to_string();
        let policy = policy(&[("Contempt", &value)], &unrated);
        let accepts =
            |above, stage| policy.accepts_draw_at(contempt_score(contempt) + above, stage);
        assert!(accepts(-60, at(10)) && !accepts(-59, at(10)), "{contempt}");
        assert!(accepts(20, at(80)) && !accepts(21, at(80)), "{contempt}");
    }
}

/// Returns the score of a draw with this contempt.
fn contempt_score(contempt: i32) -> Score {
    Score::DRAW - contempt
}

#[test]
fn contempt_against_a_weaker_opponent_does_not_make_draws_welcome() {
    let weaker = rated(2200, 2000, false);
    let (contemptuous, without) = (policy(&[], &weaker), policy(NO_CONTEMPT, &weaker));
    let draw = contempt_score(25);
    for above in -100..100 {
        assert_eq!(
            contemptuous.accepts_draw_at(draw + above, at(80)),
            without.accepts_draw_at(Score::DRAW + above, at(80)),
            "{above}"
        );
    }
    assert!(!contemptuous.accepts_draw_at(draw, at(80)));
    for score in -60..60 {
        let is_offered = offer(&contemptuous, &[score; 50], at(80)).is_some();
        // At least 10 centipawns below the score of a draw, as without contempt.
        assert_eq!(is_offered, (-40..=-35).contains(&score), "{score}");
    }
}

#[test]
fn with_contempt_gaur_offers_a_draw_only_if_it_stands_worse() {
    for (contempt, range) in [
        ("-20", Some((-15, 35))),
        ("0", Some((-15, 15))),
        ("10", Some((-25, -5))),
        ("15", Some((-30, -15))),
        ("31", None),
        ("100", None),
    ] {
        let policy = policy(&[("Contempt", contempt)], &Players::default());
        for score in -150..150 {
            let is_offered = offer(&policy, &[score; 10], at(80)).is_some();
            let is_expected =
                range.is_some_and(|(lowest, highest)| (lowest..=highest).contains(&score));
            assert_eq!(is_offered, is_expected, "{contempt}: {score}");
        }
    }
}

#[test]
fn a_long_equal_game_ends_in_a_draw_with_contempt() {
    let policy = policy(&[("Contempt", "20")], &Players::default());
    // An equal position scores about 0, a drawn one -20. The highest scores are above the limit of a single search.
    for (moves, score, is_accepted) in [
        (20, 15, true),
        (19, 15, false),
        (20, 16, false),
        (20, -35, true),
    ] {
        let mut state = after(&vec![score; moves]);
        state.on_draw_offer();
        assert_eq!(state.accepts_draw(&policy, at(80)), is_accepted, "{score}");
    }
}
