//! Messages of other users.

use super::line::ServerLine;
use super::line::{Chat, ChatKind};
use super::words::{Parsed, name, number, parenthesis, whole};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, multispace0};
use nom::combinator::{map, opt, recognize, rest, value};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};

/// Ways of sending that a line names after the name of the sender.
const VERBS: [(&str, ChatKind); 6] = [
    (" tells you:", ChatKind::Tell),
    (" says:", ChatKind::Say),
    (" kibitzes:", ChatKind::Kibitz),
    (" whispers:", ChatKind::Whisper),
    (" shouts:", ChatKind::Shout),
    (" c-shouts:", ChatKind::ChessShout),
];

/// Parses a line that begins like a message of a user. The text after that beginning is not looked at.
pub(super) fn parse(line: &str) -> Option<ServerLine> {
    whole(alt((direct, channel, emote, announcement)), line).map(ServerLine::Chat)
}

/// Message with a verb: `Rabbit(C)(1200)[5] kibitzes: hello`.
fn direct(input: &str) -> Parsed<'_, Chat> {
    let (input, (from, titles)) = sender(input)?;
    let (input, game) = opt(delimited(char('['), number, char(']'))).parse(input)?;
    let (input, partner) = opt(tag(" (your partner)")).parse(input)?;
    let (input, kind) = verb(input)?;
    let kind = match (partner, kind) {
        (Some(_), ChatKind::Tell) => ChatKind::PartnerTell,
        _ => kind,
    };
    map(rest, |text| chat(from, titles, kind, game, text)).parse(input)
}

fn verb(input: &str) -> Parsed<'_, ChatKind> {
    for (text, kind) in VERBS {
        if let Ok(found) = value(kind, tag::<_, _, nom::error::Error<&str>>(text)).parse(input) {
            return Ok(found);
        }
    }
    nom::combinator::fail().parse(input)
}

/// Message in a channel: `Rabbit(TD)(53): hello`.
fn channel(input: &str) -> Parsed<'_, Chat> {
    let (input, (from, parts)) = sender(input)?;
    let (input, _) = char(':').parse(input)?;
    let number = parts
        .rfind('(')
        .and_then(|start| Some((start, parts.get(start + 1..parts.len() - 1)?.parse().ok()?)));
    match number {
        Some((start, number)) => {
            let titles = parts.get(..start).unwrap_or_default();
            map(rest, |text| {
                chat(from, titles, ChatKind::Channel(number), None, text)
            })
            .parse(input)
        }
        None => nom::combinator::fail().parse(input),
    }
}

/// Message of `it`: `--> Rabbit hops.` or `--> Rabbit's ears move.`.
fn emote(input: &str) -> Parsed<'_, Chat> {
    let (input, (from, titles)) = preceded(tag("--> "), sender).parse(input)?;
    map(rest, |text| chat(from, titles, ChatKind::Shout, None, text)).parse(input)
}

/// Announcement of an administrator. Servers indent it.
fn announcement(input: &str) -> Parsed<'_, Chat> {
    let opening = alt((
        tag("**ANNOUNCEMENT** from "),
        tag("**UNREG ANNOUNCEMENT** from "),
    ));
    let (input, (from, titles)) = preceded((multispace0, opening), sender).parse(input)?;
    let (input, _) = char(':').parse(input)?;
    map(rest, |text| {
        chat(from, titles, ChatKind::Announcement, None, text)
    })
    .parse(input)
}

/// Name and the parts in parentheses that follow it: titles, and a rating or a number of a channel.
fn sender(input: &str) -> Parsed<'_, (&str, &str)> {
    (name, recognize(many0_count(parenthesis))).parse(input)
}

fn chat(from: &str, titles: &str, kind: ChatKind, game: Option<u32>, text: &str) -> Chat {
    Chat {
        from: from.to_string(),
        titles: titles.to_string(),
        kind,
        game,
        text: text.strip_prefix(' ').unwrap_or(text).to_string(),
    }
}
