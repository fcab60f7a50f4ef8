//! Orders: received while idle, or between nodes of a search.

use crossbeam_channel::{RecvTimeoutError, TryRecvError};

use super::Controller;
use super::state::State;
use crate::messages::SearchOrder;
use crate::search::running_search::{RunningSearch, SearchTask};

/// Largest number of orders handled between two nodes.
const MAX_ORDERS_PER_POLL: usize = 64;

impl Controller {
    /// Waits for an order and handles it, or sends a deferred line when it is due. Returns when an answer is due. No
    /// search may be running, or it must be paused.
    pub(super) fn wait_for_order(&mut self) {
        let order = match self.state.search().and_then(RunningSearch::next_due) {
            Some(due) => self.orders.recv_deadline(due),
            None => self.orders.recv().map_err(RecvTimeoutError::from),
        };
        match order {
            Ok(order) => self.handle_order(order),
            Err(RecvTimeoutError::Timeout) => self.send_due_line(),
            // All senders have been dropped.
            Err(RecvTimeoutError::Disconnected) => self.handle_order(SearchOrder::Quit),
        }
    }

    /// Handles orders that have arrived, sends a line that is due, and checks the limits of the search. Returns `false`
    /// if its result is not wanted any more.
    pub(super) fn poll(&mut self) -> bool {
        self.handle_orders();
        self.report_tablebase_problem();
        self.send_due_line();
        self.check_limits();
        self.state.is_searching()
    }

    /// Stops the search if it has reached a limit.
    fn check_limits(&self) {
        if let State::Searching(search) = &self.state
            && search.has_reached_limit(&self.pool.shared)
        {
            self.stop_run();
        }
    }

    /// Handles orders that have arrived. Waits for further ones while the search is paused. The orders that follow one
    /// which ends or restarts the search are left: they concern the next search.
    ///
    /// Orders can arrive faster than they are handled. The search therefore continues after some of them, and reaches
    /// its limits in time.
    fn handle_orders(&mut self) {
        let mut handled = 0;
        while let State::Searching(search) = &self.state {
            let is_stopped = self.pool.shared.gate.is_stopped(search.run);
            if search.task.paused.is_some() && !is_stopped {
                self.wait_for_order();
            } else if handled == MAX_ORDERS_PER_POLL {
                return;
            } else {
                match self.orders.try_recv() {
                    Ok(order) => self.handle_order(order),
                    Err(TryRecvError::Empty) => return,
                    Err(TryRecvError::Disconnected) => self.handle_order(SearchOrder::Quit),
                }
                handled += 1;
            }
            if self.state.is_searching() {
                self.confirm();
            }
        }
    }

    pub(super) fn handle_order(&mut self, order: SearchOrder) {
        match order {
            SearchOrder::Start(request) => {
                self.stop_run();
                self.state = State::Next(SearchTask::new(request));
            }
            SearchOrder::PonderHit {
                id,
                limits,
                started,
            } => self.ponder_hit(id, limits, started),
            SearchOrder::SetLimits { id, limits } => self.set_limits(id, limits),
            SearchOrder::MoveNow(id) => self.move_now(id),
            SearchOrder::Abandon(id) => {
                if self.state.search_with(id).is_some() {
                    self.stop_run();
                    self.state = State::Idle;
                }
            }
            SearchOrder::Pause(id) => self.pause(id),
            SearchOrder::Resume(id) => self.resume(id),
            SearchOrder::ReportStatus(id) => self.report_status(id),
            SearchOrder::UseNetwork(network) => self.network = network,
            SearchOrder::UseTablebases(tablebases) => self.use_tablebases(tablebases),
            SearchOrder::Configure(settings) => self.configure(*settings),
            SearchOrder::NewGame => self.new_game(),
            // The arrival of `ConfirmNow` has interrupted the preparation of the table.
            SearchOrder::ConfirmNow => {}
            SearchOrder::Quit => {
                self.stop_run();
                self.state = State::Ended;
            }
        }
    }

    /// Restarts the search from its first iteration, if it can be restarted.
    pub(super) fn restart(&mut self) {
        self.stop_run();
        self.state.restart(&self.pool.shared);
    }
}
