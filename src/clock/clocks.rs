//! Two clocks that we keep ourselves, because a GUI may never send `time` or only now and then.
//!
//! They belong to the engine and its opponent, as `time` and `otim` do. When the engine changes sides without
//! being told the new times, the clocks change places, since time is used up by a colour.

use std::time::{Duration, Instant};

use super::TimeControl;
use crate::types::Color;

/// What internet chess servers give for a base of 0 with an increment.
const ZERO_BASE_START: Duration = Duration::from_secs(10);

/// One player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    /// When it last stood still.
    remaining: Duration,
    /// Moves until `base` is added.
    moves_to_go: Option<u32>,
    running_since: Option<Instant>,
}

impl Clock {
    /// A clock at the start of a game, standing still.
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
        }
    }

    /// What it shows at `now`.
    pub fn remaining(&self, now: Instant) -> Duration {
        match self.running_since {
            Some(start) => self
                .remaining
                .saturating_sub(now.saturating_duration_since(start)),
            None => self.remaining,
        }
    }

    /// What it showed when it last stood still, or what was said of it since.
    pub fn last_shown(&self) -> Duration {
        self.remaining
    }

    /// Moves until the next period, `None` without periods.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// The control it counts by.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Shows this from now on, running or not.
    fn set(&mut self, remaining: Duration, now: Instant) {
        self.remaining = remaining;
        self.running_since = self.running_since.map(|_| now);
    }

    fn start(&mut self, now: Instant) {
        self.running_since.get_or_insert(now);
    }

    fn stop(&mut self, now: Instant) {
        self.remaining = self.remaining(now);
        self.running_since = None;
    }

    /// One move nearer to the next period; true when it has begun.
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

    /// As [`Clock::count_move`], with the time that a new period brings.
    fn count_move_and_add_base(&mut self) {
        let next_period = self.count_move();
        if let TimeControl::Game { base, .. } = self.control
            && next_period
        {
            self.remaining = self.remaining.saturating_add(base);
        }
    }

    /// The player has moved: stop, and add what the control gives for it.
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

    /// Shows what `earlier` showed when it last stood still. Nothing changes if another control has come since.
    fn take_back_to(&mut self, earlier: &Clock, now: Instant) {
        if self.control == earlier.control {
            self.set(earlier.remaining, now);
            self.moves_to_go = earlier.moves_to_go;
        }
    }
}

/// Both clocks, and the colour the engine's belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// What `time` sets.
    pub engine: Clock,
    /// What `otim` sets.
    pub opponent: Clock,
    engine_color: Color,
    /// The GUI has said a time since the engine last took a side: it is right for the side taken next.
    times_reported: bool,
    /// The engine's time is not what passes on the wall: it is told by [`Clocks::charge_engine`].
    engine_is_charged: bool,
}

impl Clocks {
    /// Both at the start of a game in which the engine plays Black, as after `new`.
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

    /// Back to the start of a game with the same control.
    pub fn reset(&mut self) {
        *self = Clocks::new(self.engine.control);
    }

    /// `level` or `st`: both begin afresh, moves being counted from now.
    pub fn set_control(&mut self, control: TimeControl, now: Instant) {
        for clock in [&mut self.engine, &mut self.opponent] {
            let running_since = clock.running_since.map(|_| now);
            *clock = Clock {
                running_since,
                ..Clock::new(control)
            };
        }
    }

    /// `time`.
    pub fn set_engine_time(&mut self, remaining: Duration, now: Instant) {
        self.engine.set(remaining, now);
        self.times_reported = true;
    }

    /// `otim`.
    pub fn set_opponent_time(&mut self, remaining: Duration, now: Instant) {
        self.opponent.set(remaining, now);
        self.times_reported = true;
    }

    /// The engine plays `color` from now on. Unless the GUI has said the times for that already, the clocks change
    /// places when it is another colour than before.
    pub fn set_engine_color(&mut self, color: Color) {
        self.set_provisional_engine_color(color);
        self.times_reported = false;
    }

    /// As [`Clocks::set_engine_color`], but the side may change again before the engine really plays, and times said
    /// until then are for the last change.
    pub fn set_provisional_engine_color(&mut self, color: Color) {
        if self.engine_color != color && !self.times_reported {
            std::mem::swap(&mut self.engine, &mut self.opponent);
        }
        self.engine_color = color;
    }

    /// Only the clock of `color` runs from now on.
    pub fn run(&mut self, color: Color, now: Instant) {
        self.clock_mut(!color).stop(now);
        self.start(color, now);
    }

    /// Whether the engine's clock runs as the one on the wall does, or stands still but for what is charged.
    pub fn use_wall_time(&mut self, by_wall: bool, now: Instant) {
        self.engine_is_charged = !by_wall;
        if !by_wall {
            self.engine.stop(now);
        }
    }

    /// Takes off the engine's clock what a move has cost by another measure than the clock on the wall.
    pub fn charge_engine(&mut self, cost: Duration) {
        self.engine.remaining = self.engine.remaining.saturating_sub(cost);
    }

    fn start(&mut self, color: Color, now: Instant) {
        if color != self.engine_color || !self.engine_is_charged {
            self.clock_mut(color).start(now);
        }
    }

    /// Neither runs.
    pub fn stop(&mut self, now: Instant) {
        self.engine.stop(now);
        self.opponent.stop(now);
    }

    /// `color` has moved in a game that is being played: its clock stops, with what the move earns, and the
    /// other runs.
    pub fn finish_move(&mut self, color: Color, now: Instant) {
        // What the GUI said a moment ago counts the move already made.
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
            // What was said while it thought is about the move it has made, not about the opponent's next.
            self.times_reported = false;
        }
    }

    /// `color` has moved while nobody's time counts (`force`); a new period brings its time nevertheless.
    pub fn count_move(&mut self, color: Color) {
        self.clock_mut(color).count_move_and_add_base();
    }

    /// A move was taken back, before which the clocks were these: each colour has again what it had when that turn
    /// began. What the move had earned is gone, and what it had cost is back.
    pub fn take_back_to(&mut self, earlier: &Clocks, now: Instant) {
        for color in Color::ALL {
            let before = *earlier.clone().clock_mut(color);
            self.clock_mut(color).take_back_to(&before, now);
        }
    }

    fn clock_mut(&mut self, color: Color) -> &mut Clock {
        if color == self.engine_color {
            &mut self.engine
        } else {
            &mut self.opponent
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn level(moves: Option<u32>, base: u32, increment: u32) -> TimeControl {
        TimeControl::Game {
            moves,
            base: SECOND * base,
            increment: SECOND * increment,
        }
    }

    #[test]
    fn a_running_clock_counts_down_and_earns_its_increment() {
        let start = Instant::now();
        let mut clocks = Clocks::new(level(None, 60, 2));
        clocks.run(Color::Black, start);
        assert_eq!(clocks.engine.remaining(start + SECOND * 7), SECOND * 53);
        clocks.finish_move(Color::Black, start + SECOND * 7);
        assert_eq!(clocks.engine.remaining(start + SECOND * 100), SECOND * 55);
        assert_eq!(clocks.opponent.remaining(start + SECOND * 17), SECOND * 50);
        assert_eq!(
            clocks.opponent.remaining(start + SECOND * 1000),
            Duration::ZERO
        );
    }

    #[test]
    fn a_new_period_adds_its_base() {
        let start = Instant::now();
        let mut clocks = Clocks::new(level(Some(2), 60, 0));
        for (to_go, remaining) in [(1, 60), (2, 120), (1, 120), (2, 180)] {
            clocks.finish_move(Color::Black, start);
            assert_eq!(clocks.engine.moves_to_go(), Some(to_go));
            assert_eq!(clocks.engine.remaining(start), SECOND * remaining);
        }
    }

    #[test]
    fn taking_back_brings_back_the_clocks_of_each_colour() {
        let start = Instant::now();
        let mut clocks = Clocks::new(level(Some(1), 60, 5));
        clocks.run(Color::Black, start);
        let before = clocks;
        clocks.finish_move(Color::Black, start + SECOND * 10);
        assert_eq!(clocks.engine.remaining(start), SECOND * 115);
        let other_side = {
            let mut clocks = clocks;
            clocks.set_engine_color(Color::White);
            clocks
        };
        for mut clocks in [clocks, other_side] {
            clocks.stop(start + SECOND * 20);
            clocks.take_back_to(&before, start + SECOND * 20);
            assert_eq!(clocks.clock_mut(Color::Black).remaining(start), SECOND * 60);
            assert_eq!(clocks.clock_mut(Color::White).remaining(start), SECOND * 60);
            assert_eq!(clocks.clock_mut(Color::Black).moves_to_go(), Some(1));
        }
        // The clocks of another control are no measure.
        clocks.set_control(level(None, 30, 0), start);
        clocks.take_back_to(&before, start);
        assert_eq!(clocks.opponent.remaining(start), SECOND * 30);
    }

    #[test]
    fn a_period_completed_in_force_mode_brings_its_time() {
        let start = Instant::now();
        let mut clocks = Clocks::new(level(Some(2), 60, 5));
        clocks.count_move(Color::White);
        assert_eq!(clocks.opponent.remaining(start), SECOND * 60);
        clocks.count_move(Color::White);
        assert_eq!(clocks.opponent.remaining(start), SECOND * 120);
    }

    #[test]
    fn what_is_said_during_a_move_is_about_that_move_only() {
        let start = Instant::now();
        let mut clocks = Clocks::new(level(None, 60, 5));
        clocks.set_engine_color(Color::Black);
        clocks.run(Color::Black, start);
        clocks.set_engine_time(SECOND * 40, start);
        clocks.set_opponent_time(SECOND * 20, start);
        clocks.finish_move(Color::Black, start);
        assert_eq!(clocks.engine.remaining(start), SECOND * 45);
        clocks.finish_move(Color::White, start);
        assert_eq!(clocks.opponent.remaining(start), SECOND * 25);
        // Another side is taken without new times: the clocks change places.
        clocks.set_engine_color(Color::White);
        assert_eq!(clocks.engine.remaining(start), SECOND * 25);
    }

    #[test]
    fn seconds_per_move_are_given_anew() {
        let start = Instant::now();
        let mut clocks = Clocks::new(TimeControl::PerMove(SECOND * 5));
        clocks.run(Color::Black, start);
        clocks.finish_move(Color::Black, start + SECOND * 4);
        assert_eq!(clocks.engine.remaining(start + SECOND * 4), SECOND * 5);
    }

    #[test]
    fn a_base_of_zero_with_increment_starts_at_ten_seconds() {
        assert_eq!(
            Clock::new(level(None, 0, 1)).remaining(Instant::now()),
            SECOND * 10
        );
        assert_eq!(
            Clock::new(level(None, 0, 0)).remaining(Instant::now()),
            Duration::ZERO
        );
    }

    #[test]
    fn clocks_change_places_with_the_sides_unless_the_times_were_said() {
        let now = Instant::now();
        let mut clocks = Clocks::new(level(None, 60, 0));
        clocks.set_engine_time(SECOND * 50, now);
        clocks.set_opponent_time(SECOND * 40, now);
        clocks.set_engine_color(Color::White);
        assert_eq!(clocks.engine.remaining(now), SECOND * 50);
        clocks.set_engine_color(Color::Black);
        assert_eq!(clocks.engine.remaining(now), SECOND * 40);
        clocks.set_engine_color(Color::Black);
        assert_eq!(clocks.engine.remaining(now), SECOND * 40);
    }

    #[test]
    fn a_clock_standing_still_forgets_nothing() {
        let start = Instant::now();
        let mut clocks = Clocks::new(level(None, 60, 0));
        clocks.run(Color::Black, start);
        clocks.stop(start + SECOND * 10);
        clocks.run(Color::Black, start + SECOND * 5000);
        assert_eq!(clocks.engine.remaining(start + SECOND * 5001), SECOND * 49);
    }
}
