//! Searches of the positions that have no analysis yet, by several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gaur::eval::Evaluator;
use gaur::rules::{Outcome, Position, Variant};
use gaur::search::{SearchSetup, SingleThreadedSearch};
use gaur::types::{Ply, Score};

use crate::LabError;
use crate::interrupt::Interrupt;
use crate::progress::Progress;

use super::analysis::{Analysis, AnalysisFile, Request};

/// Size of the transposition table, which is empty before each search.
const HASH_MEGABYTES: u64 = 2;

/// Carries out searches and adds each result to the file.
///
/// # Errors
/// If the file cannot be written, or [`LabError::Interrupted`].
pub(super) fn analyse(
    requests: &[Request],
    file: &mut AnalysisFile,
    threads: usize,
    round: u32,
    interrupt: &Interrupt,
) -> Result<(), LabError> {
    let nodes = file.nodes();
    let stop = Interrupt::default();
    let next = AtomicUsize::new(0);
    let mut progress = Progress::new(0, requests.len() as u64);
    let mut done = 0;
    let result = thread::scope(|scope| {
        let (sender, receiver) = crossbeam_channel::unbounded();
        for _ in 0..threads.min(requests.len()) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                let mut search = SingleThreadedSearch::new(HASH_MEGABYTES, &SearchSetup::default());
                while !stop.is_set() && !interrupt.is_set() {
                    let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    if sender
                        .send((request, analysis_of(&mut search, request, nodes)))
                        .is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (request, analysis) in receiver {
            if let Err(error) = file.add(request, analysis) {
                stop.set();
                return Err(error);
            }
            done += 1;
            progress.step(|| format!("positions of round {round},"));
        }
        Ok(())
    });
    progress.finish();
    result?;
    match done < requests.len() {
        true => Err(LabError::Interrupted {
            left: requests.len() - done,
        }),
        false => Ok(()),
    }
}

/// Searches a position. Nothing of earlier searches has an effect on the result.
fn analysis_of<E: Evaluator>(
    search: &mut SingleThreadedSearch<E>,
    request: &Request,
    nodes: u64,
) -> Analysis {
    let position = Position::new(request.board.clone(), Variant::Standard);
    let finished = |score| Analysis { best: None, score };
    match position.outcome() {
        Some(Outcome::Mate { .. }) => finished(Score::mated_in(Ply::ROOT)),
        Some(Outcome::Draw(_)) => finished(Score::DRAW),
        None => {
            search.forget();
            let result = search.run_without(&position, &request.excluded, nodes);
            Analysis {
                best: result.best,
                score: result.score,
            }
        }
    }
}
