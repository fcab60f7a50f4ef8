//! Keyboard and mouse input for XBoard.

use std::thread;
use std::time::{Duration, Instant};

use crate::wait::POLL_INTERVAL;
use crate::xboard::session::Session;

/// Time for the board window to open.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Menus of XBoard, by their distance from the first one (File).
#[derive(Clone, Copy)]
pub enum Menu {
    /// Engine settings, hint, book.
    Engine = 5,
}

impl Session {
    /// Activates the board window.
    pub fn to_board(&self) -> Result<String, String> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            // Its title changes with the game.
            if let Some(window) = self.desktop().find_window("^xboard: | vs\\. ")? {
                self.desktop().activate(&window)?;
                return Ok(window);
            }
            if Instant::now() >= deadline {
                return Err("XBoard shows no window".to_string());
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Presses keys one after the other in the board window.
    pub fn keys(&self, keys: &[&str]) -> Result<(), String> {
        self.to_board()?;
        self.desktop().press(keys)
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
        let desktop = self.desktop();
        // The first key opens a text field that contains it.
        let (first, rest) = san.split_at(1);
        self.keys(&[first])?;
        let window = desktop.wait_for_window(BOX, true)?;
        desktop.activate(&window)?;
        desktop.type_text(rest)?;
        desktop.press(&["Return"])?;
        desktop.wait_for_window(BOX, false).map(drop)
    }

    /// Clicks at a point of the board window, in pixels from its upper left corner.
    pub fn click(&self, x: u32, y: u32) -> Result<(), String> {
        self.drag((x, y), (x, y))
    }

    /// Drags from one point of the board window to another.
    pub fn drag(&self, from: (u32, u32), to: (u32, u32)) -> Result<(), String> {
        let window = self.to_board()?;
        self.desktop().drag(Some(&window), from, to)
    }

    /// Closes the message window that XBoard opens for output of the engine.
    pub fn close_note(&self, title: &str) -> Result<(), String> {
        let desktop = self.desktop();
        let window = desktop.wait_for_window(title, true)?;
        desktop.activate(&window)?;
        desktop.press(&["Return"])?;
        desktop.wait_for_window(title, false).map(drop)
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
