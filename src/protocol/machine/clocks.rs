//! What the host says of time: the control, the clocks, and how late it says so.

use std::time::{Duration, Instant};

use super::{Machine, Measure};
use crate::clock::{ClockReports, LagEstimate, TimeControl};

impl Machine {
    /// `level`, `st`.
    pub(super) fn time_control(&mut self, control: TimeControl, now: Instant) {
        self.clock_reports.discard();
        self.clocks.set_control(control, now);
        self.update_limits(now);
    }

    /// `time`.
    pub(super) fn engine_clock(&mut self, remaining: Duration, now: Instant) {
        let expected = self.clocks.engine.remaining(now);
        self.clock_reports.record_engine_time(remaining, expected);
        self.clocks.set_engine_time(remaining, now);
        self.update_limits(now);
    }

    /// `otim`: with a move of the opponent, for which the increment has been added. A clock that has run out in our
    /// eyes is no measure.
    pub(super) fn opponent_clock(&mut self, remaining: Duration, now: Instant) {
        let clock = &self.clocks.opponent;
        let increment = match *clock.control() {
            TimeControl::Game { increment, .. } => increment,
            TimeControl::PerMove(_) => Duration::ZERO,
        };
        let left = clock.remaining(now);
        if !left.is_zero() {
            self.clock_reports
                .record_opponent_time(remaining, left, increment, now);
        }
        self.clocks.set_opponent_time(remaining, now);
        self.update_limits(now);
    }

    /// `ics`: another host is another way to it.
    pub(super) fn ics(&mut self, server: Option<String>) {
        if server != self.players.server {
            self.lag = LagEstimate::default();
            self.clock_reports = ClockReports::default();
        }
        self.players.server = server;
    }

    /// The engine has moved: the clocks said next can be compared with ours. Not those after the first move, in which
    /// servers let no clock run, and not where no stock is used up.
    pub(super) fn listen_for_clocks(&mut self, now: Instant) {
        let is_stock = matches!(self.clocks.engine.control(), TimeControl::Game { .. });
        if is_stock && self.measure == Measure::WallClock && self.game.len() > 2 {
            self.clock_reports.on_engine_move(now, self.game.len());
        } else {
            self.clock_reports.discard();
        }
    }

    /// It is the engine's turn: what its clock has lacked was lost on the way.
    pub(super) fn learn_lag(&mut self, now: Instant) {
        if let Some(missing) = self.clock_reports.lag_sample(self.game.len()) {
            self.lag.add_sample(missing, self.players.server.is_some());
        }
        self.clock_reports.on_opponent_move(now);
    }
}
