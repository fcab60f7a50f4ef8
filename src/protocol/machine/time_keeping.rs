//! Clocks, reported times, communication delay, and the limits of a search for a move.

use std::time::{Duration, Instant};

use crate::book::MAX_LOOK_UP_TIME;
use crate::clock::{
    ClockReports, Clocks, Delays, LagEstimate, Lateness, Takeback, TakebackTimes, TimeBudget,
    TimeControl, allocate_time,
};
use crate::config::Parameters;
use crate::game::Game;
use crate::messages::{Limits, LineRate, TimeSource, is_slow_host};
use crate::types::{Color, Depth};

/// The unit of engine time (`nps`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NpsMode {
    /// Wall time.
    WallTime,
    /// Processor time.
    ProcessorTime,
    /// Nodes: this many nodes, at least one, count as a second.
    Nodes(u64),
}

impl NpsMode {
    /// Returns the mode for `nps RATE`.
    pub(super) fn from_rate(rate: u64) -> NpsMode {
        match rate {
            0 => NpsMode::ProcessorTime,
            rate => NpsMode::Nodes(rate),
        }
    }

    /// Returns the source of the times in thinking output: processor time unless engine time is wall time.
    fn time_source(self) -> TimeSource {
        match self {
            NpsMode::WallTime => TimeSource::Wall,
            NpsMode::ProcessorTime | NpsMode::Nodes(_) => TimeSource::Processor,
        }
    }
}

/// Delay per move on Gaur's own clock that no host has reported.
const UNREPORTED_DELAY: Duration = Duration::from_millis(1);

/// Part of the engine's time that the look-up of a book move may take: one in this number.
const LOOK_UP_PART: u32 = 20;

/// Time limits of a search, from which it is seen whether its move is late.
#[derive(Clone, Copy, Debug)]
struct Plan {
    budget: TimeBudget,
    /// Time of the request for the move, from which the limits count.
    started: Instant,
    /// Time when the search got the limits. Before, it could not be late.
    given: Instant,
}

/// The clocks of a game and everything that limits a search for a move.
#[derive(Clone, Debug)]
pub(super) struct TimeKeeping {
    /// Gaur's own clocks.
    clocks: Clocks,
    /// Clock times reported by the GUI since the engine's last move.
    reports: ClockReports,
    /// Estimated communication delay per move.
    lag: LagEstimate,
    /// Delays of earlier moves after their hard limit.
    lateness: Lateness,
    /// Time limits of the running search for a move; `None` if pauses or another unit of time make its end unknown.
    plan: Option<Plan>,
    /// Moves of the engine since its time was last reported. Their delays are missing from Gaur's own clock.
    unreported_moves: u32,
    /// Maximum search depth (`sd`).
    depth_limit: Option<Depth>,
    /// Unit of engine time of the next search.
    nps_mode: NpsMode,
    /// Unit of engine time when the newest search was started.
    nps_mode_of_search: NpsMode,
}

impl TimeKeeping {
    /// Returns the clocks of a game with the default time control.
    pub(super) fn new() -> TimeKeeping {
        TimeKeeping {
            clocks: Clocks::uncontrolled(),
            reports: ClockReports::default(),
            lag: LagEstimate::default(),
            lateness: Lateness::default(),
            plan: None,
            unreported_moves: 0,
            depth_limit: None,
            nps_mode: NpsMode::WallTime,
            nps_mode_of_search: NpsMode::WallTime,
        }
    }

    /// Returns Gaur's own clocks.
    pub(super) fn clocks(&self) -> Clocks {
        self.clocks
    }

    /// Resets clocks and limits for a new game. The lag estimate stays, and most of the record of late moves: a slow
    /// host stays slow, and a busy machine busy.
    pub(super) fn on_new_game(&mut self) {
        self.lateness.on_new_game();
        self.plan = None;
        self.unreported_moves = 0;
        self.clocks.reset();
        self.depth_limit = None;
        self.set_nps_mode(NpsMode::WallTime);
    }

    /// Discards everything that is known about the communication with the previous server.
    pub(super) fn on_server_change(&mut self) {
        self.lag = LagEstimate::default();
        self.reset_reports();
    }

    /// Sets the time control (`level`, `st`).
    pub(super) fn set_control(&mut self, control: TimeControl, now: Instant) {
        self.reports.discard();
        self.unreported_moves = 0;
        self.clocks.set_control(control, now);
    }

    /// Sets the engine's clock to a reported time (`time`).
    pub(super) fn report_engine_time(&mut self, remaining: Duration, now: Instant) {
        let expected = self.clocks.engine.remaining(now);
        self.reports.record_engine_time(remaining, expected);
        self.clocks.set_engine_time(remaining, now);
        self.unreported_moves = 0;
    }

    /// Sets the opponent's clock to a reported time (`otim`). The GUI reports it with a move of the opponent and has
    /// added the increment.
    pub(super) fn report_opponent_time(&mut self, remaining: Duration, now: Instant) {
        let clock = &self.clocks.opponent;
        let increment = match *clock.control() {
            TimeControl::Game { increment, .. } => increment,
            TimeControl::PerMove(_) => Duration::ZERO,
        };
        let expected = clock.remaining(now);
        // A clock that has run out here does not show how much time has passed.
        if !expected.is_zero() {
            self.reports
                .record_opponent_time(remaining, expected, increment, now);
        }
        self.clocks.set_opponent_time(remaining, now);
    }

    /// Discards the reports until the engine moves again.
    pub(super) fn discard_reports(&mut self) {
        self.reports.discard();
    }

    /// Discards the reports and all that was derived from earlier ones, for another game or position.
    pub(super) fn reset_reports(&mut self) {
        self.reports = ClockReports::default();
    }

    /// Starts the engine's clock for its move. A report of the engine's time becomes a sample for the lag estimate.
    pub(super) fn start_engine_turn(
        &mut self,
        engine: Color,
        game_length: usize,
        is_on_server: bool,
        now: Instant,
    ) {
        if let Some(sample) = self.reports.lag_sample(game_length) {
            self.lag.add_sample(sample, is_on_server);
        }
        self.reports.on_opponent_move(now);
        self.clocks.start_engine_turn(engine, now);
    }

    /// Ends the engine's move; `game_length` includes it. Later reports can be compared with Gaur's clocks, unless
    /// this was its first move, during which servers keep the clocks stopped, or time does not accumulate.
    pub(super) fn on_engine_move(&mut self, engine: Color, game_length: usize, now: Instant) {
        self.clocks.finish_move(engine, now);
        self.unreported_moves = self.unreported_moves.saturating_add(1);
        let accumulates = matches!(self.clocks.engine.control(), TimeControl::Game { .. });
        if accumulates && self.nps_mode_of_search == NpsMode::WallTime && game_length > 2 {
            self.reports.on_engine_move(now, game_length);
        } else {
            self.reports.discard();
        }
    }

    /// Ends the opponent's move.
    pub(super) fn on_opponent_move(&mut self, opponent: Color, now: Instant) {
        self.clocks.finish_move(opponent, now);
    }

    /// Counts a move in force mode or analysis, where no clock runs.
    pub(super) fn count_move(&mut self, color: Color) {
        self.clocks.count_move(color);
    }

    /// Starts the clock of `color`.
    pub(super) fn run(&mut self, color: Color, now: Instant) {
        self.plan = None;
        self.clocks.run(color, now);
    }

    /// Stops both clocks.
    pub(super) fn stop(&mut self, now: Instant) {
        self.plan = None;
        self.clocks.stop(now);
    }

    /// Gives the engine's clock to `engine` (`playother`).
    pub(super) fn set_engine_color(&mut self, engine: Color) {
        self.reports.discard();
        self.clocks.set_engine_color(engine);
    }

    /// Sets the engine's side provisionally (`white`, `black`): reported times stay with the engine if the side
    /// changes again.
    pub(super) fn set_provisional_engine_color(&mut self, engine: Color) {
        self.reports.discard();
        self.clocks.set_provisional_engine_color(engine);
    }

    /// Puts the clocks back to their times before a move that was taken back.
    pub(super) fn take_back_to(&mut self, earlier: &Clocks, now: Instant) {
        self.reports.discard();
        self.unreported_moves = 0;
        self.clocks.take_back_to(earlier, now);
    }

    /// Puts the clocks back as [`TimeKeeping::take_back_to`] does, but keeps the times that were reported after the
    /// takeback.
    pub(super) fn take_back_to_reported(&mut self, earlier: &Clocks, now: Instant) {
        self.clocks.take_back_to(earlier, now);
        let (engine, opponent) = self.reports.reported_times();
        self.unreported_moves = 0;
        if let Some(remaining) = engine {
            self.clocks.set_engine_time(remaining, now);
        }
        if let Some(remaining) = opponent {
            self.clocks.set_opponent_time(remaining, now);
        }
        self.reports.discard();
    }

    /// Returns the conclusion from the reported times about a takeback of the last `count` half-moves of `game`.
    pub(super) fn assess_takeback(&self, game: &Game, count: usize) -> Option<Takeback> {
        self.reports
            .assess_takeback(self.takeback_times(game, count)?)
    }

    /// Returns the clock times after a takeback of the last `count` half-moves. Returns `None` if they are unknown, or
    /// uncertain because the time control has periods.
    fn takeback_times(&self, game: &Game, count: usize) -> Option<TakebackTimes> {
        let TimeControl::Game {
            moves: None,
            increment,
            ..
        } = *self.clocks.opponent.control()
        else {
            return None;
        };
        Some(TakebackTimes {
            engine: game.clocks_before(count)?.engine.last_shown(),
            opponent: game.clocks_before(count + 2)?.opponent.last_shown(),
            increment,
        })
    }

    /// Sets the maximum search depth (`sd`), at least 1.
    pub(super) fn set_depth_limit(&mut self, depth: Depth) {
        self.depth_limit = Some(depth.max(1));
    }

    /// Returns the maximum search depth.
    pub(super) fn depth_limit(&self) -> Option<Depth> {
        self.depth_limit
    }

    /// Returns the limits of a ponder search.
    pub(super) fn ponder_limits(&self) -> Limits {
        Limits {
            depth: self.depth_limit,
            line_rate: LineRate::for_pondering(self.lag.per_move()),
            ..Limits::default()
        }
    }

    /// Returns `true` if moves have been late, so that every line to the host may cost time.
    pub(super) fn is_slow_host(&self) -> bool {
        is_slow_host(self.lag.local())
    }

    /// Returns `true` if a local host takes more time for each move than the time control adds.
    fn is_clock_falling(&self) -> bool {
        let gained = match *self.clocks.engine.control() {
            TimeControl::Game { increment, .. } => increment,
            TimeControl::PerMove(limit) => limit,
        };
        self.lag.local() > gained
    }

    /// Sets the unit of engine time (`nps`) from the next search on.
    pub(super) fn set_nps_mode(&mut self, mode: NpsMode) {
        self.nps_mode = mode;
    }

    /// Records the start of a search, from which the unit of engine time applies, and returns its source of times.
    pub(super) fn on_search_start(&mut self, now: Instant) -> TimeSource {
        self.nps_mode_of_search = self.nps_mode;
        self.clocks
            .use_wall_time(self.nps_mode == NpsMode::WallTime, now);
        self.nps_mode.time_source()
    }

    /// Returns `true` if the running search can get new limits. A search that counts its time in another unit than
    /// the next one keeps its limits.
    pub(super) fn can_change_limits(&self) -> bool {
        self.nps_mode_of_search == self.nps_mode
    }

    /// Subtracts the cost of a move from the engine's clock, unless its search counted wall time.
    pub(super) fn charge(&mut self, processor_time: Duration, nodes: u64) {
        match self.nps_mode_of_search {
            NpsMode::WallTime => {}
            NpsMode::ProcessorTime => self.clocks.charge_engine(processor_time),
            NpsMode::Nodes(rate) => self.clocks.charge_engine(time_for(nodes, rate)),
        }
    }

    /// Returns the delays expected for the next moves.
    pub(super) fn delays(&self) -> Delays {
        Delays::expected(&self.lag, &self.lateness)
    }

    /// Records that the search for a move that was requested at `started` gets `limits` at `now`.
    pub(super) fn plan(&mut self, limits: &Limits, started: Instant, now: Instant) {
        self.plan = limits
            .budget
            .filter(|_| self.nps_mode == NpsMode::WallTime)
            .map(|budget| Plan {
                budget,
                started,
                given: now,
            });
    }

    /// Takes no sample of the lateness of the running search.
    pub(super) fn ignore_lateness(&mut self) {
        self.plan = None;
    }

    /// Records that the move of the search is sent at `now`. If this is later than planned, later moves reserve more
    /// time.
    pub(super) fn on_move_found(&mut self, now: Instant) {
        if let Some(plan) = self.plan.take() {
            let used = now.saturating_duration_since(plan.started);
            let since_given = now.saturating_duration_since(plan.given);
            self.lateness
                .add_sample(plan.budget.lateness(used).min(since_given));
        }
    }

    /// Returns the engine's time at `now`, less the delays that no host has reported. They cost wall-clock time only.
    fn engine_time(&self, now: Instant) -> Duration {
        let remaining = self.clocks.engine.remaining(now);
        match (self.clocks.engine.control(), self.nps_mode) {
            (TimeControl::Game { .. }, NpsMode::WallTime) => {
                let delay = UNREPORTED_DELAY + self.lateness.mean();
                remaining.saturating_sub(delay.saturating_mul(self.unreported_moves))
            }
            _ => remaining,
        }
    }

    /// Returns the time, at `now`, that a look-up in an opening book may take: a small part of the engine's time.
    pub(super) fn look_up_limit(&self, now: Instant) -> Duration {
        let remaining = self.clocks.engine.remaining(now);
        MAX_LOOK_UP_TIME.min(remaining / LOOK_UP_PART)
    }

    /// Returns the limits, at `now`, of a search for a move that was requested at `started`.
    ///
    /// The limits count from `started`: the time used since then is added to the current clock time.
    pub(super) fn limits(
        &self,
        started: Instant,
        now: Instant,
        move_overhead: Duration,
        parameters: &Parameters,
    ) -> Limits {
        let clock = &self.clocks.engine;
        let used = match self.nps_mode {
            NpsMode::WallTime => now.saturating_duration_since(started),
            // This time is subtracted from the clock when the search ends.
            NpsMode::ProcessorTime | NpsMode::Nodes(_) => Duration::ZERO,
        };
        let budget = |overhead: Duration, delays: Delays| {
            let remaining = self.engine_time(now).saturating_add(used);
            let opponent = self.clocks.opponent.remaining(now);
            allocate_time(
                clock.control(),
                remaining,
                clock.moves_to_go(),
                opponent,
                overhead,
                delays,
                parameters,
            )
        };
        match self.nps_mode {
            NpsMode::WallTime => {
                let budget = budget(move_overhead, self.delays());
                Limits {
                    depth: self.depth_limit,
                    nodes: None,
                    budget: Some(budget),
                    line_rate: LineRate::for_move(
                        budget,
                        self.lag.per_move(),
                        self.is_clock_falling(),
                    ),
                }
            }
            // Lines and the wait for a processor cost no processor time of the engine.
            NpsMode::ProcessorTime => {
                let delays = Delays::expected(&self.lag, &Lateness::default());
                Limits {
                    depth: self.depth_limit,
                    budget: Some(budget(move_overhead, delays)),
                    ..Limits::default()
                }
            }
            // Communication does not cost nodes, so there is no overhead.
            NpsMode::Nodes(rate) => Limits {
                depth: self.depth_limit,
                nodes: Some(nodes_in(
                    budget(Duration::ZERO, Delays::default()).soft,
                    rate,
                )),
                ..Limits::default()
            },
        }
    }
}

/// Returns the time for `nodes` at `rate` nodes per second.
fn time_for(nodes: u64, rate: u64) -> Duration {
    let milliseconds = u128::from(nodes) * 1000 / u128::from(rate.max(1));
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX))
}

/// Returns the number of nodes in `time` at `rate` nodes per second, at least one.
fn nodes_in(time: Duration, rate: u64) -> u64 {
    let nodes = time.as_millis().saturating_mul(u128::from(rate)) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests;
