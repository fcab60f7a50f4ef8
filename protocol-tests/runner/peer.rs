//! Interface to the engine that a script is played against.

use std::time::Duration;

use crate::directive::Directive;
use crate::script::Signal;

/// Result of reading from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line without its line end.
    Line(String),
    /// No line arrived in time.
    Nothing,
    /// The engine has ended, and all its output has been read.
    Closed,
}

/// An engine that receives and sends lines.
pub trait Peer {
    /// Sends one line; the peer adds the line end.
    fn send(&mut self, line: &str) -> Result<(), String>;

    /// Returns the next line if it arrives in time.
    fn receive(&mut self, timeout: Duration) -> Received;

    /// Returns the next line as [`Peer::receive`] does, but an autonomous simulated search sends nothing.
    fn receive_without_simulation(&mut self, time: Duration) -> Received {
        self.receive(time)
    }

    /// Waits without reading.
    fn wait(&mut self, time: Duration);

    /// Returns the time since the start of the peer.
    fn now(&self) -> Duration;

    /// Carries out a directive for the simulated search.
    fn pretend(&mut self, _directive: &Directive) -> Result<(), String> {
        Err("this engine has no simulated search".to_string())
    }

    /// Returns the interface to the process, if the engine is one.
    fn process(&mut self) -> Result<&mut dyn ProcessPeer, String> {
        Err("this engine is not a process".to_string())
    }

    /// Ends the engine after a script. Returns its remaining lines.
    fn finish(&mut self) -> Result<Vec<String>, String>;
}

/// An engine in a process of its own.
pub trait ProcessPeer {
    /// Sends bytes as they are.
    fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String>;
    /// Closes the standard input of the process.
    fn end_input(&mut self);
    /// Closes the read end of its standard output, with effect after its next line.
    fn close_output(&mut self);
    /// Waits for its end; an error describes a timeout or a bad exit status.
    fn wait_for_exit(&mut self, timeout: Duration) -> Result<(), String>;
    /// Creates a file in its working directory, which must be temporary.
    fn put_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), String>;
    /// Sends a signal.
    fn signal(&mut self, signal: Signal) -> Result<(), String>;
    /// Returns the CPU time of all its threads; `None` if the system does not report it.
    fn processor_time(&self) -> Option<Duration>;
    /// Returns its anonymous resident memory in kilobytes; `None` if the system does not report it. Pages of the
    /// program file are left out, because their number depends on the system's cache.
    fn resident(&self) -> Option<u64>;
}
