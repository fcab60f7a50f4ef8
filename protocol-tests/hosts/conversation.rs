//! Check of a conversation between a host and the engine: every ping is answered in order, there are no error replies,
//! every move is legal and due, results agree with the board, and the engine offers draws and resigns only if allowed.

use std::collections::VecDeque;

use shakmaty::Chess;

use crate::game::Game;

/// Sender of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The GUI or another host.
    Host,
    /// The engine.
    Engine,
}

/// Line of a conversation, without its line end.
#[derive(Clone, Debug)]
pub struct Line {
    /// Sender of the line.
    pub sender: Sender,
    /// Text of the line.
    pub text: String,
}

/// Game that the host has ended by `result`.
pub struct Ended {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Reason in the host's words.
    pub reason: String,
    /// Number of moves of the engine in the game.
    pub own_moves: usize,
    /// Last position.
    pub position: Chess,
}

/// Summary of a correct conversation.
#[derive(Default)]
pub struct Summary {
    /// Finished games in order.
    pub ended: Vec<Ended>,
    /// Number of moves of the engine.
    pub moves: usize,
    /// Number of thinking lines.
    pub thinking: usize,
    /// Number of moves of the engine without a thinking line since its previous move.
    pub moves_without_thinking: usize,
}

/// Side that the engine plays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// No side: after `force`, `analyze`, `result`.
    Observes,
    /// One side.
    Plays(shakmaty::Color),
}

/// State of the game.
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
    /// Earlier states since the engine's last move or pong. The engine may not have read the lines that changed them.
    earlier: Vec<State>,
    /// Games in which a `.` without an answer was sent.
    asked: VecDeque<Game>,
    /// The host has offered a draw in this game.
    draw_offered: bool,
    /// Set if the engine has offered a draw by itself early in the game, which its next move must bring about.
    claims_by_move: bool,
    /// Set if the engine may resign.
    may_resign: bool,
    own_moves: usize,
    /// A thinking line has arrived since the engine's last move.
    has_thinking: bool,
    /// Pings without an answer, each with the number of earlier states that had ended when it was sent.
    pings: VecDeque<(String, usize)>,
    features_done: bool,
    /// The host has accepted a feature that only XBoard and WinBoard accept.
    accepts_xboard_features: bool,
    leaving: bool,
    summary: Summary,
}

/// Checks a whole conversation, from `xboard` on. The engine must have sent a line with each of the `expected`
/// beginnings.
pub fn check(lines: &[Line], expected: &[&str]) -> Result<Summary, String> {
    let began =
        |line: &Line, start: &str| line.sender == Sender::Engine && line.text.starts_with(start);
    if let Some(start) = expected
        .iter()
        .find(|start| !lines.iter().any(|line| began(line, start)))
    {
        return Err(format!("the engine did not send `{start}`"));
    }
    let mut checker = Checker {
        now: State {
            game: Game::new(),
            // As after `new`.
            role: Role::Plays(shakmaty::Color::Black),
        },
        earlier: Vec::new(),
        asked: VecDeque::new(),
        draw_offered: false,
        claims_by_move: false,
        may_resign: false,
        own_moves: 0,
        has_thinking: false,
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
        let checked = match line.sender {
            Sender::Host => checker.sent(&line.text),
            Sender::Engine => checker.received(&line.text),
        };
        checked.map_err(|error| format!("{error}\n{}", excerpt(lines, number)))?;
    }
    // A host does not read after `quit`; its last requests may stay without an answer.
    let excused = usize::from(checker.leaving);
    if checker.pings.len() > excused {
        return Err(format!("pings without an answer: {:?}", checker.pings));
    }
    Ok(checker.summary)
}

/// Returns the lines before this one.
fn excerpt(lines: &[Line], number: usize) -> String {
    lines[number.saturating_sub(12)..=number]
        .iter()
        .map(|line| match line.sender {
            Sender::Host => format!("  > {}\n", line.text),
            Sender::Engine => format!("  < {}\n", line.text),
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
        self.now.game.record_host_line(line)?;
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
            // The engine announces everything again.
            "protover" => self.features_done = false,
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
                    answered.ok_or_else(|| format!("the host did not wait for this: {line}"))?;
                self.forget(over);
            }
            "move" => {
                if self.now.role != Role::Plays(self.now.game.turn()) {
                    return Err(format!("a move out of turn: {line}"));
                }
                self.now.game.play(rest)?;
                if std::mem::take(&mut self.claims_by_move) && !self.now.game.is_drawn() {
                    return Err(format!("a draw was claimed without reason: {line}"));
                }
                self.forget(self.earlier.len());
                self.own_moves += 1;
                self.summary.moves += 1;
                let has_thinking = std::mem::take(&mut self.has_thinking);
                self.summary.moves_without_thinking += usize::from(!has_thinking);
            }
            "1-0" | "0-1" | "1/2-1/2" => {
                self.in_some_state(line, |state| state.plays() && state.game.ends_as(line))?;
            }
            "offer" => {
                self.in_some_state(line, State::plays)?;
                self.claims_by_move = !self.draw_offered && !self.now.game.is_late();
            }
            "resign" if self.may_resign => self.in_some_state(line, State::plays)?,
            "Hint:" => self.in_some_state(line, |state| state.game.allows(rest))?,
            "stat01:" => self.status(line, rest)?,
            "#" => {}
            _ if thinking(line).is_some() => {
                if line.contains('\t') != self.accepts_xboard_features {
                    return Err(format!("wrong columns for this host: {line}"));
                }
                self.has_thinking = true;
                self.summary.thinking += 1;
            }
            // Text for the user, such as the answer to `bk`.
            _ if line.starts_with(' ') || line.is_empty() => {}
            _ => return Err(format!("unexpected line: {line}")),
        }
        Ok(())
    }

    /// Removes earlier states that the engine has left.
    fn forget(&mut self, over: usize) {
        self.earlier.drain(..over);
        for (_, later) in &mut self.pings {
            *later = later.saturating_sub(over);
        }
    }

    /// Checks that a line fits the current state, or one that the engine may have been in when it sent the line.
    fn in_some_state(&self, line: &str, fits: impl Fn(&State) -> bool) -> Result<(), String> {
        let mut states = self.earlier.iter().chain([&self.now]);
        if states.any(fits) {
            Ok(())
        } else {
            Err(format!("this does not fit the game: {line}"))
        }
    }

    /// Checks `stat01: TIME NODES DEPTH LEFT TOTAL [MOVE]`, the answer to `.`.
    fn status(&mut self, line: &str, rest: &str) -> Result<(), String> {
        let numbers: Option<Vec<usize>> = rest
            .split(' ')
            .take(5)
            .map(|word| word.parse().ok())
            .collect();
        let Some([_time, _nodes, _depth, left, total]) = numbers.as_deref() else {
            return Err(format!("not five numbers: {line}"));
        };
        // A `.` outside a search has no answer.
        let fits = |game: &Game| game.has_moves(*total) && left <= total;
        let answered = self.asked.iter().position(fits);
        let answered = answered.ok_or_else(|| format!("not the answer to a request: {line}"))?;
        self.asked.drain(..=answered);
        Ok(())
    }
}

/// Returns the first move of a thinking line (four integers and the moves, or seven integers, a tab and the moves).
pub fn thinking(line: &str) -> Option<&str> {
    thinking_moves(line)?.first().copied()
}

/// Returns all moves of a thinking line.
pub fn thinking_moves(line: &str) -> Option<Vec<&str>> {
    let columns = if line.contains('\t') { 7 } else { 4 };
    let words: Vec<&str> = line.split([' ', '\t']).collect();
    let (numbers, moves) = words.split_at_checked(columns)?;
    let are_numbers = numbers.iter().all(|word| word.parse::<i64>().is_ok());
    are_numbers.then(|| moves.to_vec())
}
