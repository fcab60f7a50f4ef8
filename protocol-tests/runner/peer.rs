//! What a script is played against: an engine in some form.

use std::time::Duration;

use crate::directive::Directive;
use crate::script::Signal;

/// What came from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, without its end.
    Line(String),
    /// Nothing in the time given.
    Nothing,
    /// The engine is gone, and all it said has been read.
    Closed,
}

/// An engine that lines can be sent to and read from.
pub trait Peer {
    /// Sends one line; the peer adds its end.
    fn send(&mut self, line: &str) -> Result<(), String>;

    /// The next line, waiting for it at most this long.
    fn receive(&mut self, patience: Duration) -> Received;

    /// As [`Peer::receive`], for one who hopes that nothing comes.
    fn receive_silently(&mut self, time: Duration) -> Received {
        self.receive(time)
    }

    /// Lets time pass without reading.
    fn wait(&mut self, time: Duration);

    /// Time since the peer was started.
    fn now(&self) -> Duration;

    /// Lets the pretended search speak, or looks at what it was told.
    fn pretend(&mut self, _directive: &Directive) -> Result<(), String> {
        Err("there is no pretended search here".to_string())
    }

    /// The means that only a process has.
    fn process(&mut self) -> Result<&mut dyn ProcessPeer, String> {
        Err("this is no process".to_string())
    }

    /// The script is over. Returns the lines that still came.
    fn finish(&mut self) -> Result<Vec<String>, String>;
}

/// What can be done to a process and asked of it.
pub trait ProcessPeer {
    /// Sends bytes as they are.
    fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String>;
    /// Closes its standard input.
    fn end_input(&mut self);
    /// Closes our end of its standard output; takes effect after the next line it prints.
    fn close_output(&mut self);
    /// Whether it ends in this time, and how.
    fn wait_for_exit(&mut self, patience: Duration) -> Result<(), String>;
    /// Puts a file into its working directory, which is a temporary one.
    fn put_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), String>;
    /// Sends a signal.
    fn signal(&mut self, signal: Signal) -> Result<(), String>;
    /// Processor time used so far by all its threads; `None` where the system does not tell.
    fn processor_time(&self) -> Option<Duration>;
    /// Resident memory in kilobytes; `None` where the system does not tell.
    fn resident(&self) -> Option<u64>;
}
