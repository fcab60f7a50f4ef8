//! Tests of the alpha-beta search function.

use super::*;
use crate::search::node::Pv;
use crate::search::test_support::{BACK_RANK_MATE, node_state, position, searcher_at};
use crate::types::Color;

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
