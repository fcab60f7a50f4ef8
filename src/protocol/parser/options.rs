//! `option` and `egtpath`: names and paths that may hold blanks.

use crate::protocol::command::{Command, ParseError};

/// `option NAME=VALUE` or `option NAME`. The name ends at the first `=`; the value is the rest of the
/// line, blanks and further `=` included, and may be empty.
pub fn option(args: &str) -> Result<Command, ParseError> {
    let (name, value) = match args.split_once('=') {
        Some((name, value)) => (name.trim_end(), Some(value.to_owned())),
        None => (args, None),
    };
    if name.is_empty() {
        return Err(ParseError::BadArgument);
    }
    Ok(Command::Option {
        name: name.to_owned(),
        value,
    })
}

/// `egtpath TYPE PATH`: the path is the rest of the line; an empty one switches the tables off.
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
