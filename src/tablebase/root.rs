//! Ranks of the root moves by the tables, with the fifty-move counter and the repetitions of the game.
//!
//! Moves that surely win are equal, and so are moves that surely lose, so that the search chooses among them. Once a
//! position has been repeated, or where the fifty-move rule is near, the distance to the next capture or pawn move
//! (DTZ) decides. (From Stockfish and from Fathom, a library for tablebases.)

use std::cmp::Reverse;

use super::{Tablebases, Wdl};
use crate::rules::{FIFTY_MOVES, Position};
use crate::types::{Move, Ply, Score};

/// Rank of a move that surely wins.
const SURE_WIN: i32 = 1 << 18;

/// Rank of a winning move with a distance of 0 that is not sure to win. Larger distances rank lower.
const UNSURE_WIN: i32 = SURE_WIN / 2;

/// Lowest rank of a move that wins within the fifty-move rule if no move is wasted.
const LOWEST_WIN: i32 = UNSURE_WIN - FIFTY_MOVES as i32;

/// Distance that the fifty-move rule adds to those of wins that it turns into draws.
const CURSED_DISTANCE: i32 = FIFTY_MOVES as i32;

/// Largest difference between the scores of a cursed win and a draw, in centipawns.
const MAX_CURSED_SCORE: i32 = 49;

/// A root move and what the tables state about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Rank; a higher one is better.
    rank: i32,
}

/// The root moves, ranked by the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRanking {
    /// Moves, best first.
    moves: Vec<RankedMove>,
    /// Set if the distances to the next capture or pawn move are known.
    has_distances: bool,
}

impl Tablebases {
    /// Ranks these legal moves. Returns nothing if there is none, if the tables do not contain the position after each
    /// of them, or once `may_continue` returns `false`.
    pub fn rank_root_moves(
        &self,
        position: &Position,
        moves: &[Move],
        may_continue: impl Fn() -> bool,
    ) -> Option<RootRanking> {
        // Without this check, captures could make some moves known, but not the position.
        self.position(position.board())?;
        [true, false].into_iter().find_map(|with_distances| {
            let mut ranked = Vec::with_capacity(moves.len());
            let mut after = position.clone();
            for &mv in moves {
                if !may_continue() {
                    return None;
                }
                let played = after.play(mv);
                let rank = if with_distances {
                    self.rank_by_distance(position, &after)
                } else {
                    self.rank_by_result(&after)
                };
                after.take_back(played);
                ranked.push(RankedMove { mv, rank: rank? });
            }
            // A stable sort: the order of equal moves stays.
            ranked.sort_by_key(|ranked| Reverse(ranked.rank));
            (!ranked.is_empty()).then_some(RootRanking {
                moves: ranked,
                has_distances: with_distances,
            })
        })
    }

    /// Returns the rank of the move from `before` to `after`.
    fn rank_by_distance(&self, before: &Position, after: &Position) -> Option<i32> {
        let clock = i32::from(before.board().halfmove_clock());
        let distance = if after.board().in_check() && after.board().count_legal() == 0 {
            1
        } else if after.outcome().is_some() {
            0
        } else if after.board().halfmove_clock() == 0 {
            distance_of_zeroing_move(self.wdl(after.board())?)
        } else {
            let distance = -self.dtz(after.board())?;
            distance + distance.signum()
        };
        Some(rank(distance, clock, has_repetition(before)))
    }

    /// Returns the rank of the move to `after` without distances.
    fn rank_by_result(&self, after: &Position) -> Option<i32> {
        if after.board().in_check() && after.board().count_legal() == 0 {
            return Some(SURE_WIN);
        }
        if after.outcome().is_some() {
            return Some(0);
        }
        self.wdl(after.board()).map(rank_of_result)
    }
}

/// Returns the distance, with the sign of the result, of a capture or pawn move after which the opponent has this
/// result.
fn distance_of_zeroing_move(reply: Wdl) -> i32 {
    match reply {
        Wdl::Loss => 1,
        Wdl::BlessedLoss => 1 + CURSED_DISTANCE,
        Wdl::Draw => 0,
        Wdl::CursedWin => -1 - CURSED_DISTANCE,
        Wdl::Win => -1,
    }
}

/// Returns the rank of a move after which the opponent has this result.
fn rank_of_result(reply: Wdl) -> i32 {
    match reply {
        Wdl::Loss => SURE_WIN,
        Wdl::BlessedLoss => LOWEST_WIN - 1,
        Wdl::Draw => 0,
        Wdl::CursedWin => 1 - LOWEST_WIN,
        Wdl::Win => -SURE_WIN,
    }
}

/// Returns the rank of a move that wins, with a positive distance to the next capture or pawn move, or loses.
fn rank(distance: i32, clock: i32, is_repeated: bool) -> i32 {
    let limit = i32::from(FIFTY_MOVES);
    if distance > 0 {
        // Distances may be one too small.
        if distance + clock < limit && !is_repeated {
            SURE_WIN
        } else {
            UNSURE_WIN - (distance + clock)
        }
    } else if distance < 0 {
        // The defender may reach the limit of the fifty-move rule.
        if -2 * distance + clock < limit {
            -SURE_WIN
        } else {
            -UNSURE_WIN - distance + clock
        }
    } else {
        0
    }
}

/// Returns `true` if a position since the last capture or pawn move has occurred more than once.
fn has_repetition(position: &Position) -> bool {
    let keys = position.earlier_keys().iter();
    let mut keys: Vec<u64> = keys.map(|key| key.0).collect();
    keys.push(position.board().key().0);
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

impl RootRanking {
    /// Returns the moves with the best rank, and as many groups of the next ranks as are needed for at least `count`
    /// moves.
    pub fn best(&self, count: usize) -> Vec<Move> {
        let number = self.group_sizes(count).iter().sum();
        let best = self.moves.iter().take(number);
        best.map(|ranked| ranked.mv).collect()
    }

    /// Returns the numbers of moves of the groups of equal rank that [`RootRanking::best`] returns, best group first.
    pub fn group_sizes(&self, count: usize) -> Vec<usize> {
        let mut sizes = Vec::new();
        for group in self.moves.chunk_by(|a, b| a.rank == b.rank) {
            sizes.push(group.len());
            if sizes.iter().sum::<usize>() >= count {
                break;
            }
        }
        sizes
    }

    /// Returns the number of positions that have been looked up: one for each move.
    pub fn probes(&self) -> u64 {
        self.moves.len() as u64
    }

    /// Returns the result of the best move.
    pub fn result(&self) -> Wdl {
        self.moves
            .first()
            .map_or(Wdl::Draw, |best| result_of(best.rank))
    }

    /// Returns `true` if the search must look up positions, too, because only results are known: it would otherwise
    /// not make progress in a won position.
    pub fn needs_probes(&self) -> bool {
        !self.has_distances && self.result() > Wdl::Draw
    }

    /// Returns the score to show for a line that begins with `mv` and that the search has given the score `score`: that
    /// of the tables, except where the search has found a mate. `draw` is the score of a draw.
    pub fn score(&self, mv: Move, score: Score, draw: Score) -> Score {
        let Some(ranked) = self.moves.iter().find(|ranked| ranked.mv == mv) else {
            return score;
        };
        let win = Score::tablebase_win_in(Ply::ROOT);
        match result_of(ranked.rank) {
            Wdl::Win => score.max(win),
            Wdl::Loss => score.min(-win),
            Wdl::Draw => draw,
            Wdl::CursedWin => draw + cursed_score(ranked.rank),
            Wdl::BlessedLoss => draw - cursed_score(-ranked.rank),
        }
    }
}

/// Returns the result that a rank stands for.
fn result_of(rank: i32) -> Wdl {
    match rank {
        LOWEST_WIN.. => Wdl::Win,
        1.. => Wdl::CursedWin,
        0 => Wdl::Draw,
        _ if rank <= -LOWEST_WIN => Wdl::Loss,
        _ => Wdl::BlessedLoss,
    }
}

/// Returns the centipawns by which a cursed win with this rank exceeds a draw. The nearer it is to a real win, the more
/// it is.
fn cursed_score(rank: i32) -> i32 {
    let missing = LOWEST_WIN - rank;
    (MAX_CURSED_SCORE - missing / 2).clamp(1, MAX_CURSED_SCORE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All results, best first.
    const ALL: [Wdl; 5] = [
        Wdl::Win,
        Wdl::CursedWin,
        Wdl::Draw,
        Wdl::BlessedLoss,
        Wdl::Loss,
    ];

    /// Returns the result of a move after which the opponent has this result.
    fn reversed(reply: Wdl) -> Wdl {
        let index = ALL.iter().position(|&wdl| wdl == reply);
        ALL[ALL.len() - 1 - index.expect("a result")]
    }

    #[test]
    fn every_result_of_a_capture_or_pawn_move_is_ranked_as_what_it_is() {
        for reply in ALL {
            let ranks = [
                rank(distance_of_zeroing_move(reply), 0, false),
                rank_of_result(reply),
            ];
            assert_eq!(ranks.map(result_of), [reversed(reply); 2], "{reply:?}");
        }
    }

    #[test]
    fn a_better_result_has_a_higher_rank() {
        for pair in ALL.windows(2) {
            assert!(
                rank_of_result(pair[0]) < rank_of_result(pair[1]),
                "{pair:?}"
            );
            let [worse, better] = [pair[0], pair[1]].map(distance_of_zeroing_move);
            assert!(rank(worse, 0, false) < rank(better, 0, false), "{pair:?}");
        }
    }

    #[test]
    fn neither_a_clock_nor_a_repetition_changes_a_result_that_a_capture_has_decided() {
        for clock in [0, 50, 99] {
            for is_repeated in [false, true] {
                for reply in [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin] {
                    let distance = distance_of_zeroing_move(reply);
                    let result = result_of(rank(distance, clock, is_repeated));
                    assert_eq!(result, reversed(reply), "{reply:?} {clock} {is_repeated}");
                }
            }
        }
    }

    #[test]
    fn scores_of_cursed_wins_and_blessed_losses_are_near_that_of_a_draw() {
        let mv = Move::new(
            crate::types::Square::from_index(0),
            crate::types::Square::from_index(1),
            crate::types::MoveKind::Quiet,
        );
        let win = Score::tablebase_win_in(Ply::ROOT);
        for (reply, scores) in [
            (Wdl::Loss, win..=win),
            (Wdl::BlessedLoss, Score(-19)..=Score(29)),
            (Wdl::Draw, Score(-20)..=Score(-20)),
            (Wdl::CursedWin, Score(-69)..=Score(-21)),
            (Wdl::Win, -win..=-win),
        ] {
            for (has_distances, rank) in [
                (true, rank(distance_of_zeroing_move(reply), 0, false)),
                (false, rank_of_result(reply)),
            ] {
                let ranking = RootRanking {
                    moves: vec![RankedMove { mv, rank }],
                    has_distances,
                };
                assert_eq!(ranking.result(), reversed(reply));
                let score = ranking.score(mv, Score(-20), Score(-20));
                assert!(scores.contains(&score), "{reply:?}: {score:?}");
            }
        }
    }
}
