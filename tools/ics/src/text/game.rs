//! Announcements of games and their results.

use super::challenge;
use super::line::{Creating, ServerLine};
use super::line::{GameEnd, GameNotice, GameResult, GameStart};
use super::words::{Parsed, name, name_then, number, rated_word, signed, whole};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while};
use nom::character::complete::char;
use nom::combinator::{opt, rest, value, verify};
use nom::multi::many1_count;
use nom::sequence::{delimited, preceded, terminated};

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    whole(start, line)
        .map(ServerLine::GameStart)
        .or_else(|| whole(end, line).map(ServerLine::GameEnd))
        .or_else(|| creating(line).map(ServerLine::Creating))
        .or_else(|| notice(line).map(ServerLine::GameNotice))
}

/// Opening of the announcements: `{Game 5 (Rabbit vs. Fox) `.
fn opening(input: &str) -> Parsed<'_, (u32, &str, &str)> {
    (
        preceded(tag("{Game "), number),
        preceded(tag(" ("), name),
        delimited(tag(" vs. "), name, tag(") ")),
    )
        .parse(input)
}

fn start(input: &str) -> Parsed<'_, GameStart> {
    let (input, (game, white, black)) = opening(input)?;
    let (input, continued) = alt((
        value(false, tag("Creating ")),
        value(true, tag("Continuing ")),
    ))
    .parse(input)?;
    let (input, rated) = opt(rated_word).parse(input)?;
    let (input, kind) = terminated(take_while(|c| c != '}' && c != '.'), tag(".}")).parse(input)?;
    let kind = ["match", "simul", "game"]
        .iter()
        .find_map(|last| kind.strip_suffix(last))
        .unwrap_or(kind);
    let start = GameStart {
        game,
        white: white.to_string(),
        black: black.to_string(),
        continued,
        rated,
        kind: kind.trim().to_ascii_lowercase(),
    };
    Ok((input, start))
}

fn end(input: &str) -> Parsed<'_, GameEnd> {
    let (input, (game, white, black)) = opening(input)?;
    let ending = |(reason, _): &(&str, GameResult)| {
        !reason.starts_with("Creating ") && !reason.starts_with("Continuing ")
    };
    let (input, (reason, result)) = verify(reason_and_result, ending).parse(input)?;
    // Some servers add the terms of the game for the programs that direct tournaments.
    let terms = delimited(tag(" ["), many1_count((signed, opt(char(' ')))), char(']'));
    let (input, _) = opt(terms).parse(input)?;
    let end = GameEnd {
        game,
        white: white.to_string(),
        black: black.to_string(),
        reason: reason.trim_end_matches('.').to_string(),
        result,
    };
    Ok((input, end))
}

/// Reason, closing brace and result: `Rabbit resigns} 0-1`.
pub(super) fn reason_and_result(input: &str) -> Parsed<'_, (&str, GameResult)> {
    (
        terminated(take_until("}"), tag("} ")),
        alt((
            value(GameResult::WhiteWins, tag("1-0")),
            value(GameResult::BlackWins, tag("0-1")),
            value(GameResult::Draw, tag("1/2-1/2")),
            value(GameResult::None, char('*')),
        )),
    )
        .parse(input)
}

/// `Creating: Rabbit (1200) Fox (++++) unrated blitz 5 0`.
fn creating(line: &str) -> Option<Creating> {
    let text = line
        .strip_prefix("Creating: ")
        .or_else(|| line.strip_prefix("Continuing: "))?;
    let (white, _, black, terms, adjourned) = whole(challenge::players_and_terms, text)?;
    Some(Creating {
        white,
        black,
        adjourned: adjourned || line.starts_with("Continuing"),
        terms,
    })
}

fn notice(line: &str) -> Option<GameNotice> {
    let numbered = whole(
        (delimited(tag("Game "), number::<u32>, tag(": ")), rest),
        line,
    );
    match numbered.map_or(line, |(_, text)| text) {
        "Game clock paused." => return Some(GameNotice::Paused),
        "Game clock resumed." => return Some(GameNotice::Unpaused),
        _ => {}
    }
    if name_then(line, " accepted pause. Game clock paused.").is_some() {
        return Some(GameNotice::Paused);
    }
    if whole(
        (
            tag("Disconnecting you from game number "),
            number::<u32>,
            char('.'),
        ),
        line,
    )
    .is_some()
    {
        return Some(GameNotice::NoLongerPlaying);
    }
    if line.starts_with("Your opponent has lost contact or quit") {
        return Some(GameNotice::OpponentDisconnected);
    }
    let added = whole(
        delimited(
            tag("Your opponent has added "),
            number,
            tag(" seconds to your clock."),
        ),
        line,
    );
    if let Some(seconds) = added.or_else(|| {
        whole(
            terminated(number, tag(" seconds were added to your clock.")),
            line,
        )
    }) {
        return Some(GameNotice::TimeAdded(seconds));
    }
    let backed_up = (
        delimited(tag("Game "), number::<u32>, tag(": ")),
        name,
        delimited(
            tag(" backs up "),
            number,
            alt((tag(" moves."), tag(" move."))),
        ),
    );
    if let Some((_, _, count)) = whole(backed_up, line) {
        return Some(GameNotice::TakenBack(count));
    }
    let lagged = (
        name,
        tag(" has lagged for "),
        number::<u32>,
        tag(" seconds."),
    );
    if numbered.is_some_and(|(_, text)| whole(lagged, text).is_some()) {
        return Some(GameNotice::Other(line.to_string()));
    }
    let others = [
        "No ratings adjustment done",
        "Your opponent has aborted the game rather than calling your flag",
        "Your opponent has adjourned the game rather than calling your flag",
        "Since you have time, and your opponent has none, the game has been",
    ];
    let other = others.iter().any(|text| line.starts_with(text));
    other.then(|| GameNotice::Other(line.to_string()))
}
