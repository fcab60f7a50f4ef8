//! Pairs of test games: the same opening twice, with colours reversed.

mod counts;
mod likelihood;
mod players;
mod version;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gaur::search::SearchSetup;

use crate::LabError;
use crate::interrupt::Interrupt;
use players::Players;

pub(crate) use counts::PairCounts;
pub(crate) use version::version_of;

/// A pair of games to be played.
pub(crate) struct GamePair {
    /// Number of the pair in the run. The opening depends on the seed, this number and the second player's evaluation.
    pub number: u64,
    /// Search parameters and evaluation function of the first and the second player.
    pub players: [SearchSetup; 2],
}

/// Options that determine how pairs are played.
#[derive(Clone, Debug, clap::Args)]
pub struct PairArgs {
    /// Nodes per move after which a search starts no further iteration
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub nodes: u64,
    /// Pairs of games played at once; spsa plays at most 8
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: u64,
    /// Seed of the random numbers; the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

impl PairArgs {
    /// Returns the number of pairs of a batch: `least`, or one for each thread if these are more.
    pub(crate) fn batch(&self, least: u64) -> u64 {
        self.threads.max(least)
    }

    /// Plays all pairs and returns the half points of the first player in each, 0 to 4; if interrupted, only of the
    /// pairs before the first unfinished one.
    ///
    /// # Errors
    /// If a second player finds too few openings balanced.
    pub(crate) fn play(
        &self,
        pairs: &[GamePair],
        interrupt: &Interrupt,
    ) -> Result<Vec<usize>, LabError> {
        let failed = Interrupt::default();
        let mut result = Ok(());
        let next = AtomicUsize::new(0);
        let mut points = vec![None; pairs.len()];
        thread::scope(|scope| {
            let (sender, receiver) = crossbeam_channel::unbounded();
            for _ in 0..self.threads {
                let (sender, next) = (sender.clone(), &next);
                let stop = || interrupt.is_set() || failed.is_set();
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(pair) = pairs.get(index) else {
                            return;
                        };
                        let mut players = Players::new(&pair.players, self.nodes, self.seed);
                        let points = players.play_pair(pair.number, stop);
                        if sender.send((index, points)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (index, played) in receiver {
                match played {
                    Ok(half_points) => points[index] = half_points,
                    Err(error) => {
                        failed.set();
                        result = Err(error);
                    }
                }
            }
        });
        result.map(|()| before_first_gap(points))
    }
}

/// Returns the results before the first one that is missing. Results after it are those of short games more often than
/// others, so that they are not counted.
fn before_first_gap(points: Vec<Option<usize>>) -> Vec<usize> {
    points.into_iter().map_while(|points| points).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_occupies_all_threads() {
        let batch = |threads| {
            let (nodes, seed) = (60, 1);
            let args = PairArgs {
                nodes,
                threads,
                seed,
            };
            args.batch(16)
        };
        assert_eq!([1, 16, 17, 1024].map(batch), [16, 16, 17, 1024]);
    }

    #[test]
    fn results_after_an_unfinished_pair_are_not_counted() {
        let points = vec![Some(2), Some(4), None, Some(0)];
        assert_eq!(before_first_gap(points), [2, 4]);
        assert_eq!(before_first_gap(vec![Some(1), Some(3)]), [1, 3]);
    }
}
