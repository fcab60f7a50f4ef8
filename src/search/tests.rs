//! Tests of the whole search on positions with known results.

mod contempt;
mod horizon;
mod mates;
mod root_groups;

use crate::messages::Limits;
use crate::rules::{DrawReason, Outcome, Position};
use crate::types::{Color, Ply, Score};

use super::test_support::{BACK_RANK_MATE, position, searcher_at};
use super::*;

/// Returns the result of a search to a depth.
fn solve(position: &Position, depth: i32) -> SingleThreadedResult {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    SingleThreadedSearch::new(4, &SearchSetup::default()).run(position, limits, |_| {})
}

#[test]
fn mate_scores_count_plies() {
    let in_one = position(Color::White, "Kg6 Ra1 kg8", 0);
    assert_eq!(solve(&in_one, 3).score.mate_distance(), Some(1));
    let in_two = position(Color::White, "Kf6 Ra1 kh8", 0);
    assert_eq!(solve(&in_two, 6).score.mate_distance(), Some(3));
    let mated = position(Color::Black, "Kf6 Ra1 kh8", 0);
    assert!(solve(&mated, 8).score <= -Score::MATE_BOUND);
}

#[test]
fn a_finished_game_has_no_best_move() {
    let stalemate = position(Color::Black, "Kf7 Qg6 kh8", 0);
    let result = solve(&stalemate, 4);
    assert_eq!((result.best, result.score), (None, Score::DRAW));
}

#[test]
fn the_winner_avoids_stalemate() {
    let position = position(Color::White, "Kf6 Qg5 kh8", 0);
    let stalemates = position.legal_moves().into_iter().filter(|&mv| {
        let mut after = position.clone();
        let _ = after.play(mv);
        after.outcome() == Some(Outcome::Draw(DrawReason::Stalemate))
    });
    assert!(stalemates.count() > 0, "a move gives stalemate");
    assert!(solve(&position, 6).score.mate_distance().is_some());
}

#[test]
fn table_entries_do_not_hide_the_fifty_move_rule() {
    let mut search = SingleThreadedSearch::new(4, &SearchSetup::default());
    let pieces = "Kd3 Rh2 kd5";
    let limits = Limits {
        depth: Some(16),
        ..Limits::default()
    };
    let early = search.run(&position(Color::White, pieces, 0), limits, |_| {});
    assert!(early.score > Score(300), "{:?}", early.score);
    let late = search.run(&position(Color::White, pieces, 97), limits, |_| {});
    assert_eq!(late.score, Score::DRAW);
}

#[test]
fn quiescence_search_finds_a_quiet_mate_only_near_the_root() {
    let mut searcher = searcher_at(&position(Color::White, BACK_RANK_MATE, 0));
    searcher.root_depth = 9;
    let mut score_at = |ply| searcher.quiescence::<node::NonPv>(Score(0), Score(1), ply);
    assert!(score_at(Ply(5)) < Score(0), "a queen down");
    // The table entry of the search without checks causes no cutoff.
    assert_eq!(score_at(Ply(4)), Score::mate_in(Ply(5)));
}

#[test]
fn only_the_first_node_of_a_quiescence_search_tries_checks() {
    let finds_mate = |pieces| {
        let mut searcher = searcher_at(&position(Color::White, pieces, 0));
        searcher.root_depth = 9;
        searcher
            .quiescence::<node::NonPv>(Score(5000), Score(5001), Ply(4))
            .is_mate()
    };
    assert!(finds_mate("Kg1 Ra1 Rb7 Pf5 Pg5 kh8"));
    assert!(!finds_mate("Kg1 Ra1 Rb2 Pf5 Pg5 kh7"), "Rb7 and then Ra8");
    assert!(finds_mate("Kg1 Rd3 Rd1 kg8 pf7 pg7 ph7 ra8"));
    assert!(
        !finds_mate("Kg1 Qd3 Rd1 kg8 pf7 pg7 ph7 ra8"),
        "Qd8 loses a queen for a rook by SEE"
    );
}

#[test]
fn mate_on_the_hundredth_half_move_precedes_the_draw() {
    let last_move = position(Color::White, "Kg6 Ra1 kg8", 99);
    assert_eq!(solve(&last_move, 4).score.mate_distance(), Some(1));
    let too_late = position(Color::White, "Kf6 Ra1 kh8", 98);
    assert_eq!(solve(&too_late, 6).score, Score::DRAW);
}

#[test]
fn the_losing_side_forces_perpetual_check() {
    // White is two rooks behind, but has perpetual check on e8 and h5.
    let perpetual = position(Color::White, "Kh1 Qe8 kh7 pg7 pf6 qc2 rb3 ra2", 0);
    assert_eq!(solve(&perpetual, 9).score, Score::DRAW);
}

#[test]
fn a_repeated_search_visits_the_same_nodes() {
    let position = Position::standard();
    let (first, second) = (solve(&position, 7), solve(&position, 7));
    assert_eq!(first, second);
    // The same search object finds the same after its tables have been cleared.
    let mut search = SingleThreadedSearch::new(4, &SearchSetup::default());
    let limits = Limits {
        depth: Some(7),
        ..Limits::default()
    };
    assert_eq!(search.run(&position, limits, |_| {}).nodes, first.nodes);
    search.forget();
    assert_eq!(search.run(&position, limits, |_| {}).nodes, first.nodes);
}

#[test]
fn node_limits_are_exact() {
    // With a large advantage, the limit is often reached during threat verification.
    let ahead = "Ke1 Ra1 Rf1 Qd1 Bc1 Nc3 Nf3 Pa2 Pb2 Pc2 Pe4 Pf2 Pg2 Ph2 \
        kg8 ra8 rf8 qd8 nb8 pa7 pb7 pc7 pd6 pf7 pg7 ph7";
    for position in [Position::standard(), position(Color::White, ahead, 0)] {
        for nodes in (1..400).map(|step| step * 53).chain([33_333]) {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let result = SingleThreadedSearch::new(1, &SearchSetup::default()).run(
                &position,
                limits,
                |_| {},
            );
            assert_eq!(result.nodes, nodes);
            assert!(result.best.is_some());
        }
    }
}

#[test]
fn shallow_iterations_are_small() {
    // For comparison: Mediocre needs 32,193 nodes to depth 5 from the starting position.
    let five = solve(&Position::standard(), 5);
    assert!(five.nodes < 16_000, "{} nodes", five.nodes);
}

#[test]
fn most_cutoffs_come_from_the_first_move() {
    // Pruning ends simple nodes, whose first move would cause a cutoff, before any move is searched.
    let counts = solve(&Position::standard(), 12).statistics;
    assert!(
        counts.first_move_cutoffs * 100 > counts.all_cutoffs() * 80,
        "{counts:?}"
    );
}
