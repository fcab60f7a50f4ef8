//! Plays a script against a peer, step by step.

use std::fmt::Write;
use std::time::Duration;

use crate::features::Features;
use crate::pattern::{Pattern, Variables, is_coordinate_move, is_thinking};
use crate::peer::{Peer, ProcessPeer, Received};
use crate::referee::Referee;
use crate::script::{Action, Script, Start, Step};
use crate::words::{check, unescape};

/// Default time for an answer.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Time for the features. The protocol allows two seconds; a busy machine may need more.
const FEATURES_TIMEOUT: Duration = Duration::from_secs(5);

/// Share of a core that separates idle from busy: a searching engine gets more than this even on a busy machine.
const BUSY_SHARE: f64 = 0.1;

/// Number of periods, at least one of which must be busy: other programs can keep the engine from a processor for a
/// while.
const BUSY_PERIODS: u32 = 5;

/// Treatment of unexpected lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// For Gaur: the script or the protocol must expect every line.
    Strict,
    /// For other engines: lines outside the protocol are ignored, and unannounced features are not used.
    Lenient,
}

/// Plays the whole script. An error contains the line number and the conversation up to it.
pub fn play(script: &Script, peer: &mut dyn Peer, strictness: Strictness) -> Result<(), String> {
    let mut player = Player {
        peer,
        strictness,
        features: Features::default(),
        referee: Referee::new(),
        variables: Variables::new(),
        forbidden: Vec::new(),
        allowed: Vec::new(),
        within: None,
        last_step: Duration::ZERO,
        transcript: Vec::new(),
    };
    player.run(script).map_err(|error| {
        let mut report = format!("{error}\n  ({})\n", script.title);
        let skipped = player.transcript.len().saturating_sub(60);
        for line in &player.transcript[skipped..] {
            // Writing to a String cannot fail.
            writeln!(report, "    {line}").unwrap_or_default();
        }
        report
    })
}

/// Sends `xboard` and `protover 2` and returns the announced features.
pub fn greet(peer: &mut dyn Peer) -> Result<Features, String> {
    let mut features = Features::default();
    peer.send("xboard")?;
    peer.send("protover 2")?;
    let deadline = peer.now() + FEATURES_TIMEOUT;
    while peer.now() < deadline {
        match peer.receive(deadline.saturating_sub(peer.now())) {
            Received::Line(line) if line.starts_with("feature ") => {
                if features.read(&line) {
                    break;
                }
            }
            Received::Line(_) => {}
            Received::Nothing => break,
            Received::Closed => {
                let end = match peer.process()?.wait_for_exit(FEATURES_TIMEOUT) {
                    Ok(()) => String::new(),
                    Err(error) => format!(": {error}"),
                };
                return Err(format!(
                    "the engine ended before its features were complete{end}"
                ));
            }
        }
    }
    Ok(features)
}

struct Player<'a> {
    peer: &'a mut dyn Peer,
    strictness: Strictness,
    features: Features,
    referee: Referee,
    variables: Variables,
    forbidden: Vec<Pattern>,
    allowed: Vec<Pattern>,
    within: Option<Duration>,
    /// Time of the last line sent or matched; time limits count from here.
    last_step: Duration,
    transcript: Vec<String>,
}

impl Player<'_> {
    fn run(&mut self, script: &Script) -> Result<(), String> {
        if script.start != Start::Nothing {
            self.features = greet(self.peer)?;
            if script.start == Start::Game {
                for line in ["new", "easy"] {
                    self.send(line)?;
                }
            }
        }
        self.run_steps(&script.steps)?;
        for line in self.peer.finish()? {
            self.check_line(&line)?;
            if !self.is_ignored(&line) {
                return Err(format!("after the last step came `{line}`"));
            }
        }
        Ok(())
    }

    fn run_steps(&mut self, steps: &[Step]) -> Result<(), String> {
        for step in steps {
            self.run_step(&step.action)
                .map_err(|error| match &step.action {
                    Action::Repeat(..) => error,
                    _ => format!("line {}: {error}", step.line),
                })?;
        }
        Ok(())
    }

    fn run_step(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Send(text) => {
                let line = self.fill_in(text)?;
                self.send(&line)
            }
            Action::SendRaw(text) => self.send_raw(text),
            Action::Expect(pattern) => self.expect(pattern),
            Action::Allow(pattern) => {
                self.allowed.push(pattern.clone());
                Ok(())
            }
            Action::Forbid(None) => {
                self.forbidden.clear();
                Ok(())
            }
            Action::Forbid(Some(pattern)) => {
                self.forbidden.push(pattern.clone());
                Ok(())
            }
            Action::Wait(time) => {
                self.peer.wait(*time);
                Ok(())
            }
            Action::Within(time) => {
                self.within = Some(*time);
                Ok(())
            }
            Action::Quiet(time) => self.quiet(*time),
            Action::EndInput => {
                self.last_step = self.peer.now();
                self.peer.process()?.end_input();
                Ok(())
            }
            Action::CloseOutput => {
                self.peer.process()?.close_output();
                Ok(())
            }
            Action::ExitWithin(time) => self.peer.process()?.wait_for_exit(*time),
            Action::Signal(signal) => self.peer.process()?.signal(*signal),
            Action::Idle(time) => match processor_share(self.peer.process()?, *time) {
                Some(share) if share > BUSY_SHARE => Err(format!("not idle: {share:.2} of a core")),
                _ => Ok(()),
            },
            Action::Busy(time) => becomes_busy(self.peer.process()?, *time),
            Action::Resident(name) => {
                let kilobytes = self.peer.process()?.resident().unwrap_or(0);
                self.variables.insert(name.clone(), kilobytes.to_string());
                Ok(())
            }
            Action::Check(text) => {
                let filled = self.fill_in(text)?;
                check(&filled)
            }
            Action::File(name, text) => {
                let bytes = unescape(text)?;
                self.peer.process()?.put_file(name, &bytes)
            }
            Action::Position(fen) => {
                self.referee.set(fen);
                Ok(())
            }
            Action::Repeat(count, steps) => {
                for turn in 1..=*count {
                    self.variables.insert("i".to_string(), turn.to_string());
                    self.run_steps(steps)
                        .map_err(|error| format!("turn {turn}, {error}"))?;
                }
                Ok(())
            }
            Action::Pretend(directive) => {
                self.note('@', &format!("{directive:?}"));
                self.peer.pretend(directive)
            }
        }
    }

    /// Sends bytes with escapes, without `usermove` if the engine has not announced it.
    fn send_raw(&mut self, text: &str) -> Result<(), String> {
        let bytes = unescape(&self.fill_in(text)?)?;
        self.note('~', text);
        for line in String::from_utf8_lossy(&bytes).lines() {
            self.referee.sent(line);
        }
        self.last_step = self.peer.now();
        let agreed: Vec<u8> = bytes
            .split_inclusive(|&byte| byte == b'\n')
            .flat_map(|line| match line.strip_prefix(b"usermove ") {
                Some(bare) if self.omits_usermove() => bare,
                _ => line,
            })
            .copied()
            .collect();
        self.peer.process()?.send_bytes(&agreed)
    }

    /// Sends a line, without `usermove` if the engine has not announced it.
    fn send(&mut self, line: &str) -> Result<(), String> {
        self.referee.sent(line);
        let bare = line.strip_prefix("usermove ");
        let line = match bare {
            Some(bare) if self.omits_usermove() => bare,
            _ => line,
        };
        self.note('>', line);
        self.last_step = self.peer.now();
        self.peer.send(line)
    }

    /// Returns `true` for another engine that has not announced `usermove`.
    fn omits_usermove(&self) -> bool {
        self.strictness == Strictness::Lenient && !self.features.has("usermove")
    }

    /// Reads until a line matches the pattern. Only ignored lines may come before it.
    fn expect(&mut self, pattern: &Pattern) -> Result<(), String> {
        let bound = self.within.take();
        let deadline = match bound {
            Some(bound) => self.last_step + bound,
            None => self.peer.now() + TIMEOUT,
        };
        loop {
            let timeout = deadline.saturating_sub(self.peer.now());
            let line = match self.peer.receive(timeout) {
                Received::Line(line) => line,
                Received::Nothing => {
                    return Err(match bound {
                        Some(bound) => {
                            format!("no `{}` within {} ms", pattern.source, bound.as_millis())
                        }
                        None => format!("`{}` never came", pattern.source),
                    });
                }
                Received::Closed => {
                    return Err(format!("the engine left without `{}`", pattern.source));
                }
            };
            // Legal moves refer to the position before the line.
            let caught = pattern.matches(&line, &self.variables, &self.referee);
            self.check_line(&line)?;
            if let Some(caught) = caught {
                self.variables.extend(caught);
                self.allowed.clear();
                self.last_step = self.peer.now();
                return Ok(());
            }
            if !self.is_ignored(&line) {
                return Err(format!("expected `{}`, got `{line}`", pattern.source));
            }
        }
    }

    fn quiet(&mut self, time: Duration) -> Result<(), String> {
        let deadline = self.peer.now() + time;
        loop {
            match self
                .peer
                .receive_without_simulation(deadline.saturating_sub(self.peer.now()))
            {
                Received::Nothing => return Ok(()),
                Received::Closed => return Err("the engine ended".to_string()),
                Received::Line(line) => {
                    self.check_line(&line)?;
                    if !self.is_ignored(&line) {
                        return Err(format!("expected silence, got `{line}`"));
                    }
                }
            }
        }
    }

    /// Records a line from the engine and checks that it is not forbidden.
    fn check_line(&mut self, line: &str) -> Result<(), String> {
        self.note('<', line);
        let broken = self.forbidden.iter().find(|pattern| {
            pattern
                .matches(line, &self.variables, &self.referee)
                .is_some()
        });
        if let Some(pattern) = broken {
            return Err(format!("`{line}` must not come (`! {}`)", pattern.source));
        }
        self.referee.received(line);
        Ok(())
    }

    /// Returns `true` for lines that a waiting GUI ignores.
    fn is_ignored(&self, line: &str) -> bool {
        let of_no_account = is_thinking(line)
            || line.starts_with("    ")
            || line.starts_with('#')
            || line.starts_with("feature ")
            || line.starts_with("Hint: ");
        of_no_account
            || self.allowed.iter().any(|pattern| {
                pattern
                    .matches(line, &self.variables, &self.referee)
                    .is_some()
            })
            || (self.strictness == Strictness::Lenient && !is_protocol_output(line))
    }

    /// Replaces `<name>` by the text of a named placeholder, `<legal>` by a legal move and `<moves>` by the number of
    /// legal moves.
    fn fill_in(&self, text: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('<') {
            filled.push_str(before);
            let Some((hole, later)) = after.split_once('>') else {
                filled.push('<');
                rest = after;
                continue;
            };
            match hole {
                "legal" => filled.push_str(
                    &self
                        .referee
                        .some_legal_move()
                        .ok_or("there is no legal move to send")?,
                ),
                "moves" => filled.push_str(&self.referee.legal_moves().to_string()),
                _ if hole.trim().is_empty() || hole.starts_with('=') => {
                    // A comparison, not a placeholder.
                    filled.push('<');
                    rest = after;
                    continue;
                }
                _ => filled.push_str(
                    self.variables
                        .get(hole)
                        .ok_or_else(|| format!("nothing was caught as <{hole}>"))?,
                ),
            }
            rest = later;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn note(&mut self, mark: char, line: &str) {
        let at = self.peer.now().as_millis();
        let shown: String = line.chars().take(200).collect();
        self.transcript.push(format!("{at:>6} {mark} {shown}"));
    }
}

/// Returns `true` if the first word of a line has a meaning in the protocol.
fn is_protocol_output(line: &str) -> bool {
    let word = line.split([' ', ':']).next().unwrap_or("");
    matches!(
        word,
        "move"
            | "pong"
            | "resign"
            | "offer"
            | "Illegal"
            | "Error"
            | "stat01"
            | "1-0"
            | "0-1"
            | "1/2-1/2"
            | "tellusererror"
    ) || is_coordinate_move(line)
}

/// Returns the share of one processor core that the process uses during this time.
fn processor_share(process: &mut dyn ProcessPeer, time: Duration) -> Option<f64> {
    let before = process.processor_time()?;
    std::thread::sleep(time);
    let used = process.processor_time()?.saturating_sub(before);
    Some(used.as_secs_f64() / time.as_secs_f64())
}

/// Waits for a period of this length in which the process is busy.
fn becomes_busy(process: &mut dyn ProcessPeer, time: Duration) -> Result<(), String> {
    let mut shares = Vec::new();
    for _ in 0..BUSY_PERIODS {
        match processor_share(process, time) {
            Some(share) if share < BUSY_SHARE => shares.push(format!("{share:.2}")),
            _ => return Ok(()),
        }
    }
    Err(format!("not busy: {} of a core", shares.join(", ")))
}
