//! Tests of searches whose root moves form groups.

use crate::notation::parse_move;
use crate::search::job::{Job, Progress};
use crate::search::stop::RunId;

use super::*;

/// A result of some root moves would otherwise be stored as that of the position.
#[test]
fn only_a_single_group_of_all_moves_is_complete() {
    let position = position(Color::White, "Ka1 Qd1 kg8 rg5", 0);
    let is_complete = |root_groups: Vec<usize>, excluded: usize| {
        let plain = Job::plain(RunId(1), &position, &Limits::default());
        let job = Job {
            root_moves: plain.root_moves[excluded..].to_vec(),
            root_groups,
            ..plain
        };
        let mut searcher = searcher_at(&position);
        searcher.prepare(&job);
        searcher.all_root_moves
    };
    let all = position.legal_moves().len();
    assert!(is_complete(Vec::new(), 0));
    assert!(is_complete(vec![all], 0));
    assert!(!is_complete(vec![1], 0));
    assert!(!is_complete(vec![all - 1, 1], 0));
    assert!(!is_complete(Vec::new(), 1));
}

#[test]
fn a_line_of_the_best_group_precedes_lines_with_better_scores() {
    // The first move loses the queen, the second wins the rook.
    let position = position(Color::White, "Ka1 Qd1 kg8 rg5", 0);
    let [blunder, fork] = ["Qg1", "Qd8+"].map(|text| parse_move(&position, text).expect("a move"));
    let limits = Limits {
        depth: Some(6),
        ..Limits::default()
    };
    let plain = Job::plain(RunId(1), &position, &limits);
    let mut root_moves = plain.root_moves.clone();
    root_moves.sort_by_key(|&mv| mv != blunder);
    let job = Job {
        root_moves,
        root_groups: vec![1],
        multi_pv: 3,
        ..plain
    };
    let mut lines = Vec::new();
    let result = searcher_at(&position).iterate(&job, &mut |progress| {
        if let Progress::Line(line) = progress {
            lines.push(line);
        }
    });
    assert_eq!(result.best, Some(blunder));
    assert_eq!(lines.len(), 18);
    for iteration in lines.chunks(3) {
        let ranks: Vec<_> = iteration.iter().map(|line| line.rank).collect();
        assert_eq!(ranks, [0, 1, 2]);
        assert_eq!(iteration[0].pv[0], blunder);
        assert!(iteration[1].score >= iteration[2].score);
    }
    let last = &lines[15..];
    assert_eq!(last[1].pv[0], fork);
    assert!(last[0].score < last[2].score, "{last:?}");
}
