//! Parser of script files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::directive::Directive;
use crate::pattern::Pattern;

/// A protocol script.
#[derive(Clone, Debug)]
pub struct Script {
    /// File name without extension.
    pub name: String,
    /// First line of the file, which states what the script tests.
    pub title: String,
    /// Lines that the runner sends before the first step.
    pub start: Start,
    /// Set if the script needs a process: signals, end of input, CPU time, a real search.
    pub needs_process: bool,
    /// Set if the script needs the simulated search.
    pub needs_pretence: bool,
    /// Set if the script tests behaviour that the protocol leaves open.
    pub only_gaur: bool,
    /// Features that must be announced.
    pub features: Vec<String>,
    /// Features that must not be announced.
    pub without: Vec<String>,
    /// Working directory of the engine.
    pub directory: Option<PathBuf>,
    /// Steps in order.
    pub steps: Vec<Step>,
}

/// Lines that the runner sends before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// `xboard`, `protover 2`, the features, `new`, `easy`.
    Game,
    /// `xboard`, `protover 2` and the features.
    Features,
    /// No line.
    Nothing,
}

/// A step with its line number.
#[derive(Clone, Debug)]
pub struct Step {
    /// Line number, from 1.
    pub line: usize,
    /// Action of the step.
    pub action: Action,
}

/// Action of a step.
#[derive(Clone, Debug)]
pub enum Action {
    /// `> TEXT`
    Send(String),
    /// `~ BYTES`, with escapes and without an added line end.
    SendRaw(String),
    /// `< PATTERN`
    Expect(Pattern),
    /// `<? PATTERN`
    Allow(Pattern),
    /// `! PATTERN`; `None` for `! none`.
    Forbid(Option<Pattern>),
    /// `wait N ms`
    Wait(Duration),
    /// `within N ms`
    Within(Duration),
    /// `quiet N ms`
    Quiet(Duration),
    /// `eof`
    EndInput,
    /// `close output`
    CloseOutput,
    /// `exit within N ms`
    ExitWithin(Duration),
    /// `signal NAME`
    Signal(Signal),
    /// `idle N ms`
    Idle(Duration),
    /// `busy N ms`
    Busy(Duration),
    /// `resident NAME`
    Resident(String),
    /// `check A OP B`
    Check(String),
    /// `position FEN`
    Position(String),
    /// `file NAME BYTES`, with escapes.
    File(String, String),
    /// `repeat N` ... `end`
    Repeat(usize, Vec<Step>),
    /// `@ ...`
    Pretend(Directive),
}

/// A signal that a script may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT
    Interrupt,
    /// SIGTERM
    Terminate,
    /// SIGSTOP
    Stop,
    /// SIGCONT
    Continue,
}

/// Returns all scripts below a folder, sorted by name.
pub fn load_all(folder: &Path) -> Result<Vec<Script>, String> {
    let mut scripts = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| e.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if is_script(&path) {
                scripts.push(Script::load(&path)?);
            }
        }
    }
    scripts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(scripts)
}

/// Returns `true` for `.txt` files whose names begin with an item such as `C-20`.
fn is_script(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    name.ends_with(".txt") && !ids_in(name).is_empty()
}

/// Returns the items that a file name begins with: `E-11-E-12-edit-board` has two.
pub fn ids_in(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split('-').collect();
    words
        .chunks_exact(2)
        .take_while(|pair| {
            pair[0].len() == 1
                && pair[0].chars().all(|c| c.is_ascii_uppercase())
                && pair[1].len() == 2
                && pair[1].bytes().all(|b| b.is_ascii_digit())
        })
        .map(|pair| pair.join("-"))
        .collect()
}

impl Script {
    fn load(path: &Path) -> Result<Script, String> {
        let text =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or("");
        Script::parse(name, &text).map_err(|error| format!("{}:{error}", path.display()))
    }

    /// Parses a script. An error begins with the line number.
    pub fn parse(name: &str, text: &str) -> Result<Script, String> {
        let mut script = Script {
            name: name.to_string(),
            title: String::new(),
            start: Start::Game,
            needs_process: false,
            needs_pretence: false,
            only_gaur: false,
            features: Vec::new(),
            without: Vec::new(),
            directory: None,
            steps: Vec::new(),
        };
        match text.lines().next().and_then(|line| line.strip_prefix("# ")) {
            Some(title) => script.title = title.to_string(),
            None => return Err("1: the first line must state what the script tests".to_string()),
        }
        // The steps of each open `repeat`; the first entry is the script.
        let mut open: Vec<(usize, usize, Vec<Step>)> = vec![(0, 1, Vec::new())];
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            let at = |error: String| format!("{line}: {error}");
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            if script.read_header(text).map_err(at)? {
                continue;
            }
            if let Some(count) = text.trim().strip_prefix("repeat ") {
                let count = count
                    .trim()
                    .parse()
                    .map_err(|_| at("repeat N".to_string()))?;
                open.push((line, count, Vec::new()));
                continue;
            }
            let step = if text.trim() == "end" {
                let (line, count, steps) = open.pop().ok_or_else(|| at("no repeat".into()))?;
                Step {
                    line,
                    action: Action::Repeat(count, steps),
                }
            } else {
                let text = expand(text.trim_start()).map_err(at)?;
                let action = parse_action(&text).map_err(at)?;
                script.note_needs(&action);
                Step { line, action }
            };
            let Some((_, _, steps)) = open.last_mut() else {
                return Err(at("`end` without `repeat`".to_string()));
            };
            steps.push(step);
        }
        match (open.pop(), open.len()) {
            (Some((_, _, steps)), 0) => script.steps = steps,
            _ => return Err("1: `repeat` without `end`".to_string()),
        }
        if script.needs_process && script.needs_pretence {
            return Err("1: a script cannot need both a process and the simulated search".into());
        }
        Ok(script)
    }

    /// Reads a header (`start:`, `needs:`, `only:`, `features:`, `without:`, `directory:`). Returns `false` for other
    /// lines.
    fn read_header(&mut self, text: &str) -> Result<bool, String> {
        let Some((key, value)) = text.split_once(": ") else {
            return Ok(false);
        };
        let words = || value.split_whitespace().map(str::to_string);
        match (key, value.trim()) {
            ("start", "game") => self.start = Start::Game,
            ("start", "features") => self.start = Start::Features,
            ("start", "nothing") => self.start = Start::Nothing,
            ("needs", "process") => self.needs_process = true,
            ("needs", "pretend") => self.needs_pretence = true,
            ("only", "gaur") => self.only_gaur = true,
            ("features", _) => self.features.extend(words()),
            ("without", _) => self.without.extend(words()),
            ("directory", path) => {
                self.directory = Some(PathBuf::from(path));
                self.needs_process = true;
            }
            ("start" | "needs" | "only", _) => return Err(format!("`{text}` is no directive")),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Derives the requirements of the script from a step.
    fn note_needs(&mut self, action: &Action) {
        match action {
            Action::Pretend(_) => self.needs_pretence = true,
            Action::SendRaw(_)
            | Action::EndInput
            | Action::CloseOutput
            | Action::ExitWithin(_)
            | Action::Signal(_)
            | Action::Idle(_)
            | Action::Busy(_)
            | Action::Resident(_)
            | Action::File(..) => self.needs_process = true,
            Action::Send(line) => {
                let verb = line.split_whitespace().next().unwrap_or("");
                let feature = match verb {
                    "pause" | "resume" => "pause",
                    "exclude" | "include" => "exclude",
                    "cores" => "smp",
                    "egtpath" => "egt",
                    "ping" | "setboard" | "playother" | "nps" | "setscore" | "memory"
                    | "option" => verb,
                    _ => return,
                };
                if !self.without.iter().any(|without| without == feature) {
                    self.features.push(feature.to_string());
                }
            }
            _ => {}
        }
    }
}

fn parse_action(text: &str) -> Result<Action, String> {
    if text == ">" {
        return Ok(Action::Send(String::new()));
    }
    if text == "<" {
        return Ok(Action::Expect(Pattern::parse("")?));
    }
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    Ok(match first {
        ">" => Action::Send(rest.to_string()),
        "~" => Action::SendRaw(rest.to_string()),
        "<" => Action::Expect(Pattern::parse(rest)?),
        "<?" => Action::Allow(Pattern::parse(rest)?),
        "!" if rest == "none" => Action::Forbid(None),
        "!" => Action::Forbid(Some(Pattern::parse(rest)?)),
        "@" => Action::Pretend(Directive::parse(rest)?),
        "wait" => Action::Wait(milliseconds(rest)?),
        "within" => Action::Within(milliseconds(rest)?),
        "quiet" => Action::Quiet(milliseconds(rest)?),
        "idle" => Action::Idle(milliseconds(rest)?),
        "busy" => Action::Busy(milliseconds(rest)?),
        "exit" => Action::ExitWithin(milliseconds(
            rest.strip_prefix("within ").ok_or("exit within N ms")?,
        )?),
        "eof" => Action::EndInput,
        "close" if rest == "output" => Action::CloseOutput,
        "signal" => Action::Signal(match rest {
            "INT" => Signal::Interrupt,
            "TERM" => Signal::Terminate,
            "STOP" => Signal::Stop,
            "CONT" => Signal::Continue,
            _ => return Err(format!("signal INT, TERM, STOP or CONT, not `{rest}`")),
        }),
        "resident" => Action::Resident(rest.to_string()),
        "check" => Action::Check(rest.to_string()),
        "file" => {
            let (name, bytes) = rest.split_once(' ').unwrap_or((rest, ""));
            Action::File(name.to_string(), bytes.to_string())
        }
        "position" => Action::Position(rest.to_string()),
        _ => return Err(format!("`{text}` is no step")),
    })
}

/// Replaces `<20*text>` by that many copies of the text.
fn expand(text: &str) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        expanded.push_str(before);
        match after
            .split_once('>')
            .map(|(hole, later)| (hole.split_once('*'), later))
        {
            Some((Some((count, copied)), later)) if count.parse::<usize>().is_ok() => {
                let count = count.parse().map_err(|_| format!("<{count}*"))?;
                expanded.push_str(&copied.repeat(count));
                rest = later;
            }
            _ => {
                expanded.push('<');
                rest = after;
            }
        }
    }
    expanded.push_str(rest);
    Ok(expanded)
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    text.strip_suffix(" ms")
        .and_then(|number| number.trim().parse().ok())
        .map(Duration::from_millis)
        .ok_or_else(|| format!("`{text}` should be `N ms`"))
}
