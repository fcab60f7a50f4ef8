//! Arguments of `option` and `egtpath`: names and paths that may contain spaces.

use crate::config::split_setting;
use crate::protocol::command::{Command, ParseError};

/// Parses `option NAME=VALUE` or `option NAME`. The name ends at the first `=`. The value is the rest of the line,
/// including spaces and further `=`, and may be empty.
pub fn option(args: &str) -> Result<Command, ParseError> {
    let (name, value) = split_setting(args);
    if name.is_empty() {
        return Err(ParseError::BadArgument);
    }
    Ok(Command::Option {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    })
}

/// Parses `egtpath TYPE PATH`. The path is the rest of the line; an empty path disables the tablebases.
pub fn tablebase_path(args: &str) -> Result<Command, ParseError> {
    let (kind, path) = args.split_once(char::is_whitespace).unwrap_or((args, ""));
    if kind.is_empty() {
        return Err(ParseError::BadArgument);
    }
    Ok(Command::TablebasePath {
        kind: kind.to_owned(),
        path: path.trim_start().to_owned(),
    })
}
