//! Thinking output and the reply to `.`. Only this file converts mate scores to 100000 plus moves, and times to
//! centiseconds.

use std::time::Duration;

use crate::messages::{Bound, SearchInfo, SearchStatus};
use crate::notation::write_coordinate;
use crate::protocol::reply::BookLine;
use crate::rules::Variant;
use crate::types::{Move, Score};

/// Longest line in characters; moves beyond it are omitted. XBoard truncates lines after 500 characters.
const MAX_LINE_CHARS: usize = 480;

/// Number that the protocol adds to the number of moves until mate.
const MATE: i32 = 100_000;

/// Returns `depth score time nodes pv`, or with `all_columns` `depth score time nodes seldepth nps tbhits TAB pv`.
///
/// GUIs that do not support the three columns before the tab read them as a part of the principal variation. A final
/// `?` marks an upper bound and `!` a lower bound. It is a separate word, so that programs can parse the last move.
pub fn thinking_line(info: &SearchInfo, variant: Variant, all_columns: bool) -> String {
    let mut line = format!(
        "{} {} {} {}",
        info.depth.max(1),
        score(info.score),
        centiseconds(info.time),
        info.nodes
    );
    if !info.pv.is_empty() {
        if all_columns {
            let speed = nodes_per_second(info.nodes, info.time);
            line.push_str(&format!(
                " {} {speed} {}\t",
                info.selective_depth, info.tablebase_hits
            ));
        } else {
            line.push(' ');
        }
        push_moves(&mut line, &info.pv, variant);
        line.push_str(match info.bound {
            Bound::Exact => "",
            Bound::Lower => " !",
            Bound::Upper => " ?",
        });
    }
    line.push('\n');
    line
}

/// Returns a thinking line for a book move: depth 1, no time and no nodes. The line of moves begins with the share of
/// the move in parentheses, which XBoard takes for a line that no search has found.
pub fn book_line(book: &BookLine, variant: Variant, all_columns: bool) -> String {
    let columns = if all_columns { " 1 0 0\t" } else { " " };
    let mut line = format!(
        "1 {} 0 0{columns}(book {} %) ",
        book.score.unwrap_or(Score(0)).centipawns(),
        book.percent
    );
    push_moves(&mut line, &book.moves, variant);
    line.push('\n');
    line
}

/// Appends moves, separated by blanks, as far as the line may be long.
fn push_moves(line: &mut String, moves: &[Move], variant: Variant) {
    for (index, &mv) in moves.iter().enumerate() {
        let text = write_coordinate(mv, variant);
        if line.len() + text.len() > MAX_LINE_CHARS {
            break;
        }
        if index > 0 {
            line.push(' ');
        }
        line.push_str(&text);
    }
}

/// Returns `stat01: time nodes depth mvleft mvtot [mvname]`.
pub fn status_line(status: &SearchStatus, variant: Variant) -> String {
    let current = status
        .current
        .map(|mv| format!(" {}", write_coordinate(mv, variant)));
    format!(
        "stat01: {} {} {} {} {}{}\n",
        centiseconds(status.time),
        status.nodes,
        status.depth.max(0),
        status.moves_left.min(status.moves_total),
        status.moves_total,
        current.unwrap_or_default()
    )
}

/// Returns a score in centipawns, or a mate as [`MATE`] plus the number of moves, rounded up.
fn score(score: Score) -> i32 {
    match score.mate_distance() {
        // For checkmate on the board the distance is 0, so the sign of the score decides.
        Some(plies) if score.0 > 0 => MATE + (plies.max(0) + 1) / 2,
        Some(plies) => -MATE - (plies.min(0).abs() + 1) / 2,
        None => score.centipawns(),
    }
}

fn centiseconds(time: Duration) -> u128 {
    time.as_millis() / 10
}

fn nodes_per_second(nodes: u64, time: Duration) -> u128 {
    (u128::from(nodes) * 1_000_000)
        .checked_div(time.as_micros())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Move, MoveKind, Ply, Square};

    fn quiet(from: &str, to: &str) -> Move {
        let square = |name| Square::from_name(name).expect("a square");
        Move::new(square(from), square(to), MoveKind::Quiet)
    }

    fn info() -> SearchInfo {
        SearchInfo {
            depth: 8,
            selective_depth: 12,
            score: Score(-21),
            bound: Bound::Exact,
            time: Duration::from_millis(359),
            nodes: 41_200,
            tablebase_hits: 7,
            rank: 0,
            pv: vec![quiet("e7", "e5"), quiet("g1", "f3")],
        }
    }

    #[test]
    fn a_tab_follows_all_columns() {
        let line = |all_columns| thinking_line(&info(), Variant::Standard, all_columns);
        assert_eq!(line(true), "8 -21 35 41200 12 114763 7\te7e5 g1f3\n");
        assert_eq!(line(false), "8 -21 35 41200 e7e5 g1f3\n");
    }

    #[test]
    fn a_book_line_begins_with_a_parenthesis() {
        let book = BookLine {
            percent: 45,
            score: Some(Score(-21)),
            moves: vec![quiet("e7", "e5"), quiet("g1", "f3")],
        };
        let line = |all_columns| book_line(&book, Variant::Standard, all_columns);
        assert_eq!(line(true), "1 -21 0 0 1 0 0\t(book 45 %) e7e5 g1f3\n");
        assert_eq!(line(false), "1 -21 0 0 (book 45 %) e7e5 g1f3\n");
    }

    #[test]
    fn without_a_variation_there_are_four_columns() {
        let info = SearchInfo {
            pv: vec![],
            bound: Bound::Lower,
            ..info()
        };
        for all_columns in [false, true] {
            let line = thinking_line(&info, Variant::Standard, all_columns);
            assert_eq!(line, "8 -21 35 41200\n");
        }
    }

    #[test]
    fn bounds_follow_the_variation() {
        let fail = |bound| thinking_line(&SearchInfo { bound, ..info() }, Variant::Standard, true);
        assert!(fail(Bound::Upper).ends_with("e7e5 g1f3 ?\n"));
        assert!(fail(Bound::Lower).ends_with("e7e5 g1f3 !\n"));
    }

    #[test]
    fn mate_scores_count_moves() {
        for (value, printed) in [
            (Score::mate_in(Ply(1)), 100_001),
            (Score::mate_in(Ply(3)), 100_002),
            (Score::mate_in(Ply(5)), 100_003),
            (Score::mated_in(Ply(0)), -100_000),
            (Score::mated_in(Ply(2)), -100_001),
            (Score::mated_in(Ply(4)), -100_002),
            (Score::MATE, 100_000),
            (Score::INFINITE, 100_000),
            (-Score::INFINITE, -100_000),
            (Score::DRAW, 0),
            (Score::tablebase_win_in(Ply(0)), 20_000),
            (-Score::tablebase_win_in(Ply(3)), -19_997),
            (Score::EVAL_MAX, Score::EVAL_MAX.0),
        ] {
            assert_eq!(score(value), printed, "{value:?}");
        }
        assert!(score(Score::EVAL_MAX) < 100_000);
    }

    #[test]
    fn speed_without_time_is_zero() {
        assert_eq!(nodes_per_second(5, Duration::ZERO), 0);
        let info = SearchInfo {
            time: Duration::MAX,
            nodes: u64::MAX,
            ..info()
        };
        assert!(thinking_line(&info, Variant::Standard, true).len() < 500);
    }

    #[test]
    fn long_lines_end_after_a_move() {
        for length in 85..120 {
            let pv: Vec<Move> = (0..length).map(|_| quiet("a2", "a3")).collect();
            for bound in [Bound::Exact, Bound::Lower] {
                let info = SearchInfo {
                    pv: pv.clone(),
                    bound,
                    nodes: 1 << (length % 40),
                    ..info()
                };
                for (all_columns, columns) in [(true, 7), (false, 4)] {
                    let line = thinking_line(&info, Variant::Standard, all_columns);
                    assert!(line.len() < 500, "{}", line.len());
                    assert_eq!(line.contains('\t'), all_columns);
                    assert!(
                        line.split_whitespace()
                            .skip(columns)
                            .filter(|word| *word != "!")
                            .all(|word| word == "a2a3")
                    );
                    assert!(!line.contains('('));
                }
            }
        }
    }

    #[test]
    fn status_columns() {
        let status = SearchStatus {
            time: Duration::from_millis(525),
            nodes: 80_210,
            depth: 10,
            moves_left: 12,
            moves_total: 20,
            current: Some(quiet("d2", "d4")),
        };
        assert_eq!(
            status_line(&status, Variant::Standard),
            "stat01: 52 80210 10 12 20 d2d4\n"
        );
        let nothing = SearchStatus {
            moves_left: 7,
            ..SearchStatus::default()
        };
        assert_eq!(
            status_line(&nothing, Variant::Standard),
            "stat01: 0 0 0 0 0\n"
        );
    }
}
