//! The settings dialog of XBoard: changes every option and presses every button.

use std::fs;

use crate::conversation::{Line, Sender};
use crate::xboard::debug_file::Engine;
use crate::xboard::input_devices::Menu;
use crate::xboard::session::Session;

/// Item `Engine #1 Settings` of the Engine menu, counted from 0.
const SETTINGS: usize = 3;
/// Title of the dialog.
const DIALOG: &str = "^Engine Settings$";

/// Settings file. Its name is longer than the buffer of XBoard 4.9.1, unless the announcement of the option enlarges
/// it.
const FILE: &str = "settings-in-a-file-with-quite-a-long-name-as-they-are-in-folders-of-folders-of-folders-of-folders.txt";
/// Network file in the folder of the trial.
const NETWORK: &str = "another.net";
/// Path of the built-in network.
const BUILT_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/network/gaur.net");
/// Opening book in the folder of the trial.
const BOOK: &str = "another.book";
/// Path of the built-in opening book.
const BUILT_IN_BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/book/gaur.book");
/// Folder of tablebases.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tablebase/testdata");
/// Folder for the log.
const LOGS: &str = "logs";

/// Option as the program announces it: `NAME -KIND DETAILS`.
struct Announced {
    name: String,
    kind: String,
    details: String,
}

impl Announced {
    fn read(line: &Line) -> Option<Announced> {
        let text = line
            .text
            .trim_end()
            .strip_prefix("feature option=\"")?
            .strip_suffix('"')?;
        let (name, rest) = text.split_once(" -")?;
        let (kind, details) = rest.split_once(' ').unwrap_or((rest, ""));
        (line.sender == Sender::Engine).then(|| Announced {
            name: name.to_string(),
            kind: kind.to_string(),
            details: details.to_string(),
        })
    }

    /// Returns the number of widgets that can have the keyboard focus. XBoard adds a browse button to file names.
    fn stops(&self) -> usize {
        match self.kind.as_str() {
            "file" | "path" => 2,
            _ => 1,
        }
    }

    fn is_button(&self) -> bool {
        ["button", "save"].contains(&self.kind.as_str())
    }

    /// Returns the input that changes the option, and its new value.
    fn change(&self) -> Result<(Typing, String), String> {
        let number = |word: Option<&str>| -> Result<i64, String> {
            word.and_then(|word| word.parse().ok())
                .ok_or_else(|| format!("{}: no number", self.name))
        };
        Ok(match self.kind.as_str() {
            "spin" | "slider" => {
                let mut words = self.details.split(' ');
                let value = number(words.next())?;
                let _least = number(words.next())?;
                let most = number(words.next())?;
                if value < most {
                    (Typing::Key("Up"), (value + 1).to_string())
                } else {
                    (Typing::Key("Down"), (value - 1).to_string())
                }
            }
            "check" => (
                Typing::Key("space"),
                (1 - number(Some(&self.details))?).to_string(),
            ),
            "combo" => {
                let choices: Vec<&str> = self.details.split(" /// ").collect();
                let chosen = choices.iter().position(|choice| choice.starts_with('*'));
                let chosen = chosen.ok_or_else(|| format!("{}: no choice", self.name))?;
                match choices.get(chosen + 1) {
                    Some(next) => (Typing::Key("Down"), next.to_string()),
                    None => (Typing::Key("Up"), choices[chosen - 1].to_string()),
                }
            }
            "string" => (Typing::Text("Other words"), "Other words".to_string()),
            "file" if self.name == "EvalFile" => (Typing::Text(NETWORK), NETWORK.to_string()),
            "file" if self.name == "BookFile" => (Typing::Text(BOOK), BOOK.to_string()),
            "file" => (Typing::Text(FILE), FILE.to_string()),
            "path" if self.name == "SyzygyPath" => (Typing::Text(TABLES), TABLES.to_string()),
            "path" => (Typing::Text(LOGS), LOGS.to_string()),
            _ => return Err(format!("{}: a new kind, {}", self.name, self.kind)),
        })
    }
}

/// Input for the option that has the keyboard focus.
enum Typing {
    Key(&'static str),
    Text(&'static str),
}

/// Changes every option and presses every button during a game.
pub fn dialog() -> Result<(), String> {
    let mut session = Session::start("settings", &["-tc", "5", "-mps", "40"], &[])?;
    session.wait_for_answer(0, "pong")?;
    for (from, to) in [(BUILT_IN, NETWORK), (BUILT_IN_BOOK, BOOK)] {
        fs::copy(from, session.file(to)).map_err(|error| format!("{to}: {error}"))?;
    }
    let options: Vec<Announced> = session.lines().iter().filter_map(Announced::read).collect();
    change_all(&session, &options)?;
    // The first answer of the program to the file name.
    session.close_note("^Note$")?;
    let buttons = options.iter().filter(|option| option.is_button());
    for button in buttons {
        press(&session, &options, button)?;
    }
    let saved = session.file(FILE);
    let text =
        fs::read_to_string(&saved).map_err(|error| format!("{}: {error}", saved.display()))?;
    // The value before saving plus one: saving includes the last change.
    if !text.contains("MoveOverhead=32") {
        return Err(format!("wrong settings: {text}"));
    }
    let from = session.lines().len();
    session.type_move("e4")?;
    session.wait_for_sent(from, "usermove e2e4")?;
    session.wait_for_answer(from, "move ")?;
    session.leave()?;
    let expected = [&*format!("telluser {FILE} does not exist yet")];
    session.check(Engine::First, &expected)?;
    logged(&session)
}

/// Changes every option and presses OK.
fn change_all(session: &Session, options: &[Announced]) -> Result<(), String> {
    let from = session.lines().len();
    let dialog = open(session)?;
    session.desktop().picture_of(&dialog, "settings.png")?;
    let mut changed = Vec::new();
    for option in options {
        if !option.is_button() {
            let (typing, value) = option.change()?;
            match typing {
                Typing::Key(key) => session.desktop().press(&[key])?,
                Typing::Text(text) => session.desktop().replace_text(text)?,
            }
            changed.push(format!("option {}={value}", option.name));
        }
        session.desktop().press(&["Tab"].repeat(option.stops()))?;
    }
    session.desktop().picture_of(&dialog, "changed.png")?;
    session.desktop().press(&["Return"])?;
    session.desktop().wait_for_window(DIALOG, false)?;
    for line in &changed {
        session.wait_for_sent(from, line)?;
    }
    Ok(())
}

/// Presses a button. Before a save, it changes a value, which must not be lost.
fn press(session: &Session, options: &[Announced], button: &Announced) -> Result<(), String> {
    let from = session.lines().len();
    open(session)?;
    let saves = button.kind == "save";
    if saves {
        session.desktop().press(&["Up"])?;
    }
    let before = options
        .iter()
        .take_while(|option| option.name != button.name);
    session
        .desktop()
        .press(&["Tab"].repeat(before.map(Announced::stops).sum()))?;
    session.desktop().press(&["space"])?;
    let pressed = format!("option {}", button.name);
    session.wait_for_sent(from, &pressed)?;
    let lines = session.lines();
    let sent: Vec<&str> = lines[from..]
        .iter()
        .filter(|line| line.sender == Sender::Host && line.text.starts_with("option "))
        .map(|line| line.text.as_str())
        .collect();
    let right = if saves {
        sent == ["option MoveOverhead=32", &pressed]
    } else {
        sent == [&pressed]
    };
    if !right {
        return Err(format!("{} makes XBoard send {sent:?}", button.name));
    }
    session.desktop().press(&["Escape"])?;
    session.desktop().wait_for_window(DIALOG, false).map(drop)
}

/// Checks that the program has written a log since the option was set.
fn logged(session: &Session) -> Result<(), String> {
    let folder = session.file(LOGS);
    let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let found = files
        .flatten()
        .filter_map(|file| fs::read_to_string(file.path()).ok())
        .any(|log| log.contains("> option SaveSettings"));
    if found {
        Ok(())
    } else {
        Err(format!("no log in {}", folder.display()))
    }
}

/// Opens the dialog. Its first option then has the keyboard focus.
fn open(session: &Session) -> Result<String, String> {
    session.choose(Menu::Engine, SETTINGS)?;
    let window = session.desktop().wait_for_window(DIALOG, true)?;
    session.desktop().activate(&window)?;
    Ok(window)
}
