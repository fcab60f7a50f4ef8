//! Tests of the policy.

use super::*;
use crate::config::Config;
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
    handicapped(settings, players, Handicaps::default())
}

fn handicapped(
    settings: &[(&str, &str)],
    players: &Players,
    handicaps: Handicaps,
) -> OpponentPolicy {
    let mut config = Config::default();
    for (name, value) in settings {
        assert!(config.set(name, Some(value)).is_ok(), "{name}");
    }
    OpponentPolicy::new(&config.draw_and_resign, players, handicaps)
}

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
        policy(&[], &rated(own, opponent, false)).accepts_draw_at(Score(score), at(10))
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
    state.record_unsearched_move();
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
        let policy = policy(&[], &rated(own, opponent, false));
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
    assert!(offers(&rated(2090, 2000, false), 3));
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
    let odds = Handicaps {
        odds: 300,
        contempt: 0,
    };
    let policy = handicapped(&settings, &Players::default(), odds);
    assert!(!policy.accepts_draw_at(Score(-359), at(1)));
    assert!(policy.accepts_draw_at(Score(-360), at(1)));
    assert!(!policy.accepts_draw_at(Score(-279), at(80)));
    assert!(policy.accepts_draw_at(Score(-280), at(80)));
    assert!(!after(&[-1099; 4]).resigns(&policy, 60));
    assert!(after(&[-1100; 4]).resigns(&policy, 60));
    assert!(offer(&policy, &[0; 50], at(80)).is_none());
    let without_resignation = handicapped(&[], &Players::default(), odds);
    assert!(!after(&[-5000; 4]).resigns(&without_resignation, 60));
}

#[test]
fn an_even_game_is_not_played_on_for_ever() {
    let odds = Handicaps {
        odds: 300,
        contempt: 0,
    };
    let accepts = |policy: &OpponentPolicy, moves, stage| {
        let mut state = after(&vec![0; moves]);
        state.on_draw_offer();
        state.accepts_draw(policy, stage)
    };
    for policy in [
        handicapped(&[], &Players::default(), odds),
        policy(&[], &rated(2400, 1200, false)),
    ] {
        assert!(!accepts(&policy, 19, at(80)) && accepts(&policy, 20, at(80)));
        assert!(!accepts(&policy, 20, at(79)));
    }
    let declines = policy(&[("AcceptDraws", "0")], &Players::default());
    assert!(!accepts(&declines, 20, at(80)));
}

#[test]
fn contempt_widens_the_scores_of_even_positions() {
    for (contempt, lowest, highest) in [(20, -35, 15), (-20, -15, 35)] {
        let handicaps = Handicaps { odds: 0, contempt };
        let policy = handicapped(&[], &Players::default(), handicaps);
        for (score, is_even) in [
            (lowest - 1, false),
            (lowest, true),
            (highest, true),
            (highest + 1, false),
        ] {
            let offers = offer(&policy, &[score; 10], at(80)).is_some();
            assert_eq!(offers, is_even, "{contempt}: {score}");
        }
    }
}
