//! Games in a host that needs 20 ms for each line, as WinBoard does under wine.
//!
//! The host has one queue for the lines of both engines and handles them one after the other. Both engines ponder. The
//! time that a move waits behind other lines is deducted from the clock of its engine.
//!
//! The test plays the beginning of a game. `GAUR_SLOW_HOST_GAMES=20 cargo test --test program -- --nocapture slow_host`
//! plays this number of whole games with each time control, and prints their ends.

use std::io::{BufRead, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, TIMEOUT, program};

/// Time that the host needs for a line.
const LINE_TIME: Duration = Duration::from_millis(20);

/// Number of half-moves of the beginning of a game. Without a limit on thinking lines, a clock of 5 s runs out within
/// them.
const BEGINNING: usize = 24;

/// Number of half-moves after which a whole game ends.
const MAX_GAME_LENGTH: usize = 600;

/// Opening moves, so that games differ.
const OPENINGS: [[&str; 2]; 5] = [
    ["e2e4", "e7e5"],
    ["d2d4", "d7d5"],
    ["c2c4", "e7e5"],
    ["g1f3", "d7d5"],
    ["e2e4", "c7c5"],
];

/// A line of an engine.
struct Line {
    engine: usize,
    text: String,
    arrived: Instant,
}

/// One move as the host has seen it.
#[derive(Debug)]
struct Turn {
    /// Time from the opponent's move to the arrival of the engine's move.
    engine_time: Duration,
    /// Time from the arrival of the move to the end of its handling.
    queue_time: Duration,
    /// Number of thinking lines of both engines that the host has handled.
    lines: usize,
    /// Number of thinking lines of the engine that the host had not handled when its move arrived.
    waiting: usize,
}

/// End of a game.
#[derive(Debug, PartialEq)]
enum End {
    /// An engine claimed the result.
    Result(String),
    /// An engine lost on time.
    LossOnTime,
    /// The number of half-moves was reached.
    Stopped,
}

/// A game of two engines.
struct Game {
    engines: Vec<Engine>,
    inputs: Vec<ChildStdin>,
    lines: Receiver<Line>,
    /// Remaining time of each engine.
    clocks: [Duration; 2],
    turns: Vec<Turn>,
    end: End,
}

impl Game {
    /// Starts two engines, each with this time for all of its moves.
    fn start(seconds: u64) -> Game {
        let (sender, lines) = channel();
        let mut game = Game {
            engines: Vec::new(),
            inputs: Vec::new(),
            lines,
            clocks: [Duration::from_secs(seconds); 2],
            turns: Vec::new(),
            end: End::Stopped,
        };
        for number in 0..2 {
            let mut engine = Engine::start(program());
            engine.send("xboard\nprotover 2\n");
            engine.line_with("feature done=1");
            engine.send(format!(
                "new\nlevel 0 0:{seconds:02} 0\npost\nhard\nforce\nping 1\n"
            ));
            engine.line_with("pong 1");
            game.inputs
                .push(engine.input.take().expect("an open input"));
            forward(&mut engine, number, sender.clone());
            game.engines.push(engine);
        }
        game
    }

    /// Sends lines to an engine.
    fn send(&mut self, engine: usize, text: &str) {
        let input = &mut self.inputs[engine];
        input
            .write_all(text.as_bytes())
            .expect("it reads its input");
        input.flush().expect("it reads its input");
    }

    /// Plays from an opening for at most this number of half-moves.
    fn play(&mut self, opening: [&str; 2], half_moves: usize) {
        for engine in 0..2 {
            for mv in opening {
                self.send(engine, &format!("usermove {mv}\n"));
            }
        }
        let (mut mover, mut before) = (0, String::new());
        for number in 0..half_moves {
            let [own, other] = [mover, 1 - mover].map(|of| self.clocks[of].as_millis() / 10);
            let go = if number < 2 { "go\n" } else { "" };
            let text = format!("time {own}\notim {other}\n{before}{go}");
            self.send(mover, &text);
            match self.turn(mover) {
                Ok(mv) => before = format!("usermove {mv}\n"),
                Err(end) => {
                    self.end = end;
                    return;
                }
            }
            mover = 1 - mover;
        }
        self.end = End::Stopped;
    }

    /// Handles lines up to the move of `mover`, and returns the move.
    fn turn(&mut self, mover: usize) -> Result<String, End> {
        let started = Instant::now();
        let mut lines = 0;
        // Times at which the host had handled the lines of `mover`.
        let mut handled = Vec::new();
        loop {
            let line = self.lines.recv_timeout(TIMEOUT).expect("a line in time");
            thread::sleep(LINE_TIME);
            if is_result(&line.text) {
                return Err(End::Result(line.text));
            }
            if line.text.starts_with(|first: char| first.is_ascii_digit()) {
                lines += 1;
                if line.engine == mover {
                    handled.push(Instant::now());
                }
            }
            let mv = line.text.strip_prefix("move ");
            let Some(mv) = mv.filter(|_| line.engine == mover) else {
                continue;
            };
            let now = Instant::now();
            self.turns.push(Turn {
                engine_time: line.arrived - started,
                queue_time: now - line.arrived,
                lines,
                waiting: handled.iter().filter(|&&at| at > line.arrived).count(),
            });
            let clock = &mut self.clocks[mover];
            *clock = clock.saturating_sub(now - started);
            if clock.is_zero() {
                return Err(End::LossOnTime);
            }
            return Ok(mv.to_owned());
        }
    }

    /// Returns the mean of a value over all moves.
    fn mean(&self, value: impl Fn(&Turn) -> f64) -> f64 {
        self.turns.iter().map(value).sum::<f64>() / self.turns.len().max(1) as f64
    }

    /// Prints how the game went.
    fn print(&self, seconds: u64) {
        let [white, black] = self.clocks.map(|clock| clock.as_secs_f64());
        println!(
            "{seconds} s: {:?} after {} half-moves, {white:.1} and {black:.1} s left; per move {:.0} ms engine, {:.0} ms \
             queue, {:.1} lines, {:.1} waiting",
            self.end,
            self.turns.len(),
            self.mean(|turn| turn.engine_time.as_secs_f64() * 1e3),
            self.mean(|turn| turn.queue_time.as_secs_f64() * 1e3),
            self.mean(|turn| turn.lines as f64),
            self.mean(|turn| turn.waiting as f64),
        );
        if self.end == End::LossOnTime {
            for turn in self.turns.iter().rev().step_by(2).take(20) {
                println!("  {turn:?}");
            }
        }
    }
}

/// Returns `true` for a line that ends the game.
fn is_result(text: &str) -> bool {
    ["1-0", "0-1", "1/2-1/2", "resign"]
        .iter()
        .any(|beginning| text.starts_with(beginning))
}

/// Forwards the lines of an engine from a thread of their own.
fn forward(engine: &mut Engine, number: usize, lines: Sender<Line>) {
    let output = engine.output.take().expect("an open output");
    thread::spawn(move || {
        for text in output.lines().map_while(Result::ok) {
            let arrived = Instant::now();
            let line = Line {
                engine: number,
                text,
                arrived,
            };
            if lines.send(line).is_err() {
                return;
            }
        }
    });
}

#[test]
fn games_in_a_slow_host_are_not_lost_on_time() {
    let games: Option<usize> = std::env::var("GAUR_SLOW_HOST_GAMES")
        .ok()
        .map(|text| text.parse().expect("a number of games"));
    let length = games.map_or(BEGINNING, |_| MAX_GAME_LENGTH);
    let mut losses = 0;
    for seconds in [5, 10] {
        for number in 0..games.unwrap_or(1) {
            let mut game = Game::start(seconds);
            game.play(OPENINGS[number % OPENINGS.len()], length);
            game.print(seconds);
            losses += usize::from(game.end == End::LossOnTime);
            // Usually there is one line for a move, and one that waits. A busy machine delays the host, too.
            assert!(game.mean(|turn| turn.lines as f64) < 3.0);
            assert!(game.mean(|turn| turn.waiting as f64) < 2.0);
        }
    }
    assert_eq!(losses, 0, "losses on time");
}
