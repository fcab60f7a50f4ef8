//! The status line in a terminal, on standard error.

use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use crate::score;

/// Columns of a terminal that does not state them.
const DEFAULT_WIDTH: usize = 80;

/// Content of the status line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusView {
    /// Name of the account; empty for a guest before the login.
    pub account: String,
    /// State, such as `logging in`, `waiting for a game` or `playing White`.
    pub state: String,
    /// Name of the opponent in the running game; empty without a game.
    pub opponent: String,
    /// Clocks of the running game: this account, opponent.
    pub clocks: Option<(Duration, Duration)>,
    /// Score of the engine in centipawns.
    pub score: Option<i32>,
    /// Won, lost and drawn games since the start of the program.
    pub results: (u32, u32, u32),
}

/// A line at the bottom of a terminal. Does nothing if the output is no terminal.
pub struct StatusLine {
    output: Option<Box<dyn Write + Send>>,
    /// Columns of the terminal when the program started.
    width: usize,
    shown: String,
}

impl StatusLine {
    /// Creates a status line on standard error, if that is a terminal and `enabled` is set.
    pub fn new(enabled: bool) -> Self {
        let terminal = enabled && io::stderr().is_terminal();
        let width = terminal_size::terminal_size_of(io::stderr())
            .map_or(DEFAULT_WIDTH, |(width, _)| width.0.into());
        Self::to(
            terminal.then(|| Box::new(io::stderr()) as Box<dyn Write + Send>),
            width,
        )
    }

    pub(super) fn to(output: Option<Box<dyn Write + Send>>, width: usize) -> Self {
        Self {
            output,
            width,
            shown: String::new(),
        }
    }

    /// Returns `true` if there is a terminal that shows the line.
    pub(super) fn is_shown(&self) -> bool {
        self.output.is_some()
    }

    /// Shows the line. Nothing is written if it has not changed.
    pub fn show(&mut self, view: &StatusView) {
        let mut line = view.fitted(self.width.saturating_sub(1));
        // A line that wraps could not be overwritten.
        if let Some((end, _)) = line.char_indices().nth(self.width.saturating_sub(1)) {
            line.truncate(end);
        }
        if line != self.shown {
            self.write(&format!("\r\x1b[K{line}"));
            self.shown = line;
        }
    }

    /// Removes the line, before other output and at the end.
    pub fn clear(&mut self) {
        if !self.shown.is_empty() {
            self.write("\r\x1b[K");
            self.shown.clear();
        }
    }

    fn write(&mut self, text: &str) {
        if let Some(output) = &mut self.output
            && output
                .write_all(text.as_bytes())
                .and_then(|()| output.flush())
                .is_err()
        {
            self.output = None;
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Parts of the line, in the order in which a narrow terminal lacks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Account,
    Results,
    State,
    Game,
}

impl StatusView {
    /// Returns the line without the parts for which there is no room in `width` columns. Clocks and score remain.
    fn fitted(&self, width: usize) -> String {
        let fits = |line: &String| line.chars().count() <= width;
        [Part::Account, Part::Results, Part::State]
            .map(|least| self.line(least))
            .into_iter()
            .find(fits)
            .unwrap_or_else(|| match self.clocks {
                Some(_) => self.line(Part::Game),
                None => self.line(Part::State),
            })
    }

    /// Returns the line from this part on.
    fn line(&self, least: Part) -> String {
        let (won, lost, drawn) = self.results;
        let games = won.saturating_add(lost).saturating_add(drawn);
        let mut parts = vec![
            (Part::Account, self.account.clone()),
            (Part::State, self.state.clone()),
        ];
        if let Some((own, opponent)) = self.clocks {
            parts.push((Part::Game, format!("own {}", clock(own))));
            let opponent = format!("{} {}", self.opponent, clock(opponent));
            parts.push((Part::Game, opponent));
        } else {
            parts.push((Part::State, self.opponent.clone()));
        }
        let score = self.score.map(score::text).unwrap_or_default();
        parts.push((Part::Game, score));
        let results = format!("games: {games} (+{won} -{lost} ={drawn})");
        parts.push((Part::Results, results));
        let texts: Vec<String> = parts
            .into_iter()
            .filter(|(part, text)| *part >= least && !text.is_empty())
            .map(|(_, text)| text)
            .collect();
        // Names come from the server.
        let printable = |character: char| {
            if character.is_control() {
                '?'
            } else {
                character
            }
        };
        texts.join("  ").chars().map(printable).collect()
    }
}

impl std::fmt::Display for StatusView {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str(&self.line(Part::Account))
    }
}

/// Returns a clock as `m:ss`, or `h:mm:ss` from one hour on.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}
