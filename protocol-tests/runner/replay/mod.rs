//! Replays of recorded traffic: what a real host sent, at its pace, with the model listening to the answers.
//!
//! Against the machine the pretended search plays the recorded moves. How many of them it can play, because a move is
//! due and they are legal, stands in the recording, and must be so: recorded engines make mistakes, and parts were left
//! out. What the host waited for must have come when the host went on, unless a move is still owed.
//! Our own program plays other moves; where a move of the recorded opponent is then illegal, a legal one is sent in its
//! place. Everything else stays as the host said it.

mod recording;

use std::collections::BTreeMap;
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
    let mut as_recorded = 0;
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
            moves_as_recorded: 0,
            answers: BTreeMap::new(),
        };
        let performed = stage.perform(section);
        as_recorded += stage.moves_as_recorded;
        performed.map_err(|error| {
            let record = stage.talk.record();
            format!("{}: {error}\n\n{record}\n", section.title)
        })
    })?;
    match engine {
        Engine::Machine if as_recorded != recording.moves_as_recorded => Err(format!(
            "{as_recorded} moves were played as recorded; the recording says {}",
            recording.moves_as_recorded
        )),
        _ => Ok(()),
    }
}

/// A section being replayed.
struct Stage {
    talk: Talk,
    engine: Engine,
    /// The game is still the recorded one.
    as_recorded: bool,
    /// Moves heard from the engine.
    moves: usize,
    /// Those of the pretended search that are the recorded ones.
    moves_as_recorded: usize,
    /// How often the host has waited for each line.
    answers: BTreeMap<String, usize>,
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
                self.moves_as_recorded += 1;
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

    /// The host had read this line, once more, when it went on. With a pretended search it is there, or waits for a
    /// move.
    fn await_line(&mut self, line: &str) -> Result<(), String> {
        let times = self.answers.entry(line.to_string()).or_default();
        *times += 1;
        let times = *times;
        let begun = self.talk.now();
        while self.talk.times_heard(line) < times && !self.talk.model.may_be_thinking() {
            if self.engine == Engine::Machine || self.talk.now() - begun > PATIENCE {
                return Err(format!("no `{line}`"));
            }
            self.talk.next_line(Duration::from_millis(10))?;
        }
        Ok(())
    }
}
