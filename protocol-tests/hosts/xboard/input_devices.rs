//! Keyboard and mouse input for XBoard, sent by xdotool.

use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use crate::xboard::session::Session;

/// Time for a window to open.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Menus of XBoard, by their distance from the first one (File).
#[derive(Clone, Copy)]
pub enum Menu {
    /// Engine settings, hint, book.
    Engine = 5,
}

impl Session {
    /// Runs xdotool and returns its output.
    fn xdotool(&self, arguments: &[&str]) -> Result<Output, String> {
        self.command("xdotool")?
            .args(arguments)
            .output()
            .map_err(|error| format!("cannot run xdotool: {error}"))
    }

    /// Runs xdotool, which must succeed.
    fn act(&self, arguments: &[&str]) -> Result<(), String> {
        let output = self.xdotool(arguments)?;
        if output.status.success() {
            return Ok(());
        }
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("xdotool {}: {error}", arguments.join(" ")))
    }

    /// Returns the first visible window whose title matches this regular expression.
    fn find_window(&self, title: &str) -> Result<Option<String>, String> {
        let output = self.xdotool(&["search", "--onlyvisible", "--name", title])?;
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(found.lines().next().map(str::to_string))
    }

    /// Waits until a window with this title (a regular expression) opens or closes.
    pub fn wait_for_window(&self, title: &str, there: bool) -> Result<String, String> {
        let deadline = Instant::now() + TIMEOUT;
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

    /// Activates the board window.
    pub fn to_board(&self) -> Result<String, String> {
        let deadline = Instant::now() + TIMEOUT;
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

    /// Activates a window.
    pub fn activate(&self, window: &str) -> Result<(), String> {
        self.act(&["windowactivate", "--sync", window])
    }

    /// Replaces the text of the active field.
    pub fn replace_text(&self, text: &str) -> Result<(), String> {
        self.press(&["ctrl+a"])?;
        self.act(&["type", "--delay", "50", text])
    }

    /// Presses keys one after the other in the board window.
    pub fn keys(&self, keys: &[&str]) -> Result<(), String> {
        self.to_board()?;
        self.press(keys)
    }

    /// Presses keys one after the other in the active window.
    pub fn press(&self, keys: &[&str]) -> Result<(), String> {
        for key in keys {
            self.act(&["key", key])?;
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    /// Chooses the item of a menu at this distance from the first one.
    pub fn choose(&self, menu: Menu, item: usize) -> Result<(), String> {
        let mut keys = vec!["alt+f"];
        keys.extend(["Right"].repeat(menu as usize));
        keys.extend(["Down"].repeat(item));
        keys.push("Return");
        self.keys(&keys)
    }

    /// Types a move in SAN.
    pub fn type_move(&self, san: &str) -> Result<(), String> {
        const BOX: &str = "^Type a move$";
        // The first key opens a text field that contains it.
        let (first, rest) = san.split_at(1);
        self.keys(&[first])?;
        let window = self.wait_for_window(BOX, true)?;
        self.activate(&window)?;
        self.act(&["type", "--delay", "50", rest])?;
        self.act(&["key", "Return"])?;
        self.wait_for_window(BOX, false).map(drop)
    }

    /// Clicks at a point of the board window, in pixels from its upper left corner.
    pub fn click(&self, x: u32, y: u32) -> Result<(), String> {
        self.drag((x, y), (x, y))
    }

    /// Drags from one point of the board window to another.
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

    /// Closes the message window that XBoard opens for output of the engine.
    pub fn close_note(&self, title: &str) -> Result<(), String> {
        let window = self.wait_for_window(title, true)?;
        self.activate(&window)?;
        self.act(&["key", "Return"])?;
        self.wait_for_window(title, false).map(drop)
    }

    /// Saves a screenshot of a window, or of the whole display for `root`, in the folder of the test.
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

    /// Quits by the menu key. XBoard and the program must both end.
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
