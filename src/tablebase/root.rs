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

/// Largest score of a cursed win in centipawns.
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
            match self.wdl(after.board())? {
                Wdl::Loss => 1,
                Wdl::BlessedLoss => 1 + CURSED_DISTANCE,
                Wdl::Draw => 0,
                Wdl::CursedWin => -1 - CURSED_DISTANCE,
                Wdl::Win => -1,
            }
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
        Some(match self.wdl(after.board())? {
            Wdl::Loss => SURE_WIN,
            Wdl::BlessedLoss => LOWEST_WIN - 1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1 - LOWEST_WIN,
            Wdl::Win => -SURE_WIN,
        })
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
    /// of the tables, except where the search has found a mate.
    pub fn score(&self, mv: Move, score: Score) -> Score {
        let Some(ranked) = self.moves.iter().find(|ranked| ranked.mv == mv) else {
            return score;
        };
        let win = Score::tablebase_win_in(Ply::ROOT);
        match result_of(ranked.rank) {
            Wdl::Win => score.max(win),
            Wdl::Loss => score.min(-win),
            Wdl::Draw => Score::DRAW,
            Wdl::CursedWin => cursed_score(ranked.rank),
            Wdl::BlessedLoss => -cursed_score(-ranked.rank),
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

/// Returns the score of a cursed win with this rank. The nearer it is to a real win, the larger it is.
fn cursed_score(rank: i32) -> Score {
    let missing = LOWEST_WIN - rank;
    Score((MAX_CURSED_SCORE - missing / 2).clamp(1, MAX_CURSED_SCORE))
}
