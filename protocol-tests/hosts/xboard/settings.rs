//! The dialog that XBoard builds from our options: every one is changed in it, every button is pressed.

use std::fs;

use crate::conversation::{Line, Speaker};
use crate::xboard::debug_file::Engine;
use crate::xboard::desk::Menu;
use crate::xboard::session::Session;

/// The item Engine #1 Settings of the Engine menu, counted from its first one.
const SETTINGS: usize = 3;
/// The title of the dialog.
const DIALOG: &str = "^Engine Settings$";

/// The file for the settings; the name is longer than what XBoard 4.9.1 has room for if nobody makes room for it.
const FILE: &str = "settings-in-a-file-with-quite-a-long-name-as-they-are-in-folders-of-folders-of-folders-of-folders.txt";
/// A network, and where it is found.
const NETWORK: &str = "another.net";
const BUILT_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/network/gaur.net");
/// The folder for the log.
const LOGS: &str = "logs";

/// An option as our program announces it: `NAME -KIND DETAILS`.
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
        (line.speaker == Speaker::Engine).then(|| Announced {
            name: name.to_string(),
            kind: kind.to_string(),
            details: details.to_string(),
        })
    }

    /// Number of widgets of the dialog that can have the keyboard: XBoard puts a button for browsing behind
    /// names of files.
    fn stops(&self) -> usize {
        match self.kind.as_str() {
            "file" | "path" => 2,
            _ => 1,
        }
    }

    fn is_button(&self) -> bool {
        ["button", "save"].contains(&self.kind.as_str())
    }

    /// What is typed into the dialog to change the option, and the value that it has then.
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
            "file" => (Typing::Text(FILE), FILE.to_string()),
            "path" => (Typing::Text(LOGS), LOGS.to_string()),
            _ => return Err(format!("{}: a new kind, {}", self.name, self.kind)),
        })
    }
}

/// What a person does to an option that has the keyboard.
enum Typing {
    Key(&'static str),
    Text(&'static str),
}

/// Changes every option and presses every button. The game goes on as if nothing had been.
pub fn dialog() -> Result<(), String> {
    let mut session = Session::start("settings", &["-tc", "5", "-mps", "40"], &[])?;
    session.wait_for_answer(0, "pong")?;
    let network = session.file(NETWORK);
    fs::copy(BUILT_IN, &network).map_err(|error| format!("{}: {error}", network.display()))?;
    let options: Vec<Announced> = session.lines().iter().filter_map(Announced::read).collect();
    change_all(&session, &options)?;
    // The first word of our program about the file that was named.
    session.close_note("^Note$")?;
    let buttons = options.iter().filter(|option| option.is_button());
    for button in buttons {
        press(&session, &options, button)?;
    }
    let saved = session.file(FILE);
    let text =
        fs::read_to_string(&saved).map_err(|error| format!("{}: {error}", saved.display()))?;
    // One more than before the saving, which takes the last change along.
    if !text.contains("MoveOverhead=32") {
        return Err(format!("not what was set: {text}"));
    }
    let from = session.lines().len();
    session.type_move("e4")?;
    session.wait_for_sent(from, "usermove e2e4")?;
    session.keys(&["ctrl+m"])?;
    session.wait_for_answer(from, "move ")?;
    session.leave()?;
    let expected = [&*format!("telluser {FILE} does not exist yet")];
    session.check(Engine::First, &expected)?;
    logged(&session)
}

/// Changes every option, and says OK.
fn change_all(session: &Session, options: &[Announced]) -> Result<(), String> {
    let from = session.lines().len();
    let dialog = open(session)?;
    session.picture_of(&dialog, "settings.png")?;
    let mut changed = Vec::new();
    for option in options {
        if !option.is_button() {
            let (typing, value) = option.change()?;
            match typing {
                Typing::Key(key) => session.press(&[key])?,
                Typing::Text(text) => session.replace_text(text)?,
            }
            changed.push(format!("option {}={value}", option.name));
        }
        session.press(&["Tab"].repeat(option.stops()))?;
    }
    session.picture_of(&dialog, "changed.png")?;
    session.press(&["Return"])?;
    session.wait_for_window(DIALOG, false)?;
    for line in &changed {
        session.wait_for_sent(from, line)?;
    }
    Ok(())
}

/// Presses a button. If it saves, a value is changed just before, which must not be lost.
fn press(session: &Session, options: &[Announced], button: &Announced) -> Result<(), String> {
    let from = session.lines().len();
    open(session)?;
    let saves = button.kind == "save";
    if saves {
        session.press(&["Up"])?;
    }
    let before = options
        .iter()
        .take_while(|option| option.name != button.name);
    session.press(&["Tab"].repeat(before.map(Announced::stops).sum()))?;
    session.press(&["space"])?;
    let pressed = format!("option {}", button.name);
    session.wait_for_sent(from, &pressed)?;
    let lines = session.lines();
    let sent: Vec<&str> = lines[from..]
        .iter()
        .filter(|line| line.speaker == Speaker::Host && line.text.starts_with("option "))
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
    session.press(&["Escape"])?;
    session.wait_for_window(DIALOG, false).map(drop)
}

/// Whether our program has kept a log since it was told to.
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

/// Opens the dialog; its first option then has the keyboard.
fn open(session: &Session) -> Result<String, String> {
    session.choose(Menu::Engine, SETTINGS)?;
    let window = session.wait_for_window(DIALOG, true)?;
    session.activate(&window)?;
    Ok(window)
}
