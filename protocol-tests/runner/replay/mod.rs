//! Replays of recorded traffic: what a real host sent, at its pace, with the model listening to the answers.
//!
//! Against the machine the pretended search plays the recorded moves, and everything must come as it was recorded.
//! Our own program plays other moves; where a move of the recorded opponent is then illegal, a legal one is sent in its
//! place. Everything else stays as the host said it.

mod recording;

use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::in_process::InProcess;
use crate::process::Process;
use crate::talk::Talk;

use recording::{Event, Recording, Section};

/// Pauses of the host are not longer than this.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// After this a move is asked for by `?`: the recorded engine had minutes.
const THINKING: Duration = Duration::from_millis(40);

/// How long an answer that the host waited for may take: far more than it ever needs.
const PATIENCE: Duration = Duration::from_secs(20);

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    Machine,
    Program,
}

/// Two trials for each recording in the folder.
pub fn trials(folder: &Path) -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for recording in recording::load_all(folder)? {
        for (kind, engine) in [("machine", Engine::Machine), ("program", Engine::Program)] {
            let recording = recording.clone();
            let name = format!("replay::{kind}::{}", recording.name);
            trials.push(Trial::test(name, move || {
                replay(&recording, engine).map_err(Failed::from)
            }));
        }
    }
    Ok(trials)
}

fn replay(recording: &Recording, engine: Engine) -> Result<(), String> {
    recording.sections.iter().try_for_each(|section| {
        let talk = match engine {
            Engine::Machine => Talk::new(Box::new(InProcess::new(true)), true),
            Engine::Program => {
                let command = [env!("CARGO_BIN_EXE_gaur").to_string()];
                Talk::new(Box::new(Process::start(&command, None, true)?), false)
            }
        };
        let mut stage = Stage {
            talk,
            engine,
            as_recorded: engine == Engine::Machine,
            moves: 0,
        };
        stage.perform(section).map_err(|error| {
            let record = stage.talk.record();
            format!("{}: {error}\n\n{record}\n", section.title)
        })
    })
}

/// A section being replayed.
struct Stage {
    talk: Talk,
    engine: Engine,
    /// The game is still the recorded one.
    as_recorded: bool,
    /// Moves heard from the engine.
    moves: usize,
}

impl Stage {
    fn perform(&mut self, section: &Section) -> Result<(), String> {
        if !section.greets {
            // Recorded from the middle on.
            self.send("xboard")?;
            self.send("protover 2")?;
        }
        for event in &section.events {
            match event {
                Event::Sent(line) if line == "quit" => return self.talk.finish(),
                Event::Sent(line) => self.send_fitting(line)?,
                Event::Moved(text) => self.await_move(text)?,
                Event::Answered(line) => self.await_line(line)?,
                Event::Passed(time) => self.talk.listen((*time).min(LONGEST_PAUSE))?,
                Event::LeftOut => self.as_recorded = false,
            }
        }
        self.talk.compare_positions()?;
        self.talk.finish()
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        self.talk.send(line)
    }

    /// Sends a line of the host; a move that is not legal is replaced by one that is, where the host may move.
    fn send_fitting(&mut self, line: &str) -> Result<(), String> {
        let (verb, text) = match line.split_once(' ') {
            Some(("usermove", text)) => ("usermove ", text),
            Some(_) => return self.send(line),
            None => ("", line),
        };
        if verb.is_empty() && !recording::looks_like_move(text) {
            return self.send(line);
        }
        if !self.talk.model.host_may_move() {
            // The game is over here, but not in the recording; or the engine has another side.
            return if self.as_recorded {
                self.send(line)
            } else {
                Ok(())
            };
        }
        let board = self.talk.model.board();
        if board.is_clear(text) {
            return self.send(line);
        }
        if self.as_recorded {
            return Err(format!(
                "{text} is not legal, though the game is the recorded one"
            ));
        }
        let legal = board.legal_moves();
        match legal.get(self.moves % legal.len().max(1)) {
            Some(&mv) => self.send(&format!("{verb}{}", board.coordinates(mv))),
            None => Ok(()),
        }
    }

    /// The recorded engine moved here: so does this one, if a move is due.
    fn await_move(&mut self, recorded: &str) -> Result<(), String> {
        if self.engine == Engine::Machine {
            if !self.talk.model.may_be_thinking() {
                // The recorded engine spoke out of turn.
                return Ok(());
            }
            let board = self.talk.model.board();
            if board.engine_move(recorded).is_some() {
                self.talk.pretend(&format!("best {recorded}"));
                self.talk.listen(Duration::ZERO)?;
                if self.talk.model.may_be_thinking() {
                    return Err(format!("{recorded} was found, but not played"));
                }
                return Ok(());
            }
            self.as_recorded = false;
        }
        let begun = self.talk.now();
        let mut asked = false;
        while self.talk.model.may_be_thinking() {
            let waited = self.talk.now() - begun;
            if waited > PATIENCE {
                return Err("no move".to_string());
            }
            if waited > THINKING && !asked {
                asked = true;
                self.send("?")?;
            }
            self.talk.next_line(Duration::from_millis(10))?;
        }
        self.moves += 1;
        Ok(())
    }

    /// The host had read this line when it went on. With a pretended search it is there, or waits for a move.
    fn await_line(&mut self, line: &str) -> Result<(), String> {
        let begun = self.talk.now();
        while self.engine == Engine::Program
            && !self.talk.has_heard(line)
            && !self.talk.model.may_be_thinking()
        {
            if self.talk.now() - begun > PATIENCE {
                return Err(format!("no `{line}`"));
            }
            self.talk.next_line(Duration::from_millis(10))?;
        }
        Ok(())
    }
}
