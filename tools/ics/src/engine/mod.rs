//! Engine of the xboard protocol (CECP), a child process.
//!
//! | module | content |
//! |---|---|
//! | `types` | descriptions of engines and games, events |
//! | `variant` | chess variants |
//! | `features` | what an engine announces |
//! | `options` | options that an engine announces, and their values |
//! | `line` | lines of an engine, parsed |
//! | `tracker` | the position of the engine's game |
//! | `pings` | commands `ping` and their answers |
//! | `commands` | texts of commands |
//! | `driver` | the conversation, without input and output |
//! | `program` | search for the program |
//! | `process` | the process and its threads |

mod clean;
mod commands;
mod driver;
#[cfg(test)]
mod driver_tests;
mod features;
mod line;
mod options;
mod pings;
mod process;
mod program;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod takeback_tests;
mod tracker;
mod types;
mod variant;

use std::time::Instant;

pub use features::Features;
pub use program::find;
pub use types::{
    Clocks, EngineError, EngineEvent, EngineOutput, EngineSpec, EngineTell, GameSetup, Order,
    Thinking,
};
pub use variant::Variant;

use driver::Driver;
use process::Process;

/// Receiver of the lines to the engine (`true`) and from it.
type Log = Box<dyn Fn(bool, &str) + Send>;

/// A running engine. Dropping the value kills it; [`Engine::quit`] ends it properly.
pub struct Engine {
    driver: Driver,
    process: Option<Process>,
    /// The engine has not read its input for too long.
    is_stuck: bool,
    log: Log,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Engine")
            .field("driver", &self.driver)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Starts an engine. Games may begin at once: the commands wait until the engine is ready.
    ///
    /// `log` receives each line that is sent to the engine (`true`) or comes from it (`false`). `sink` receives the
    /// output of the process from other threads, and must pass it on to [`Engine::handle`].
    ///
    /// # Errors
    ///
    /// Returns an error if the program does not start.
    pub fn start(
        spec: &EngineSpec,
        log: impl Fn(bool, &str) + Send + 'static,
        sink: impl Fn(EngineOutput) + Send + Clone + 'static,
    ) -> Result<Engine, EngineError> {
        let process = Process::start(spec, sink)?;
        let mut engine = Engine {
            driver: Driver::new(spec.clone(), Instant::now()),
            process: Some(process),
            is_stuck: false,
            log: Box::new(log),
        };
        engine.send();
        Ok(engine)
    }

    /// Handles output of the process. There are no events after [`EngineEvent::Exited`].
    pub fn handle(&mut self, output: EngineOutput) -> Vec<EngineEvent> {
        let Some(process) = &self.process else {
            return Vec::new();
        };
        if !matches!(output, EngineOutput::Closed(_)) {
            process.line_is_handled();
        }
        match output {
            EngineOutput::Line(line, at) => {
                (self.log)(false, &line);
                self.driver.on_line(&line, at);
                self.send();
                self.driver.take_events()
            }
            EngineOutput::StandardError(line) => vec![EngineEvent::StandardError(line)],
            EngineOutput::Closed(reason) => self.exited(reason),
        }
    }

    /// Does what the time requires, several times a second: the end of the start and of waiting times. An engine that
    /// does not become ready or does not read its input is killed.
    pub fn tick(&mut self, now: Instant) -> Vec<EngineEvent> {
        let Some(process) = &mut self.process else {
            return Vec::new();
        };
        if let Some(reason) = process.end(now) {
            return self.exited(reason);
        }
        if let Some(reason) = self.driver.tick(now) {
            return self.exited(reason);
        }
        self.send();
        if self.is_stuck {
            return self.exited("it does not read its input".into());
        }
        self.driver.take_events()
    }

    /// Carries out an order, as soon as the engine is ready for it. `at` is the time of the order; the engine's clock
    /// runs from then on.
    pub fn order(&mut self, order: Order, at: Instant) {
        self.driver.order(order, at, Instant::now());
        self.send();
    }

    /// Returns `true` if the engine has played a game and announces `reuse=0`: it plays no other one.
    pub fn needs_restart(&self) -> bool {
        self.driver.needs_restart()
    }

    /// Ends the engine with `quit`; it is killed if it still runs after three seconds. Returns at once. The thread
    /// that waits for the end is returned for programs that end themselves.
    pub fn quit(mut self) -> Option<std::thread::JoinHandle<()>> {
        (self.log)(true, "quit");
        self.process.take().and_then(Process::quit)
    }

    /// Sends the lines of the driver.
    fn send(&mut self) {
        let lines = self.driver.take_lines();
        let Some(process) = &self.process else {
            return;
        };
        for line in lines {
            (self.log)(true, &line);
            self.is_stuck |= !process.send(line);
        }
    }

    /// Ends the process and reports it.
    fn exited(&mut self, reason: String) -> Vec<EngineEvent> {
        self.process = None;
        let mut events = self.driver.take_events();
        events.push(EngineEvent::Exited(reason));
        events
    }
}
