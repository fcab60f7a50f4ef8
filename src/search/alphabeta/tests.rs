//! Tests of the alpha-beta search function.

use super::*;
use crate::messages::ScoreOverrides;
use crate::search::node::{NonPv, Pv};
use crate::search::stack::Frame;
use crate::search::test_support::{BACK_RANK_MATE, node_state, position, searcher_at};
use crate::types::{Color, Move};

#[test]
fn the_move_loop_counts_moves_and_clears_killer_moves_two_plies_below() {
    // White has no pieces, so no move is pruned: there is one legal move, or ten quiet ones.
    for (pieces, moves) in [("Ka1 kc3 rd2", 1), ("Kd4 Pa2 kd7 pa7", 10)] {
        let mut searcher = searcher_at(&position(Color::White, pieces, 0));
        searcher.evaluator.reset(&searcher.board);
        searcher.root_depth = 1;
        assert_eq!(searcher.board.legal_moves().len(), moves);
        let quiet = searcher.board.legal_moves()[0];
        searcher.killers.push(Ply(3), quiet);
        searcher.killers.push(Ply(2), quiet);
        searcher.search::<Pv>(Score(2000), Score(2001), 1, Ply(1), false);
        let frame = searcher.stack.at(Ply(1));
        assert_eq!(usize::from(frame.move_count), moves, "{pieces}");
        assert_eq!(frame.is_early_quiet, moves == 1, "{pieces}");
        assert_eq!(searcher.killers.get(Ply(3)), [None, None]);
        assert_eq!(searcher.killers.get(Ply(2)), [Some(quiet), None]);
    }
}

#[test]
fn hindsight_changes_the_depth_after_a_reduced_move() {
    let position = position(Color::White, "Kg1 Rd1 Pa2 kg8 ra8 pb7", 0);
    let nodes = |reduction, earlier_eval, excluded| {
        let mut searcher = searcher_at(&position);
        searcher.evaluator.reset(&searcher.board);
        searcher.root_depth = 5;
        let parent = searcher.stack.at_mut(Ply(0));
        parent.reduction = reduction;
        parent.static_eval = earlier_eval;
        searcher.stack.at_mut(Ply(1)).excluded = excluded;
        searcher.search::<Pv>(Score(-1000), Score(1000), 5, Ply(1), false);
        searcher.nodes
    };
    let [low, high] = [Score(-1000), Score(1000)];
    assert!(nodes(3, low, None) > nodes(0, low, None));
    assert!(nodes(3, high, None) < nodes(0, high, None));
    let excluded = Some(position.legal_moves()[0]);
    assert_eq!(nodes(3, low, excluded), nodes(0, low, excluded));
}

#[test]
fn moves_after_one_that_raised_alpha_are_searched_shallower() {
    let position = position(Color::White, "Kg1 Rd1 Pa2 kg8 ra8 pb7", 0);
    let stored_depth = |alpha, depth| {
        let mut searcher = searcher_at(&position);
        searcher.evaluator.reset(&searcher.board);
        searcher.root_depth = depth;
        let score = searcher.search::<Pv>(alpha, Score(2000), depth, Ply(1), false);
        assert_eq!(score > alpha, alpha < Score(0));
        searcher.probe().expect("an entry").depth
    };
    // Internal iterative reduction would change a depth of 4.
    assert_eq!(stored_depth(Score(1900), 3), 3);
    assert!(stored_depth(Score(-2000), 3) < 3);
}

#[test]
fn the_first_move_is_searched_shallower_if_its_reduction_would_be_large() {
    let pieces = "Kg1 Rd1 Pf2 Pg2 Ph2 kg8 nd5 pf7 pg7 ph7";
    let position = position(Color::White, pieces, 0);
    let mut moves = position.legal_moves().into_iter();
    let capture = moves.find(|mv| mv.is_capture()).expect("a capture");
    let child_depth = |earlier_eval| {
        let mut searcher = searcher_at(&position);
        searcher.evaluator.reset(&searcher.board);
        searcher.root_depth = 8;
        // Whether the side to move is improving decides whether the reduction exceeds the limit.
        searcher.stack.at_mut(Ply(1)).static_eval = earlier_eval;
        let eval = searcher.evaluate();
        let entry = TableEntry {
            mv: Some(capture),
            score: eval,
            eval,
            depth: 1,
            bound: Bound::Exact,
            on_pv: false,
        };
        searcher.store(searcher.board.key(), entry);
        searcher.search::<NonPv>(eval + 50, eval + 51, 4, Ply(3), true);
        let _ = searcher.make(capture, Ply(3));
        searcher.probe().map(|entry| entry.depth)
    };
    assert_eq!(child_depth(Score(-1000)), Some(3), "improving");
    assert_eq!(child_depth(Score(1000)), Some(2));
}

#[test]
fn a_threatened_mate_prevents_pruning() {
    let node = NodeState {
        depth: 6,
        ply: Ply(2),
        improving: true,
        ..node_state(Score(1500))
    };
    let pruned = |pieces: &str, after_null_move| {
        let mut searcher = searcher_at(&position(Color::Black, pieces, 0));
        searcher.root_depth = 12;
        searcher.stack.at_mut(Ply(1)).is_null_move = after_null_move;
        searcher.prune_node(&node)
    };
    let escape = BACK_RANK_MATE.replace("ph7", "ph6");
    assert!(pruned(&escape, false).is_some());
    assert_eq!(pruned(BACK_RANK_MATE, false), None);
    assert!(
        pruned(BACK_RANK_MATE, true).is_some(),
        "no threat verification right after a null move"
    );
}

#[test]
fn searches_for_an_extension_or_against_zugzwang_ignore_scores_of_the_user() {
    let position = position(Color::White, "Kg1 Rd1 Pa2 kg8 ra8 pb7", 0);
    let mut overrides = ScoreOverrides::default();
    overrides.set(position.board().key(), Score(777), 2);
    let score = |change: fn(&mut Frame, Move)| {
        let mut searcher = searcher_at(&position);
        searcher.evaluator.reset(&searcher.board);
        searcher.root_depth = 2;
        searcher.score_overrides = overrides.clone();
        let frame = searcher.stack.at_mut(Ply(1));
        change(frame, position.legal_moves()[0]);
        searcher.search::<Pv>(-Score::INFINITE, Score::INFINITE, 2, Ply(1), false)
    };
    assert_eq!(score(|_, _| {}), Score(777));
    assert_ne!(score(|frame, mv| frame.excluded = Some(mv)), Score(777));
    assert_ne!(
        score(|frame, _| frame.null_move_disabled = true),
        Score(777)
    );
}
