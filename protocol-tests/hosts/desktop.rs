//! Desktop of a GUI under test: invisible display, window manager, home folder, keyboard and mouse (xdotool), and
//! screenshots.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::display::{Display, Running};
use crate::folder;
use crate::needs::program;
use crate::wait::wait_until;

/// Time for a window to open or close.
const WINDOW_TIMEOUT: Duration = Duration::from_secs(60);

/// File in the home folder that the window manager creates when it has started.
const READY: &str = "window-manager-is-ready";

/// A desktop with a folder for the files of its test. The fields are dropped in this order.
pub struct Desktop {
    /// Process to end with this value.
    _window_manager: Running,
    display: Display,
    folder: PathBuf,
}

impl Desktop {
    /// Starts a display and a window manager for the test with this folder.
    pub fn start(folder: PathBuf) -> Result<Desktop, String> {
        let display = Display::start()?;
        // Without a window manager, no window gets keyboard input.
        let mut window_manager = display.command(&program("openbox")?);
        folder::at_home(&mut window_manager, &folder);
        folder::log_to(&mut window_manager, &folder.join("openbox.log"))?;
        window_manager.args(["--startup", &format!("touch {READY}")]);
        let desktop = Desktop {
            _window_manager: Running::start(&mut window_manager)?,
            display,
            folder,
        };
        // Until it is connected, the display would end with the first tool that disconnects.
        desktop.wait_for_window_manager()?;
        Ok(desktop)
    }

    /// Waits until the window manager has started.
    fn wait_for_window_manager(&self) -> Result<(), String> {
        let ready = self.folder.join("home").join(READY);
        if wait_until(WINDOW_TIMEOUT, || Ok(ready.exists()))? {
            Ok(())
        } else {
            Err("the window manager does not start".to_string())
        }
    }

    /// Returns the folder of the test.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns a command that runs a program in the folder of the test, with its home folder there. Its output goes to
    /// the file `NAME.log`.
    pub fn host(&self, name: &str) -> Result<Command, String> {
        let mut command = self.display.command(&program(name)?);
        folder::at_home(&mut command, &self.folder);
        folder::log_to(&mut command, &self.folder.join(format!("{name}.log")))?;
        Ok(command)
    }

    /// Returns a command for a small tool on the same display.
    fn tool(&self, name: &str) -> Result<Command, String> {
        let mut command = self.display.command(&program(name)?);
        command.current_dir(&self.folder).stdin(Stdio::null());
        Ok(command)
    }

    /// Runs xdotool and returns its output.
    fn xdotool(&self, arguments: &[&str]) -> Result<Output, String> {
        self.tool("xdotool")?
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
    pub fn find_window(&self, title: &str) -> Result<Option<String>, String> {
        let output = self.xdotool(&["search", "--onlyvisible", "--name", title])?;
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(found.lines().next().map(str::to_string))
    }

    /// Waits until a window with this title (a regular expression) opens or closes.
    pub fn wait_for_window(&self, title: &str, there: bool) -> Result<String, String> {
        let mut found = None;
        let is_done = wait_until(WINDOW_TIMEOUT, || {
            found = self.find_window(title)?;
            Ok(found.is_some() == there)
        })?;
        if is_done {
            return Ok(found.unwrap_or_default());
        }
        self.take_failure_picture();
        let state = if there { "does not come" } else { "stays" };
        Err(format!("the window `{title}` {state}"))
    }

    /// Returns the width and height of a window, in pixels.
    pub fn size_of(&self, window: &str) -> Result<(u32, u32), String> {
        let output = self.xdotool(&["getwindowgeometry", "--shell", window])?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let value = |name: &str| {
            let text = lines.lines().find_map(|line| line.strip_prefix(name))?;
            text.parse().ok()
        };
        let size = value("WIDTH=").zip(value("HEIGHT="));
        size.ok_or_else(|| format!("no size of window {window}"))
    }

    /// Activates a window.
    pub fn activate(&self, window: &str) -> Result<(), String> {
        self.act(&["windowactivate", "--sync", window])
    }

    /// Presses keys one after the other in the active window.
    pub fn press(&self, keys: &[&str]) -> Result<(), String> {
        for key in keys {
            self.act(&["key", key])?;
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    /// Types text into the active field.
    pub fn type_text(&self, text: &str) -> Result<(), String> {
        self.act(&["type", "--delay", "50", text])
    }

    /// Replaces the text of the active field.
    pub fn replace_text(&self, text: &str) -> Result<(), String> {
        self.press(&["ctrl+a"])?;
        self.type_text(text)
    }

    /// Presses the left mouse button at one point and releases it at another, in pixels from the upper left corner of a
    /// window, or of the display for `None`.
    pub fn drag(
        &self,
        window: Option<&str>,
        from: (u32, u32),
        to: (u32, u32),
    ) -> Result<(), String> {
        for (point, button) in [(from, "mousedown"), (to, "mouseup")] {
            self.point_at(window, point)?;
            self.act(&[button, "1"])?;
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    /// Turns the mouse wheel up by one step at a point of a window.
    pub fn scroll_up(&self, window: &str, at: (u32, u32)) -> Result<(), String> {
        self.point_at(Some(window), at)?;
        self.act(&["click", "4"])
    }

    /// Moves the pointer to a point of a window, or of the display for `None`.
    fn point_at(&self, window: Option<&str>, (x, y): (u32, u32)) -> Result<(), String> {
        let (x, y) = (x.to_string(), y.to_string());
        // With `--sync`, xdotool would wait 15 s if the pointer is there already.
        let mut arguments = vec!["mousemove"];
        arguments.extend(window.iter().flat_map(|window| ["--window", *window]));
        arguments.extend([x.as_str(), y.as_str()]);
        self.act(&arguments)?;
        thread::sleep(Duration::from_millis(100));
        Ok(())
    }

    /// Saves a screenshot of a window, or of the whole display for `root`, in the folder of the test.
    pub fn picture_of(&self, window: &str, name: &str) -> Result<(), String> {
        self.import(window, name).map(drop)
    }

    /// Saves a screenshot of the whole display as `failure.png`. It helps to find the cause of a failure; errors are
    /// ignored.
    pub fn take_failure_picture(&self) {
        self.picture_of("root", "failure.png").unwrap_or_default();
    }

    /// Returns a screenshot of the whole display as a portable pixmap (P6).
    pub fn pixels(&self) -> Result<Vec<u8>, String> {
        self.import("root", "ppm:-")
    }

    /// Runs `import` of ImageMagick and returns its output.
    fn import(&self, window: &str, target: &str) -> Result<Vec<u8>, String> {
        let output = self
            .tool("import")?
            .args(["-window", window, "-depth", "8", target])
            .output()
            .map_err(|error| format!("cannot run import: {error}"))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
