//! The thread that runs worker 0, as the search sees it.

/// Handles events between nodes of worker 0.
pub(super) trait Monitor {
    /// Handles the events that wait, and stops the run if it has reached a limit. Called at most 256 nodes or about
    /// half a millisecond apart.
    ///
    /// Returns `false` if the result of the run is not wanted any more. The search then ends at once, even in its
    /// first iteration.
    fn poll(&mut self) -> bool;
}
