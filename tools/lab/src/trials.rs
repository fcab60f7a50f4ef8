//! Batches of game pairs, each between two players of its own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gaur::search::SearchSetup;

use crate::duel::Rivals;
use crate::interrupt::Interrupt;

/// One pair to be played.
pub(super) struct Trial {
    /// Which pair of the run it is; the opening comes from seed and number, and from
    /// what the second player finds balanced.
    pub number: u64,
    pub players: [SearchSetup; 2],
}

/// How pairs are played.
#[derive(Clone, Debug, clap::Args)]
pub struct Rules {
    /// Nodes a move, reached when an iteration ends
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub nodes: u64,
    /// Games played at once
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: u64,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

impl Rules {
    /// The half points of the first player of each trial, 0 to 4; `None` if interrupted.
    pub(super) fn play(&self, trials: &[Trial], interrupt: &Interrupt) -> Option<Vec<usize>> {
        let next = AtomicUsize::new(0);
        let mut points = vec![None; trials.len()];
        thread::scope(|scope| {
            let (sender, receiver) = crossbeam_channel::unbounded();
            for _ in 0..self.threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(trial) = trials.get(index) else {
                            return;
                        };
                        let mut rivals = Rivals::new(&trial.players, self.nodes, self.seed);
                        let points = rivals.play_pair(trial.number, || interrupt.is_wanted());
                        if sender.send((index, points)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (index, result) in receiver {
                points[index] = result;
            }
        });
        points.into_iter().collect()
    }
}
