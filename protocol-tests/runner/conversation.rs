//! Conversation with an engine, checked by the model.

use std::time::Duration;

use crate::directive::Directive;
use crate::model::Model;
use crate::peer::{Peer, Received};

/// Time for pending answers if nothing more is sent: far more than an engine needs.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Duration of one attempt to read.
const READ_INTERVAL: Duration = Duration::from_millis(20);

/// Thinking time before the conversation sends `?`.
const THINKING: Duration = Duration::from_millis(150);

/// Time for the move after `?`: a hundred times the goal.
const MOVE_NOW_TIMEOUT: Duration = Duration::from_secs(1);

/// Time to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Factor between the lateness of this test and the lateness that the engine is allowed: on a busy machine, the several
/// threads of the engine are also late.
const LATENESS_FACTOR: u32 = 4;

/// Time to exit after the end of input. The engine may use one second of it for pending answers.
const END_OF_INPUT_TIMEOUT: Duration = Duration::from_secs(5);

/// Conversation with a record and a model.
pub struct Conversation {
    peer: Box<dyn Peer>,
    answers_at_once: bool,
    /// Model that checks every line.
    pub model: Model,
    /// All lines, with times.
    record: Vec<String>,
    last: Duration,
    /// Extra time for every answer.
    patience: Duration,
    /// Returns `true` for lines that the model does not see.
    is_tolerated: fn(&str) -> bool,
}

impl Conversation {
    /// Begins a conversation. With `answers_at_once`, the answers to a line can be read as soon as it was sent.
    pub fn new(peer: Box<dyn Peer>, answers_at_once: bool) -> Conversation {
        Conversation {
            peer,
            answers_at_once,
            model: Model::new(),
            record: Vec::new(),
            last: Duration::ZERO,
            patience: Duration::ZERO,
            is_tolerated: |_| false,
        }
    }

    /// Begins a conversation with a process under adverse conditions: every answer may be late by `patience`, and the
    /// model does not see the tolerated lines.
    pub fn in_adversity(
        peer: Box<dyn Peer>,
        patience: Duration,
        is_tolerated: fn(&str) -> bool,
    ) -> Conversation {
        Conversation {
            patience,
            is_tolerated,
            ..Conversation::new(peer, false)
        }
    }

    /// Returns all lines as a script: `> ` to the engine, `< ` from it, and waits.
    pub fn record(&self) -> String {
        self.record.join("\n")
    }

    /// Returns the time since the start of the engine.
    pub fn now(&self) -> Duration {
        self.peer.now()
    }

    /// Returns the number of times that the engine has sent this line.
    pub fn times_received(&self, line: &str) -> usize {
        let lines = self.record.iter();
        lines
            .filter(|entry| entry.strip_prefix("< ") == Some(line))
            .count()
    }

    fn note(&mut self, line: String) {
        let passed = self.peer.now().saturating_sub(self.last);
        if passed >= Duration::from_millis(1) {
            self.record.push(format!("wait {} ms", passed.as_millis()));
        }
        self.last = self.peer.now();
        self.record.push(line);
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), String> {
        self.note(format!("> {line}"));
        self.model.sent(line);
        self.peer.send(line)?;
        if self.answers_at_once {
            self.listen(Duration::ZERO)?;
            self.model.assume_all_read()?;
        }
        Ok(())
    }

    /// Sends a directive to the simulated search, if it is possible now. `<7>` is the root move with index 7, modulo
    /// the number of root moves.
    pub fn pretend(&mut self, directive: &str) {
        let directive = fill(directive, &self.model.root_moves());
        if let Ok(parsed) = Directive::parse(&directive)
            && self.peer.pretend(&parsed).is_ok()
        {
            self.note(format!("@ {directive}"));
        }
    }

    fn record_line(&mut self, line: String) -> Result<(), String> {
        let outcome = if (self.is_tolerated)(&line) {
            Ok(())
        } else {
            self.model.received(&line)
        };
        self.note(format!("< {line}"));
        outcome
    }

    /// Reads lines for this time.
    pub fn listen(&mut self, time: Duration) -> Result<(), String> {
        let end = self.peer.now() + time;
        loop {
            let left = end.saturating_sub(self.peer.now());
            match self.peer.receive_without_simulation(left) {
                Received::Line(line) => self.record_line(line)?,
                Received::Nothing => return Ok(()),
                Received::Closed => return Err("the engine has ended".to_string()),
            }
        }
    }

    /// Returns the next line if it arrives in time.
    pub fn next_line(&mut self, time: Duration) -> Result<Option<String>, String> {
        match self.peer.receive(time) {
            Received::Line(line) => {
                self.record_line(line.clone())?;
                Ok(Some(line))
            }
            Received::Nothing => Ok(None),
            Received::Closed => Err("the engine has ended".to_string()),
        }
    }

    /// Waits until no answer is pending. Sends `?` if the engine thinks for long.
    pub fn catch_up(&mut self) -> Result<(), String> {
        let start = self.peer.now();
        let mut timeout = TIMEOUT + self.patience;
        let mut move_now_sent = false;
        while let Some(pending) = self.model.pending()? {
            let before = self.peer.now();
            if before - start > THINKING && !move_now_sent {
                move_now_sent = true;
                if self.model.may_be_thinking() {
                    self.send("?")?;
                    timeout = before - start + MOVE_NOW_TIMEOUT + self.patience;
                }
            }
            if before - start > timeout {
                return Err(format!(
                    "still pending after {:?}: {pending}",
                    before - start
                ));
            }
            if self.next_line(READ_INTERVAL)?.is_none() {
                timeout += self.lateness(before);
            }
        }
        Ok(())
    }

    /// Compares the engine's position with that of the model: legal moves, and number of half-moves to take back.
    pub fn compare_positions(&mut self) -> Result<(), String> {
        // These lines end edit mode, pause and analysis.
        for line in [
            ".",
            "easy",
            "nopost",
            "force",
            "exit",
            "force",
            "ping 70001",
        ] {
            self.send(line)?;
        }
        self.catch_up()?;
        let board = self.model.board();
        let moves = board.legal_moves();
        for &mv in &moves {
            self.send(&format!("exclude {}", board.coordinates(mv)))?;
        }
        for line in ["analyze", "."] {
            self.send(line)?;
        }
        self.catch_up()?;
        if !moves.is_empty() {
            self.send("include all")?;
        }
        for line in [".", "post"] {
            self.send(line)?;
        }
        self.catch_up()?;
        self.listen(Duration::from_millis(20))?;
        for line in ["exit", "ping 70002"] {
            self.send(line)?;
        }
        for _ in 0..=self.model.board().length() {
            self.send("undo")?;
        }
        self.send("ping 70003")?;
        self.catch_up()
    }

    /// Sends `quit`. The engine must send pending answers and exit.
    pub fn finish(&mut self) -> Result<(), String> {
        self.send("quit")?;
        self.await_end(QUIT_TIMEOUT)
    }

    /// Closes the engine's input. The engine must send pending answers, a pending move at once, and exit.
    pub fn end_input(&mut self) -> Result<(), String> {
        self.note("eof".to_string());
        self.model.input_ended();
        self.peer.process()?.end_input();
        self.await_end(END_OF_INPUT_TIMEOUT)
    }

    /// Returns the extra time for the engine because a read of [`READ_INTERVAL`] that began at `since` ended late.
    fn lateness(&self, since: Duration) -> Duration {
        (self.peer.now() - since).saturating_sub(READ_INTERVAL) * LATENESS_FACTOR
    }

    fn await_end(&mut self, mut timeout: Duration) -> Result<(), String> {
        timeout += self.patience;
        let start = self.peer.now();
        loop {
            let before = self.peer.now();
            match self.peer.receive(READ_INTERVAL) {
                Received::Line(line) => self.record_line(line)?,
                Received::Closed => break,
                Received::Nothing if self.peer.now() - start > timeout => {
                    return Err(format!("it has not exited after {timeout:?}"));
                }
                Received::Nothing => timeout += self.lateness(before),
            }
        }
        let rest = self.peer.finish()?;
        if let Some(line) = rest.first() {
            return Err(format!("`{line}` after its end"));
        }
        self.model.ended()
    }
}

/// Replaces `<N>` by the move with index N, modulo the number of moves.
pub fn fill(text: &str, moves: &[String]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        filled.push_str(before);
        let named = after.split_once('>').and_then(|(number, after)| {
            let number: usize = number.parse().ok()?;
            let mv = moves.get(number.checked_rem(moves.len())?)?;
            Some((mv, after))
        });
        match named {
            Some((mv, after)) => {
                filled.push_str(mv);
                rest = after;
            }
            None => {
                filled.push('<');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}
