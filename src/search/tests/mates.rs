//! Tests of mates: lines that end with mate, distances within the fifty-move rule, shortest mates.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::solve;
use crate::board::{Board, Setup};
use crate::config::Parameters;
use crate::eval::EngineEvaluator;
use crate::messages::{Bound, Limits, SearchInfo};
use crate::rules::{Outcome, Position, Variant};
use crate::search::job::{Job, Shared};
use crate::search::searcher::Searcher;
use crate::search::stop::RunId;
use crate::search::table::{Table, TableEntry};
use crate::search::test_support::{position, searcher_at};
use crate::search::{SearchSetup, SingleThreadedResult, SingleThreadedSearch};
use crate::types::{Color, MAX_DEPTH, Move, Piece, Ply, Score, Square};

/// Returns `true` if a game has ended with mate.
fn is_mate(outcome: Option<Outcome>) -> bool {
    matches!(outcome, Some(Outcome::Mate { .. }))
}

/// Returns the position after legal moves.
fn after(position: &Position, moves: &[Move]) -> Position {
    let mut position = position.clone();
    for &mv in moves {
        assert!(position.is_legal(mv), "{mv:?} of {moves:?}");
        let _ = position.play(mv);
    }
    position
}

/// Returns the lines with an exact mate score that a search reports.
fn mate_lines(position: &Position, limits: Limits) -> Vec<SearchInfo> {
    let mut lines = Vec::new();
    SingleThreadedSearch::new(4, &SearchSetup::default()).run(position, limits, |info| {
        if info.bound == Bound::Exact && info.score.is_mate() {
            lines.push(info.clone());
        }
    });
    lines
}

#[test]
fn lines_with_mate_scores_end_with_mate() {
    let limits = Limits {
        nodes: Some(120_000),
        ..Limits::default()
    };
    let mut lines = 0;
    for (side, pieces) in [
        (
            Color::Black,
            "rg8 bf8 ke8 rb8 ph7 pf7 pa7 nh6 pg6 Bd6 qb6 na6 Nh5 Pg4 pc4 Pa4 Ph2 bg2 Rg1 bf1 Ke1 Rb1",
        ),
        (
            Color::White,
            "bh8 ng8 be8 rh7 kg7 pf7 nc7 ph6 pe6 Ph5 Pa5 Ph4 pd4 Nc4 Bb4 Bh3 Pf3 Ke2 Pc2 Qh1 Rb1",
        ),
        (
            Color::White,
            "na8 ph7 ke7 Pc7 Rg6 Be5 pd5 Nc5 pb5 qa5 Pg4 Pd4 pb4 Kg3 Nf3 Pd3 Rh2",
        ),
        (
            Color::Black,
            "ke8 ph7 qg7 bb7 ra7 rd6 pd5 Nb5 ng4 Pe4 pc4 Pa4 Pg3 Kf3 Rd1",
        ),
    ] {
        let position = position(side, pieces, 0);
        for info in mate_lines(&position, limits) {
            lines += 1;
            let end = after(&position, &info.pv);
            assert!(is_mate(end.outcome()), "{info:?} of {pieces}");
            let plies = info.score.mate_distance().map(i32::unsigned_abs);
            assert_eq!(Some(info.pv.len() as u32), plies, "{info:?}");
        }
    }
    assert!(lines >= 4, "{lines} lines with a mate score");
}

#[test]
fn a_stopped_search_returns_incomplete_mates_as_bounds() {
    let mut bounds = 0;
    for pieces in ["kd7 Pd4 Kd3 Re1", "kd7 pa7 Ke4 Qe2", "kd7 ph7 Ke4 Re2 Rf2"] {
        let position = position(Color::White, pieces, 0);
        for nodes in (1..100).map(|step| step * 900) {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let shared = Shared::new(Table::new(4), 1);
            let evaluator = EngineEvaluator::new(&SearchSetup::default().evaluation);
            let mut searcher = Searcher::new(evaluator, Arc::new(shared), 0, Parameters::default());
            let job = Job::plain(RunId(1), &position, &limits);
            let result = searcher.iterate(&job, &mut |_| {});
            if !result.score.is_mate() {
                continue;
            }
            let is_complete = is_mate(after(&position, &result.line).outcome());
            bounds += usize::from(!is_complete);
            assert!(is_complete || result.bound != Bound::Exact, "{result:?}");
        }
    }
    assert!(bounds > 0, "no search returned a bound");
}

#[test]
fn reported_mates_keep_the_fifty_move_rule() {
    let pieces = "kd7 Qe2 Ke4";
    let limits = Limits {
        depth: Some(18),
        ..Limits::default()
    };
    let mut search = SingleThreadedSearch::new(16, &SearchSetup::default());
    let far = search.run(&position(Color::White, pieces, 0), limits, |_| {});
    assert!(far.score.is_mate(), "{far:?}");
    for clock in [80, 90, 92, 95] {
        search.run(&position(Color::White, pieces, clock), limits, |info| {
            if let Some(distance) = info.score.mate_distance() {
                assert!(distance + i32::from(clock) <= 100, "{clock}: {info:?}");
            }
        });
    }
}

#[test]
fn table_mates_beyond_the_fifty_move_rule_are_discarded() {
    let searcher = searcher_at(&position(Color::White, "kd7 Qe2 Ke4", 60));
    let entry = |plies: i32, bound| TableEntry {
        mv: None,
        score: Score(plies.signum() * Score::MATE.0 - plies),
        eval: Score(900),
        depth: 20,
        bound,
        on_pv: false,
    };
    let found = |stored: TableEntry| {
        searcher.store(searcher.board.key(), stored);
        searcher.probe().expect("an entry")
    };
    let (alpha, beta) = (Score(500), Score(501));
    let limit = entry(40, Bound::Lower);
    assert_eq!(limit.score.mate_distance(), Some(40));
    assert_eq!(found(limit), limit, "mate on the hundredth half-move");
    for plies in [41, -41, 80] {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let found = found(entry(plies, bound));
            assert_eq!(found.cutoff_score(alpha, beta, Ply(7)), None);
            assert_eq!(found.refine_eval(Score(900), Ply(7)), Score(900));
            assert_eq!(found.eval, Score(900));
        }
    }
}

/// Returns the result of a search without limits, which ends when a mate is proven.
fn analyse(position: &Position) -> SingleThreadedResult {
    solve(position, MAX_DEPTH)
}

/// Returns `true` if the side to move can force mate within an odd number of plies, found by brute force.
fn mates_within(position: &Position, plies: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let next = after(position, &[mv]);
        if is_mate(next.outcome()) {
            return true;
        }
        let replies = next.legal_moves();
        plies > 2
            && !replies.is_empty()
            && replies
                .into_iter()
                .all(|reply| mates_within(&after(&next, &[reply]), plies - 2))
    })
}

/// Returns a legal random position of several white pieces against few black ones, White to move.
fn uneven_position(random: &mut ChaCha8Rng) -> Option<Position> {
    let mut setup = Setup::empty();
    setup.side_to_move = Color::White;
    let strong = ["KQR", "KQN", "KRR", "KRB", "KQ"][random.next_u32() as usize % 5];
    let weak = ["k", "kp", "kn", "krp", "kbp"][random.next_u32() as usize % 5];
    let mut taken = [false; 64];
    for letter in strong.chars().chain(weak.chars()) {
        let mut index = random.next_u32() as usize % 64;
        if letter == 'p' {
            index = 8 + index % 48;
        } else if letter == 'k' {
            // Mates are most frequent on an edge.
            index = if index < 32 { index % 8 } else { index / 8 * 8 };
        }
        if std::mem::replace(&mut taken[index], true) {
            return None;
        }
        setup.set(Square::from_index(index), Piece::from_fen_letter(letter));
    }
    let board = Board::from_setup(&setup).ok()?;
    Some(Position::new(board, Variant::Standard))
}

#[test]
fn a_search_without_limits_ends_on_the_shortest_mate() {
    let example = position(Color::White, "rc8 Qd7 Ne3 Ra3 Kh1 kc1", 0);
    assert_eq!(analyse(&example).score.mate_distance(), Some(3));

    let mut random = ChaCha8Rng::seed_from_u64(24);
    let mut positions = 0;
    while positions < 150 {
        let Some(position) = uneven_position(&mut random) else {
            continue;
        };
        let Some(plies) = [1, 3, 5]
            .into_iter()
            .find(|&plies| mates_within(&position, plies))
        else {
            continue;
        };
        positions += 1;
        let found = analyse(&position).score.mate_distance();
        assert_eq!(found, Some(plies as i32), "{position:?}");
    }
}

#[test]
fn a_mate_in_one_is_played_at_any_node_limit() {
    for pieces in ["Kg6 Ra1 Qb2 Nc3 kg8", "Kg1 Rd1 Na1 kg8 pf7 pg7 ph7 qb2"] {
        let position = position(Color::White, pieces, 0);
        for nodes in 1..40 {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let result = SingleThreadedSearch::new(1, &SearchSetup::default()).run(
                &position,
                limits,
                |_| {},
            );
            let best = result.best.expect("a legal move");
            let outcome = after(&position, &[best]).outcome();
            assert!(is_mate(outcome), "{best:?} after {nodes} nodes");
        }
    }
}
