//! The answer to `finger`.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::rest;
use nom::multi::many0;
use nom::sequence::preceded;

use super::line::{Finger, ServerLine};
use super::words::{name, name_then, parenthesis, whole};

/// Title of a guest.
const GUEST: &str = "U";

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    let heading = alt((tag("Finger of "), tag("Statistics for ")));
    let of = (preceded(heading, name), many0(parenthesis), rest);
    if let Some((name, titles, rest)) = whole(of, line)
        && (rest.is_empty() || rest.starts_with([' ', ':']))
    {
        let name = name.to_string();
        let is_guest = titles.contains(&GUEST);
        return Some(ServerLine::Finger(if is_guest {
            Finger::NotRegistered(name)
        } else {
            Finger::Of(name)
        }));
    }
    name_then(line, " is NOT a registered player.")
        .map(|name| ServerLine::Finger(Finger::NotRegistered(name.to_string())))
}
