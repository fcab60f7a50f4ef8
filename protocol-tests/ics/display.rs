//! A display that nobody sees: Xvfb on a free number. It ends by itself with its last client, and with its owner.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running Xvfb.
#[derive(Debug)]
pub struct Display {
    server: Child,
    /// `:99`
    pub name: String,
}

impl Display {
    /// Starts one and waits until it can be used.
    pub fn start() -> Result<Display, String> {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1024x768x24"])
            .args(["-nolisten", "tcp", "-terminate"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start Xvfb: {error}"))?;
        let mut number = String::new();
        // It writes its number when it is ready, or ends.
        if let Some(output) = server.stdout.take() {
            BufReader::new(output)
                .read_line(&mut number)
                .map_err(|error| error.to_string())?;
        }
        let display = Display {
            server,
            name: format!(":{}", number.trim()),
        };
        match number.trim().parse::<u32>() {
            Ok(_) => Ok(display),
            Err(_) => Err("Xvfb has not started".into()),
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may have ended with its last client.
        self.server.kill().unwrap_or_default();
        self.server.wait().map(|_| ()).unwrap_or_default();
    }
}
