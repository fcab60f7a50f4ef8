//! Replays of recorded traffic: the lines of a real host, at its pace, while the model checks the answers.
//!
//! Against the machine, the simulated search plays the recorded moves. A recording states how many of its moves are due
//! and legal, because recorded engines make mistakes and parts were left out; the replay must play exactly as many. A
//! line that the host waited for must arrive before the host continues, unless a move is due. The program plays its own
//! moves; a recorded move of the opponent that is then illegal is replaced by a legal one. All other lines stay as
//! recorded.

mod recording;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::conversation::Conversation;
use crate::in_process::InProcess;
use crate::process::{self, Process};

use recording::{Event, Recording, Section};

/// Maximum pause of the host.
const MAX_PAUSE: Duration = Duration::from_millis(100);

/// Thinking time before `?` is sent. The recorded engines had minutes.
const THINKING: Duration = Duration::from_millis(40);

/// Time for an answer that the host waited for: far more than an engine needs.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Engine that answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    Machine,
    Program,
}

/// Returns two trials for each recording in the folder.
pub fn trials(folder: &Path) -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for recording in recording::load_all(folder)? {
        for (kind, engine) in [("machine", Engine::Machine), ("program", Engine::Program)] {
            let recording = recording.clone();
            let name = format!("replay::{kind}::{}", recording.name);
            trials.push(Trial::test(name, move || {
                process::attempt(|| replay(&recording, engine)).map_err(Failed::from)
            }));
        }
    }
    Ok(trials)
}

fn replay(recording: &Recording, engine: Engine) -> Result<(), String> {
    let mut as_recorded = 0;
    recording.sections.iter().try_for_each(|section| {
        let conversation = match engine {
            Engine::Machine => Conversation::new(Box::new(InProcess::new(true)), true),
            Engine::Program => {
                let process = Process::start(&process::program(), None, true)?;
                Conversation::new(Box::new(process), false)
            }
        };
        let mut stage = Stage {
            conversation,
            engine,
            as_recorded: engine == Engine::Machine,
            moves: 0,
            moves_as_recorded: 0,
            answers: BTreeMap::new(),
        };
        let performed = stage.perform(section);
        as_recorded += stage.moves_as_recorded;
        performed.map_err(|error| {
            let record = stage.conversation.record();
            format!("{}: {error}\n\n{record}\n", section.title)
        })
    })?;
    match engine {
        Engine::Machine if as_recorded != recording.moves_as_recorded => Err(format!(
            "{as_recorded} moves were played as recorded; the recording states {}",
            recording.moves_as_recorded
        )),
        _ => Ok(()),
    }
}

/// State of the replay of a section.
struct Stage {
    conversation: Conversation,
    engine: Engine,
    /// Set while the game is the recorded one.
    as_recorded: bool,
    /// Number of moves from the engine.
    moves: usize,
    /// Number of recorded moves that the simulated search has played.
    moves_as_recorded: usize,
    /// Number of times that the host has waited for each line.
    answers: BTreeMap<String, usize>,
}

impl Stage {
    fn perform(&mut self, section: &Section) -> Result<(), String> {
        if !section.greets {
            // The recording begins in the middle of a conversation.
            self.send("xboard")?;
            self.send("protover 2")?;
        }
        for event in &section.events {
            match event {
                Event::Sent(line) if line == "quit" => return self.conversation.finish(),
                Event::Sent(line) => self.send_fitting(line)?,
                Event::Moved(text) => self.await_move(text)?,
                Event::Answered(line) => self.await_line(line)?,
                Event::Passed(time) => self.conversation.listen((*time).min(MAX_PAUSE))?,
                Event::LeftOut => self.as_recorded = false,
            }
        }
        self.conversation.compare_positions()?;
        self.conversation.finish()
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        self.conversation.send(line)
    }

    /// Sends a line of the host. Replaces an illegal move by a legal one if the host may move.
    fn send_fitting(&mut self, line: &str) -> Result<(), String> {
        let (verb, text) = match line.split_once(' ') {
            Some(("usermove", text)) => ("usermove ", text),
            Some(_) => return self.send(line),
            None => ("", line),
        };
        if verb.is_empty() && !recording::looks_like_move(text) {
            return self.send(line);
        }
        if !self.conversation.model.host_may_move() {
            // The game is over here but not in the recording, or the engine plays another side.
            return if self.as_recorded {
                self.send(line)
            } else {
                Ok(())
            };
        }
        let board = self.conversation.model.board();
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

    /// Plays the move of the recorded engine, if a move is due.
    fn await_move(&mut self, recorded: &str) -> Result<(), String> {
        if self.engine == Engine::Machine {
            if !self.conversation.model.may_be_thinking() {
                // The recorded engine moved out of turn.
                return Ok(());
            }
            let board = self.conversation.model.board();
            if board.engine_move(recorded).is_some() {
                self.conversation.pretend(&format!("best {recorded}"));
                self.conversation.listen(Duration::ZERO)?;
                if self.conversation.model.may_be_thinking() {
                    return Err(format!("{recorded} was found, but not played"));
                }
                self.moves_as_recorded += 1;
                return Ok(());
            }
            self.as_recorded = false;
        }
        let start_time = self.conversation.now();
        let mut move_now_sent = false;
        while self.conversation.model.may_be_thinking() {
            let waited = self.conversation.now() - start_time;
            if waited > TIMEOUT {
                return Err("no move".to_string());
            }
            if waited > THINKING && !move_now_sent {
                move_now_sent = true;
                self.send("?")?;
            }
            self.conversation.next_line(Duration::from_millis(10))?;
        }
        self.moves += 1;
        Ok(())
    }

    /// Checks that a line that the host waited for has arrived. With a simulated search it is there already, or waits
    /// for a move.
    fn await_line(&mut self, line: &str) -> Result<(), String> {
        let times = self.answers.entry(line.to_string()).or_default();
        *times += 1;
        let times = *times;
        let start_time = self.conversation.now();
        while self.conversation.times_received(line) < times
            && !self.conversation.model.may_be_thinking()
        {
            if self.engine == Engine::Machine || self.conversation.now() - start_time > TIMEOUT {
                return Err(format!("no `{line}`"));
            }
            self.conversation.next_line(Duration::from_millis(10))?;
        }
        Ok(())
    }
}
