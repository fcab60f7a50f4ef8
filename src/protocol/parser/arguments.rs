//! Splitting a line into command and arguments, and applying argument parsers.

use nom::IResult;
use nom::Parser;
use nom::combinator::all_consuming;

use crate::protocol::command::ParseError;

/// The result of an argument parser.
pub(super) type Parsed<'a, T> = IResult<&'a str, T>;

/// Returns the first word and the trimmed rest. A byte order mark, with which files made on Windows begin, is removed.
pub(super) fn split_verb(line: &str) -> (&str, &str) {
    let line = line.trim_start_matches('\u{feff}').trim();
    match line.split_once(char::is_whitespace) {
        Some((verb, rest)) => (verb, rest.trim_start()),
        None => (line, ""),
    }
}

/// Applies a parser that must consume the whole argument.
pub(super) fn whole<'a, T>(
    args: &'a str,
    parser: impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>>,
) -> Result<T, ParseError> {
    match all_consuming(parser).parse(args) {
        Ok((_, value)) => Ok(value),
        Err(_) => Err(ParseError::BadArgument),
    }
}

/// Returns an argument that must not be empty.
pub(super) fn required_text(args: &str) -> Result<String, ParseError> {
    if args.is_empty() {
        Err(ParseError::BadArgument)
    } else {
        Ok(args.to_owned())
    }
}
