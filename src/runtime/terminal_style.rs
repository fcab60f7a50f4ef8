//! Abilities of the terminal on standard output.

use std::env;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal};

use supports_unicode::Stream;
use terminal_size::{Height, Width, terminal_size};

use super::system_clock;
use crate::terminal::{Environment, Style};

/// Width of a terminal in characters if the system does not know it.
const DEFAULT_WIDTH: usize = 80;

/// Height of a terminal in lines if the system does not know it.
const DEFAULT_HEIGHT: usize = 24;

/// Returns the environment of a person who types at a terminal. With `is_plain` only whole lines without escape
/// sequences are printed, as in a terminal without cursor control or if standard output is no terminal.
pub fn environment(is_plain: bool) -> Environment {
    Environment {
        style: style(is_plain, io::stdout().is_terminal()),
        width: || terminal_size().map_or(DEFAULT_WIDTH, |(Width(width), _)| width.into()),
        height: || terminal_size().map_or(DEFAULT_HEIGHT, |(_, Height(height))| height.into()),
        home: || env::home_dir()?.into_os_string().into_string().ok(),
        today,
        // Each one has other random keys.
        random: || RandomState::new().build_hasher().finish(),
    }
}

fn style(is_plain: bool, is_terminal: bool) -> Style {
    if is_plain || !is_terminal || !has_cursor_control() {
        return Style::default();
    }
    Style {
        has_cursor: true,
        has_color: wants_color(),
        has_unicode: supports_unicode::on(Stream::Stdout),
    }
}

/// Returns `true` if the terminal understands escape sequences. On Windows they are switched on.
fn has_cursor_control() -> bool {
    if cfg!(windows) {
        anstyle_query::windows::enable_ansi_colors() == Some(true)
    } else {
        env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
    }
}

/// Returns `true` unless the variables `NO_COLOR` or `CLICOLOR` forbid colours, or the terminal has none.
fn wants_color() -> bool {
    !anstyle_query::no_color()
        && anstyle_query::clicolor() != Some(false)
        && anstyle_query::term_supports_color()
}

/// Returns the date in UTC as `YYYY.MM.DD`.
fn today() -> String {
    let time = humantime::format_rfc3339_seconds(system_clock::now()).to_string();
    let date = time.split('T').next().unwrap_or_default();
    date.replace('-', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_output_and_files_have_no_escape_sequences() {
        for (is_plain, is_terminal) in [(true, true), (false, false)] {
            assert_eq!(style(is_plain, is_terminal), Style::default());
        }
        assert_eq!(style(false, true).has_cursor, has_cursor_control());
    }

    #[test]
    fn the_date_has_the_form_of_pgn() {
        let date = today();
        let fields: Vec<&str> = date.split('.').collect();
        assert_eq!(
            fields.iter().map(|field| field.len()).collect::<Vec<_>>(),
            [4, 2, 2]
        );
        assert!(fields.iter().all(|field| field.parse::<u32>().is_ok()));
    }
}
