//! What a host and the engine said to each other, and whether the engine kept its side of the protocol: every ping
//! answered in order, no error replies, only legal moves, only when it was asked for one, only results that the board
//! shows, draws offered and games given up only with leave.

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

/// What the engine knows of the game.
#[derive(Clone)]
struct State {
    game: Game,
    role: Role,
}

impl State {
    fn plays(&self) -> bool {
        self.role != Role::Observes
    }
}

struct Checker {
    now: State,
    /// The states since the engine's last move or pong, but for the present one: it may not have read what changed
    /// them.
    earlier: Vec<State>,
    /// Where a `.` was sent that has no answer yet.
    asked: VecDeque<Game>,
    /// The host has offered a draw in this game.
    draw_offered: bool,
    /// The engine has offered one by itself: a claim that the move which follows must make true.
    claims_by_move: bool,
    /// The user lets it resign.
    may_resign: bool,
    own_moves: usize,
    /// Pings without an answer, and how many of the earlier states were over when each was sent.
    pings: VecDeque<(String, usize)>,
    features_done: bool,
    /// The host has accepted a feature that only XBoard and WinBoard accept.
    accepts_xboard_features: bool,
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
        now: State {
            game: Game::new(),
            role: Role::Observes,
        },
        earlier: Vec::new(),
        asked: VecDeque::new(),
        draw_offered: false,
        claims_by_move: false,
        may_resign: false,
        own_moves: 0,
        pings: VecDeque::new(),
        features_done: false,
        accepts_xboard_features: false,
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
        const CHANGES: [&str; 11] = [
            "new",
            "variant",
            "setboard",
            "usermove",
            "undo",
            "remove",
            "force",
            "analyze",
            "go",
            "playother",
            "result",
        ];
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if CHANGES.contains(&verb) {
            self.earlier.push(self.now.clone());
        }
        self.now.game.told(line)?;
        match verb {
            "ping" => self.pings.push_back((rest.to_string(), self.earlier.len())),
            "quit" => self.leaving = true,
            "accepted" if matches!(rest, "exclude" | "highlight") => {
                self.accepts_xboard_features = true;
            }
            "new" => {
                self.now.role = Role::Plays(shakmaty::Color::Black);
                self.own_moves = 0;
                self.draw_offered = false;
            }
            "force" | "analyze" => self.now.role = Role::Observes,
            "go" => self.now.role = Role::Plays(self.now.game.turn()),
            "playother" => self.now.role = Role::Plays(!self.now.game.turn()),
            "result" => self.end(rest),
            "draw" => self.draw_offered = true,
            "." => self.asked.push_back(self.now.game.clone()),
            // All options are announced once more.
            "option" if rest == "ResetSettings" => self.features_done = false,
            "option" => {
                if let Some(value) = rest.strip_prefix("Resign=") {
                    self.may_resign = value != "0";
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, rest: &str) {
        let (result, reason) = rest.split_once(' ').unwrap_or((rest, ""));
        self.now.role = Role::Observes;
        self.summary.ended.push(Ended {
            result: result.to_string(),
            reason: reason.trim_matches(['{', '}']).to_string(),
            own_moves: self.own_moves,
            position: self.now.game.position().clone(),
        });
    }

    fn received(&mut self, line: &str) -> Result<(), String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "feature" if !self.features_done => self.features_done = rest.contains("done=1"),
            "pong" => {
                let answered = self.pings.pop_front().filter(|(asked, _)| asked == rest);
                let (_, over) =
                    answered.ok_or_else(|| format!("nobody waited for this: {line}"))?;
                self.forget(over);
            }
            "move" => {
                if self.now.role != Role::Plays(self.now.game.turn()) {
                    return Err(format!("a move out of turn: {line}"));
                }
                self.now.game.play(rest)?;
                if std::mem::take(&mut self.claims_by_move) && !self.now.game.is_drawn() {
                    return Err(format!("a draw was claimed that does not come: {line}"));
                }
                self.forget(self.earlier.len());
                self.own_moves += 1;
                self.summary.moves += 1;
            }
            "1-0" | "0-1" | "1/2-1/2" => {
                self.in_some_state(line, |state| state.plays() && state.game.ends_as(line))?;
            }
            "offer" => {
                self.in_some_state(line, State::plays)?;
                self.claims_by_move = !self.draw_offered;
            }
            "resign" if self.may_resign => self.in_some_state(line, State::plays)?,
            "Hint:" => self.in_some_state(line, |state| state.game.allows(rest))?,
            "stat01:" => self.status(line, rest)?,
            "#" => {}
            _ if thinking(line).is_some() => {
                if line.contains('\t') != self.accepts_xboard_features {
                    return Err(format!("not the columns that this host reads: {line}"));
                }
                self.summary.thinking += 1;
            }
            // Text for people, as the answer to `bk`.
            _ if line.starts_with(' ') || line.is_empty() => {}
            _ => return Err(format!("not what a host expects: {line}")),
        }
        Ok(())
    }

    /// The engine has left so many of the earlier states.
    fn forget(&mut self, over: usize) {
        self.earlier.drain(..over);
        for (_, later) in &mut self.pings {
            *later = later.saturating_sub(over);
        }
    }

    /// Whether a line fits the present state, or one that the engine may still have been in when it wrote it.
    fn in_some_state(&self, line: &str, fits: impl Fn(&State) -> bool) -> Result<(), String> {
        let mut states = self.earlier.iter().chain([&self.now]);
        if states.any(fits) {
            Ok(())
        } else {
            Err(format!("the game is not so: {line}"))
        }
    }

    /// `stat01: TIME NODES DEPTH LEFT TOTAL [MOVE]`, the answer to a `.`
    fn status(&mut self, line: &str, rest: &str) -> Result<(), String> {
        let numbers: Option<Vec<usize>> = rest
            .split(' ')
            .take(5)
            .map(|word| word.parse().ok())
            .collect();
        let Some([_time, _nodes, _depth, left, total]) = numbers.as_deref() else {
            return Err(format!("not five numbers: {line}"));
        };
        // One that is asked outside of a search has no answer.
        let fits = |game: &Game| game.has_moves(*total) && left <= total;
        let answered = self.asked.iter().position(fits);
        let answered =
            answered.ok_or_else(|| format!("nobody asked where this is right: {line}"))?;
        self.asked.drain(..=answered);
        Ok(())
    }
}

/// The first move of a line of thinking: four integers and the moves, or seven integers, a tab and the moves. `None` if
/// it is no such line.
pub fn thinking(line: &str) -> Option<&str> {
    let columns = if line.contains('\t') { 7 } else { 4 };
    let words: Vec<&str> = line.split([' ', '\t']).collect();
    let (numbers, moves) = words.split_at_checked(columns)?;
    let are_numbers = numbers.iter().all(|word| word.parse::<i64>().is_ok());
    moves.first().copied().filter(|_| are_numbers)
}
