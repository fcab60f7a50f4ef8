//! Clocks of engine and opponent. Gaur keeps them itself, because a GUI may send `time` and `otim` rarely or never.
//!
//! They belong to the engine and its opponent, as `time` and `otim` do. If the engine changes sides and no new times
//! are reported, the clocks are swapped, because a colour uses up time.

use std::time::{Duration, Instant};

use super::TimeControl;
use crate::types::Color;

/// Initial time on chess servers for a base of 0 with an increment.
const ZERO_BASE_START: Duration = Duration::from_secs(10);

/// The clock of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    /// Time when the clock last stopped or was set.
    remaining: Duration,
    /// Moves until the next period adds `base`.
    moves_to_go: Option<u32>,
    running_since: Option<Instant>,
    /// Set while the clock stands still even in the turn of its player.
    is_suspended: bool,
}

impl Clock {
    /// Creates a stopped clock with the initial time of a game.
    pub fn new(control: TimeControl) -> Clock {
        let (remaining, moves_to_go) = match control {
            TimeControl::PerMove(limit) => (limit, None),
            TimeControl::Game {
                moves,
                base,
                increment,
            } => {
                let starts_at_zero = base.is_zero() && !increment.is_zero();
                (
                    if starts_at_zero {
                        ZERO_BASE_START
                    } else {
                        base
                    },
                    moves.filter(|&moves| moves > 0),
                )
            }
        };
        Clock {
            control,
            remaining,
            moves_to_go,
            running_since: None,
            is_suspended: false,
        }
    }

    /// Returns the remaining time at `now`.
    pub fn remaining(&self, now: Instant) -> Duration {
        match self.running_since {
            Some(start) if !self.is_suspended => self
                .remaining
                .saturating_sub(now.saturating_duration_since(start)),
            _ => self.remaining,
        }
    }

    /// Returns the time when the clock last stopped, or the time reported since.
    pub fn last_shown(&self) -> Duration {
        self.remaining
    }

    /// Returns the number of moves until the next period; `None` without periods.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Returns the time control of the clock.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Sets the remaining time of a running or stopped clock.
    fn set(&mut self, remaining: Duration, now: Instant) {
        self.remaining = remaining;
        self.running_since = self.running_since.map(|_| now);
    }

    /// Ends a suspension. The clock of the player whose turn it is runs from now on.
    fn resume(&mut self, now: Instant) {
        if self.is_suspended {
            self.is_suspended = false;
            self.running_since = self.running_since.map(|_| now);
        }
    }

    fn start(&mut self, now: Instant) {
        self.running_since.get_or_insert(now);
    }

    fn stop(&mut self, now: Instant) {
        self.remaining = self.remaining(now);
        self.running_since = None;
    }

    /// Counts a move of the period. Returns `true` if a new period has begun.
    fn count_move(&mut self) -> bool {
        let TimeControl::Game {
            moves: Some(moves), ..
        } = self.control
        else {
            return false;
        };
        let left = self.moves_to_go.map_or(0, |left| left.saturating_sub(1));
        self.moves_to_go = Some(if left == 0 { moves } else { left }).filter(|&left| left > 0);
        left == 0
    }

    /// Counts a move of the period, and adds `base` if a new period has begun.
    fn count_move_and_add_base(&mut self) {
        let next_period = self.count_move();
        if let TimeControl::Game { base, .. } = self.control
            && next_period
        {
            self.remaining = self.remaining.saturating_add(base);
        }
    }

    /// Stops the clock after a move of its player, and adds the increment and the time of a new period.
    fn finish_move(&mut self, now: Instant) {
        self.stop(now);
        self.count_move_and_add_base();
        match self.control {
            TimeControl::PerMove(limit) => self.remaining = limit,
            TimeControl::Game { increment, .. } => {
                self.remaining = self.remaining.saturating_add(increment);
            }
        }
    }

    /// Sets the clock to the time when `earlier` last stopped. A clock with another time control stays as it is.
    fn take_back_to(&mut self, earlier: &Clock, now: Instant) {
        if self.control == earlier.control {
            self.set(earlier.remaining, now);
            self.moves_to_go = earlier.moves_to_go;
        }
    }
}

/// Both clocks, and the engine's colour.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// The engine's clock, set with `time`.
    pub engine: Clock,
    /// The opponent's clock, set with `otim`.
    pub opponent: Clock,
    engine_color: Color,
    /// Set if the GUI has reported a time since the engine's colour was last set. The times then belong to the next
    /// colour.
    times_reported: bool,
    /// Set if the engine's clock does not run with wall time, but is reduced by [`Clocks::charge_engine`].
    engine_is_charged: bool,
}

impl Clocks {
    /// Creates both clocks for a game in which the engine plays Black, as after `new`.
    pub fn new(control: TimeControl) -> Clocks {
        let clock = Clock::new(control);
        Clocks {
            engine: clock,
            opponent: clock,
            engine_color: Color::Black,
            times_reported: false,
            engine_is_charged: false,
        }
    }

    /// Creates the clocks of a GUI that has sent no time control: with the default one. Until it sends one or a time,
    /// the opponent's clock stands still, because the engine may take over its side.
    pub fn uncontrolled() -> Clocks {
        let mut clocks = Clocks::new(TimeControl::default());
        clocks.opponent.is_suspended = true;
        clocks
    }

    /// Resets both clocks to the start of a game with the same time control.
    pub fn reset(&mut self) {
        let is_suspended = self.opponent.is_suspended;
        *self = Clocks::new(self.engine.control);
        self.opponent.is_suspended = is_suspended;
    }

    /// Sets the time control (`level`, `st`) and the initial times of both clocks. Moves are counted from now.
    pub fn set_control(&mut self, control: TimeControl, now: Instant) {
        for clock in [&mut self.engine, &mut self.opponent] {
            let running_since = clock.running_since.map(|_| now);
            *clock = Clock {
                running_since,
                ..Clock::new(control)
            };
        }
    }

    /// Sets the engine's clock (`time`).
    pub fn set_engine_time(&mut self, remaining: Duration, now: Instant) {
        self.engine.set(remaining, now);
        self.opponent.resume(now);
        self.times_reported = true;
    }

    /// Sets the opponent's clock (`otim`).
    pub fn set_opponent_time(&mut self, remaining: Duration, now: Instant) {
        self.opponent.set(remaining, now);
        self.opponent.resume(now);
        self.times_reported = true;
    }

    /// Sets the engine's colour. The clocks are swapped if the colour changes and the GUI has not reported times for
    /// it.
    pub fn set_engine_color(&mut self, color: Color) {
        self.set_provisional_engine_color(color);
        self.times_reported = false;
    }

    /// Sets the engine's colour, which may change again before the engine plays. Times reported until then belong to
    /// the last change.
    pub fn set_provisional_engine_color(&mut self, color: Color) {
        if self.engine_color != color && !self.times_reported {
            std::mem::swap(&mut self.engine, &mut self.opponent);
            if self.engine.is_suspended {
                self.opponent.is_suspended = true;
                self.engine.is_suspended = false;
                // It has not run so far.
                self.engine.running_since = None;
            }
        }
        self.engine_color = color;
    }

    /// Starts the clock of `color` and stops the other.
    pub fn run(&mut self, color: Color, now: Instant) {
        self.clock_mut(!color).stop(now);
        self.start(color, now);
    }

    /// Starts the clock of the engine, which plays `color`. With a time per move it has all its seconds, whatever
    /// happened before, unless the GUI has reported times for this turn.
    pub fn start_engine_turn(&mut self, color: Color, now: Instant) {
        let times_reported = self.times_reported;
        self.set_engine_color(color);
        if let TimeControl::PerMove(limit) = self.engine.control
            && !times_reported
        {
            self.engine.set(limit, now);
        }
        self.run(color, now);
    }

    /// Selects wall time for the engine's clock, or time charged with [`Clocks::charge_engine`].
    pub fn use_wall_time(&mut self, wall_time: bool, now: Instant) {
        self.engine_is_charged = !wall_time;
        if !wall_time {
            self.engine.stop(now);
        }
    }

    /// Reduces the engine's clock by the cost of a move in a unit other than wall time.
    pub fn charge_engine(&mut self, cost: Duration) {
        self.engine.remaining = self.engine.remaining.saturating_sub(cost);
    }

    /// Starts the clock of `color`, unless it is the engine's and does not run with wall time.
    fn start(&mut self, color: Color, now: Instant) {
        if color != self.engine_color || !self.engine_is_charged {
            self.clock_mut(color).start(now);
        }
    }

    /// Stops both clocks.
    pub fn stop(&mut self, now: Instant) {
        self.engine.stop(now);
        self.opponent.stop(now);
    }

    /// Ends the turn of `color` in a running game: its clock stops and gets its increment, and the other clock starts.
    pub fn finish_move(&mut self, color: Color, now: Instant) {
        // Times that the GUI has reported during this turn already include the increment.
        let is_engine = color == self.engine_color;
        if is_engine || !self.times_reported {
            self.clock_mut(color).finish_move(now);
        } else {
            let clock = self.clock_mut(color);
            clock.stop(now);
            clock.count_move();
        }
        self.start(!color, now);
        if is_engine {
            // Times reported while the engine was thinking are not about the opponent's next move.
            self.times_reported = false;
        }
    }

    /// Counts a move of `color` while no clock runs (`force`). A new period adds its time.
    pub fn count_move(&mut self, color: Color) {
        self.clock_mut(color).count_move_and_add_base();
    }

    /// Sets both clocks to the times of `earlier`, the clocks before a move that was taken back.
    pub fn take_back_to(&mut self, earlier: &Clocks, now: Instant) {
        for color in Color::ALL {
            let before = *earlier.clone().clock_mut(color);
            self.clock_mut(color).take_back_to(&before, now);
        }
    }

    /// Returns the clock of `color`.
    fn clock_mut(&mut self, color: Color) -> &mut Clock {
        if color == self.engine_color {
            &mut self.engine
        } else {
            &mut self.opponent
        }
    }
}

#[cfg(test)]
mod tests;
