//! The keyboard and the mouse of a person in front of XBoard, moved by xdotool.

use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use crate::xboard::session::Session;

/// How long a window may take to come up.
const PATIENCE: Duration = Duration::from_secs(20);

/// XBoard's menus that the trials use: how many steps to the right of the first one, File.
#[derive(Clone, Copy)]
pub enum Menu {
    /// Engine settings, hint, book.
    Engine = 5,
}

impl Session {
    /// Runs xdotool and gives what it printed.
    fn xdotool(&self, arguments: &[&str]) -> Result<Output, String> {
        self.command("xdotool")?
            .args(arguments)
            .output()
            .map_err(|error| format!("cannot run xdotool: {error}"))
    }

    /// As `xdotool`, but it must succeed.
    fn act(&self, arguments: &[&str]) -> Result<(), String> {
        let output = self.xdotool(arguments)?;
        if output.status.success() {
            return Ok(());
        }
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("xdotool {}: {error}", arguments.join(" ")))
    }

    /// The first visible window with a title that fits this regular expression.
    fn find_window(&self, title: &str) -> Result<Option<String>, String> {
        let output = self.xdotool(&["search", "--onlyvisible", "--name", title])?;
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(found.lines().next().map(str::to_string))
    }

    /// Waits until a window of this title (a regular expression) is there, or is gone.
    pub fn wait_for_window(&self, title: &str, there: bool) -> Result<String, String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.find_window(title)?;
            if found.is_some() == there {
                return Ok(found.unwrap_or_default());
            }
            if Instant::now() >= deadline {
                let state = if there { "does not come" } else { "stays" };
                return Err(format!("the window `{title}` {state}"));
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Brings the window with the board to the front; what is typed goes there.
    pub fn to_board(&self) -> Result<String, String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            // Its title changes with the game.
            if let Some(window) = self.find_window("^xboard: | vs\\. ")? {
                self.activate(&window)?;
                return Ok(window);
            }
            if Instant::now() >= deadline {
                return Err("XBoard shows no window".to_string());
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Gives a window the keyboard.
    pub fn activate(&self, window: &str) -> Result<(), String> {
        self.act(&["windowactivate", "--sync", window])
    }

    /// Types a text in the place of the one that is there.
    pub fn replace_text(&self, text: &str) -> Result<(), String> {
        self.press(&["ctrl+a"])?;
        self.act(&["type", "--delay", "50", text])
    }

    /// Presses keys, one after the other, before the board.
    pub fn keys(&self, keys: &[&str]) -> Result<(), String> {
        self.to_board()?;
        self.press(keys)
    }

    /// Presses keys, one after the other, wherever the keyboard is now.
    pub fn press(&self, keys: &[&str]) -> Result<(), String> {
        for key in keys {
            self.act(&["key", key])?;
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    /// Chooses the item of a menu that lies so many steps below its first one.
    pub fn choose(&self, menu: Menu, item: usize) -> Result<(), String> {
        let mut keys = vec!["alt+f"];
        keys.extend(["Right"].repeat(menu as usize));
        keys.extend(["Down"].repeat(item));
        keys.push("Return");
        self.keys(&keys)
    }

    /// Types a move as a person would, in SAN.
    pub fn type_move(&self, san: &str) -> Result<(), String> {
        const BOX: &str = "^Type a move$";
        // The first key opens a box with that letter in it.
        let (first, rest) = san.split_at(1);
        self.keys(&[first])?;
        let window = self.wait_for_window(BOX, true)?;
        self.activate(&window)?;
        self.act(&["type", "--delay", "50", rest])?;
        self.act(&["key", "Return"])?;
        self.wait_for_window(BOX, false).map(drop)
    }

    /// Clicks at a point of the window with the board, in pixels from its upper left corner.
    pub fn click(&self, x: u32, y: u32) -> Result<(), String> {
        self.drag((x, y), (x, y))
    }

    /// Drags from one point of the window with the board to another.
    pub fn drag(&self, from: (u32, u32), to: (u32, u32)) -> Result<(), String> {
        let window = self.to_board()?;
        for ((x, y), button) in [(from, "mousedown"), (to, "mouseup")] {
            let (x, y) = (x.to_string(), y.to_string());
            self.act(&["mousemove", "--sync", "--window", &window, &x, &y])?;
            thread::sleep(Duration::from_millis(100));
            self.act(&[button, "1"])?;
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    /// Closes the note that XBoard shows for something the engine said.
    pub fn close_note(&self, title: &str) -> Result<(), String> {
        let window = self.wait_for_window(title, true)?;
        self.activate(&window)?;
        self.act(&["key", "Return"])?;
        self.wait_for_window(title, false).map(drop)
    }

    /// Makes a picture of a window, or of the whole screen if it is named `root`, in the folder of the trial.
    pub fn picture_of(&self, window: &str, name: &str) -> Result<(), String> {
        let output = self
            .command("import")?
            .args(["-window", window, name])
            .output()
            .map_err(|error| format!("cannot run import: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Leaves by the menu's key. XBoard and our program must both be gone then.
    pub fn leave(&mut self) -> Result<(), String> {
        self.keys(&["ctrl+q"])?;
        let status = self.wait_for_exit(Duration::from_secs(20))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("XBoard ended with {status}"))
        }
    }
}
