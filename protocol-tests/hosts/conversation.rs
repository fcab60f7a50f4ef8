//! What a host and the engine said to each other, and whether the engine kept its side of the protocol: every ping
//! answered in order, no error replies, only legal moves, only when it was asked for one.

use std::collections::VecDeque;

use shakmaty::Chess;

use crate::game::Game;

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The GUI or whatever drives the engine.
    Host,
    /// The engine.
    Engine,
}

/// A line of the conversation, without its line end.
#[derive(Clone, Debug)]
pub struct Line {
    /// Who said it.
    pub speaker: Speaker,
    /// What was said.
    pub text: String,
}

/// A game that the host has ended by `result`.
pub struct Ended {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Why, in the host's words.
    pub reason: String,
    /// How many moves the engine made in it.
    pub own_moves: usize,
    /// Its last position.
    pub position: Chess,
}

/// What a conversation without a fault came to.
#[derive(Default)]
pub struct Summary {
    /// The games that were ended, in order.
    pub ended: Vec<Ended>,
    /// How many moves the engine made.
    pub moves: usize,
    /// How many lines of thinking it printed.
    pub thinking: usize,
}

/// Whose moves the engine makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Nobody's: after `force`, `analyze`, `result`.
    Observes,
    /// Those of the side to move, or of the other one.
    Plays(shakmaty::Color),
}

struct Checker {
    game: Game,
    role: Role,
    own_moves: usize,
    pings: VecDeque<String>,
    features_done: bool,
    leaving: bool,
    summary: Summary,
}

/// Checks all that one engine said, from `xboard` to the end. Besides what every host expects it must have said lines
/// that begin so.
pub fn check(lines: &[Line], expected: &[&str]) -> Result<Summary, String> {
    let began =
        |line: &Line, start: &str| line.speaker == Speaker::Engine && line.text.starts_with(start);
    if let Some(start) = expected
        .iter()
        .find(|start| !lines.iter().any(|line| began(line, start)))
    {
        return Err(format!("the engine did not say `{start}`"));
    }
    let mut checker = Checker {
        game: Game::new(),
        role: Role::Observes,
        own_moves: 0,
        pings: VecDeque::new(),
        features_done: false,
        leaving: false,
        summary: Summary::default(),
    };
    for (number, line) in lines.iter().enumerate() {
        if expected.iter().any(|start| began(line, start)) {
            continue;
        }
        let checked = match line.speaker {
            Speaker::Host => checker.sent(&line.text),
            Speaker::Engine => checker.received(&line.text),
        };
        checked.map_err(|error| format!("{error}\n{}", excerpt(lines, number)))?;
    }
    // A host does not listen any more once it has said quit; what it asked just before may stay without an answer.
    let excused = usize::from(checker.leaving);
    if checker.pings.len() > excused {
        return Err(format!("pings without an answer: {:?}", checker.pings));
    }
    Ok(checker.summary)
}

/// The lines that led to this one.
fn excerpt(lines: &[Line], number: usize) -> String {
    lines[number.saturating_sub(12)..=number]
        .iter()
        .map(|line| match line.speaker {
            Speaker::Host => format!("  > {}\n", line.text),
            Speaker::Engine => format!("  < {}\n", line.text),
        })
        .collect()
}

impl Checker {
    fn sent(&mut self, line: &str) -> Result<(), String> {
        self.game.told(line)?;
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "ping" => self.pings.push_back(rest.to_string()),
            "quit" => self.leaving = true,
            "new" => {
                self.role = Role::Plays(shakmaty::Color::Black);
                self.own_moves = 0;
            }
            "force" | "analyze" => self.role = Role::Observes,
            "go" => self.role = Role::Plays(self.game.turn()),
            "playother" => self.role = Role::Plays(!self.game.turn()),
            "result" => self.end(rest),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, rest: &str) {
        let (result, reason) = rest.split_once(' ').unwrap_or((rest, ""));
        self.role = Role::Observes;
        self.summary.ended.push(Ended {
            result: result.to_string(),
            reason: reason.trim_matches(['{', '}']).to_string(),
            own_moves: self.own_moves,
            position: self.game.position().clone(),
        });
    }

    fn received(&mut self, line: &str) -> Result<(), String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "feature" if !self.features_done => self.features_done = rest.contains("done=1"),
            "pong" => {
                if self.pings.pop_front().as_deref() != Some(rest) {
                    return Err(format!("nobody waited for this: {line}"));
                }
            }
            "move" => {
                if self.role != Role::Plays(self.game.turn()) {
                    return Err(format!("a move out of turn: {line}"));
                }
                self.game.play(rest)?;
                self.own_moves += 1;
                self.summary.moves += 1;
            }
            "1-0" | "0-1" | "1/2-1/2" | "resign" | "offer" | "Hint:" | "stat01:" | "#" => {}
            _ if thinking(line).is_some() => self.summary.thinking += 1,
            // Text for people, as the answer to `bk`.
            _ if line.starts_with(' ') || line.is_empty() => {}
            _ => return Err(format!("not what a host expects: {line}")),
        }
        Ok(())
    }
}

/// The first move of a line of thinking: four integers at least, and behind a tab the moves. `None` if it is no such line.
pub fn thinking(line: &str) -> Option<&str> {
    let (columns, moves) = line.split_once('\t')?;
    let columns: Option<Vec<i64>> = columns.split(' ').map(|word| word.parse().ok()).collect();
    (columns?.len() >= 4)
        .then(|| moves.split(' ').next())
        .flatten()
}

/// Whether the check finds the faults it is there for.
pub fn self_test() -> Result<(), String> {
    const START: [&str; 4] = ["> xboard", "< feature done=1", "> new", "> usermove e2e4"];
    let conversation = |more: &[&str]| -> Vec<Line> {
        let all = START.iter().chain(more);
        all.map(|line| {
            let (mark, text) = line.split_at(2);
            let speaker = match mark {
                "> " => Speaker::Host,
                _ => Speaker::Engine,
            };
            Line {
                speaker,
                text: text.to_string(),
            }
        })
        .collect()
    };
    let clean: [&[&str]; 3] = [
        &["< move e7e5", "> ping 1", "< pong 1", "> quit"],
        &[
            "< 9 25 30 1000\te7e5",
            "< move e7e5",
            "> undo",
            "> force",
            "> quit",
        ],
        // A host that leaves waits for nothing.
        &["> ping 1", "> quit"],
    ];
    for lines in clean {
        check(&conversation(lines), &[]).map_err(|error| format!("{lines:?}: {error}"))?;
    }
    let faulty: [&[&str]; 9] = [
        &["> ping 1"],
        &["> ping 1", "> ping 2", "< pong 2", "< pong 1"],
        &["< pong 1"],
        &["< move e2e4"],
        &["< move e7e4"],
        &["< move e7e5", "< move d7d5"],
        &["> force", "< move e7e5"],
        &["< Error (unknown command): random"],
        &["< tellusererror Illegal position"],
    ];
    for lines in faulty {
        if check(&conversation(lines), &[]).is_ok() {
            return Err(format!("no fault found in {lines:?}"));
        }
    }
    Ok(())
}
