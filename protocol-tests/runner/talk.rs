//! A conversation with an engine that the model listens to.

use std::time::Duration;

use crate::directive::Directive;
use crate::model::Model;
use crate::peer::{Peer, Received};

/// How long an engine may owe something when nothing more is said: far more than it ever needs.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long the listener listens at a time.
const LISTENING: Duration = Duration::from_millis(20);

/// How long it may think before it is asked to move.
const THINKING: Duration = Duration::from_millis(150);

/// How long it may take to move on `?`: a hundred times the aim.
const HURRYING: Duration = Duration::from_secs(1);

/// How long it may take to leave on `quit`.
const LEAVING: Duration = Duration::from_millis(500);

/// Whoever is woken up late on a machine that has other things to do lets the engine, with its several threads, be late
/// by so many times as much.
const LATENESS: u32 = 4;

/// The same at the end of input, before which it may say for a second what it owes.
const LEAVING_AT_END_OF_INPUT: Duration = Duration::from_secs(5);

/// A conversation.
pub struct Talk {
    peer: Box<dyn Peer>,
    answers_at_once: bool,
    /// Who listens.
    pub model: Model,
    /// All that was said, with times.
    record: Vec<String>,
    last: Duration,
}

impl Talk {
    /// Begins one. `answers_at_once`: what the engine has to say to a line can be read as soon as the line was sent.
    pub fn new(peer: Box<dyn Peer>, answers_at_once: bool) -> Talk {
        Talk {
            peer,
            answers_at_once,
            model: Model::new(),
            record: Vec::new(),
            last: Duration::ZERO,
        }
    }

    /// Everything said so far, as a script: `> ` to the engine, `< ` from it, and waits.
    pub fn record(&self) -> String {
        self.record.join("\n")
    }

    /// The time since the engine was started.
    pub fn now(&self) -> Duration {
        self.peer.now()
    }

    /// How often the engine has said this line.
    pub fn times_heard(&self, line: &str) -> usize {
        let said = self.record.iter();
        said.filter(|said| said.strip_prefix("< ") == Some(line))
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
            self.model.settle()?;
        }
        Ok(())
    }

    /// Lets the pretended search speak; what it cannot say now it leaves unsaid. `<7>` is the seventh root move,
    /// counted round and round.
    pub fn pretend(&mut self, directive: &str) {
        let directive = fill(directive, &self.model.root_moves());
        if let Ok(parsed) = Directive::parse(&directive)
            && self.peer.pretend(&parsed).is_ok()
        {
            self.note(format!("@ {directive}"));
        }
    }

    fn hear(&mut self, line: String) -> Result<(), String> {
        let outcome = self.model.received(&line);
        self.note(format!("< {line}"));
        outcome
    }

    /// Reads what comes in this time, and returns at its end.
    pub fn listen(&mut self, time: Duration) -> Result<(), String> {
        let end = self.peer.now() + time;
        loop {
            let left = end.saturating_sub(self.peer.now());
            match self.peer.receive_silently(left) {
                Received::Line(line) => self.hear(line)?,
                Received::Nothing => return Ok(()),
                Received::Closed => return Err("the engine is gone".to_string()),
            }
        }
    }

    /// The next line, if one comes in this time.
    pub fn next_line(&mut self, time: Duration) -> Result<Option<String>, String> {
        match self.peer.receive(time) {
            Received::Line(line) => {
                self.hear(line.clone())?;
                Ok(Some(line))
            }
            Received::Nothing => Ok(None),
            Received::Closed => Err("the engine is gone".to_string()),
        }
    }

    /// Waits until the engine owes nothing. One that thinks for long is asked to move.
    pub fn catch_up(&mut self) -> Result<(), String> {
        let start = self.peer.now();
        let mut patience = PATIENCE;
        let mut asked = false;
        while let Some(pending) = self.model.pending()? {
            let before = self.peer.now();
            if before - start > THINKING && !asked {
                asked = true;
                if self.model.may_be_thinking() {
                    self.send("?")?;
                    patience = before - start + HURRYING;
                }
            }
            if before - start > patience {
                return Err(format!(
                    "still pending after {:?}: {pending}",
                    before - start
                ));
            }
            if self.next_line(LISTENING)?.is_none() {
                patience += self.lateness(before);
            }
        }
        Ok(())
    }

    /// Compares the engine's position with the oracle's: all legal moves and no others, and as many half-moves to
    /// take back.
    pub fn compare_positions(&mut self) -> Result<(), String> {
        // Out of edit mode, pause and analysis.
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

    /// Ends it. The engine must pay what it owes, and be gone.
    pub fn finish(&mut self) -> Result<(), String> {
        self.send("quit")?;
        self.await_end(LEAVING)
    }

    /// Whether the engine is a process, whose input can end.
    pub fn is_with_process(&mut self) -> bool {
        self.peer.process().is_ok()
    }

    /// Ends the engine's input, whatever it is doing: it says what it owes, a move at once, and leaves.
    pub fn end_input(&mut self) -> Result<(), String> {
        self.note("eof".to_string());
        self.model.input_ended();
        self.peer.process()?.end_input();
        self.await_end(LEAVING_AT_END_OF_INPUT)
    }

    /// What is added to the engine's time because the listener, who wanted to listen from then on for a moment, was
    /// late himself.
    fn lateness(&self, since: Duration) -> Duration {
        (self.peer.now() - since).saturating_sub(LISTENING) * LATENESS
    }

    fn await_end(&mut self, mut patience: Duration) -> Result<(), String> {
        let start = self.peer.now();
        loop {
            let before = self.peer.now();
            match self.peer.receive(LISTENING) {
                Received::Line(line) => self.hear(line)?,
                Received::Closed => break,
                Received::Nothing if self.peer.now() - start > patience => {
                    return Err(format!("it has not left after {patience:?}"));
                }
                Received::Nothing => patience += self.lateness(before),
            }
        }
        let rest = self.peer.finish()?;
        if let Some(line) = rest.first() {
            return Err(format!("`{line}` after its end"));
        }
        self.model.ended()
    }
}

/// Puts the moves in whose numbers stand in angle brackets.
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
