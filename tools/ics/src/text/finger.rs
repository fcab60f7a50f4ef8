//! The answer to `finger`.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::rest;
use nom::multi::many0_count;
use nom::sequence::preceded;

use super::line::{Finger, ServerLine};
use super::words::{name, name_then, parenthesis, whole};

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    let heading = alt((tag("Finger of "), tag("Statistics for ")));
    let of = (preceded(heading, name), many0_count(parenthesis), rest);
    if let Some((name, _, rest)) = whole(of, line)
        && (rest.is_empty() || rest.starts_with([' ', ':']))
    {
        return Some(ServerLine::Finger(Finger::Of(name.to_string())));
    }
    name_then(line, " is NOT a registered player.")
        .map(|name| ServerLine::Finger(Finger::NotRegistered(name.to_string())))
}
