//! Refusals: what the server does not accept from this account.

use super::line::Refusal;
use super::line::ServerLine;
use super::words::{name, name_between, name_then, number, player_name, quoted_name, whole};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::alpha1;
use nom::combinator::{opt, rest};
use nom::sequence::{delimited, preceded, terminated};

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    moved(line)
        .or_else(|| of_player(line))
        .or_else(|| answer(line))
        .or_else(|| command(line))
        .map(ServerLine::Refused)
}

/// Refusals of a move.
fn moved(line: &str) -> Option<Refusal> {
    let text = delimited(tag(" ("), take_till1(|c| c == ')'), tag(")"));
    let illegal = (
        alt((tag("Illegal move"), tag("Ambiguous move"))),
        opt(text),
        tag("."),
        rest,
    );
    if let Some((_, text, _, _)) = whole(illegal, line) {
        return Some(Refusal::IllegalMove(text.unwrap_or_default().to_string()));
    }
    if line == "Don't understand that move." {
        return Some(Refusal::IllegalMove(String::new()));
    }
    let begins = |texts: &[&str]| texts.iter().any(|text| line.starts_with(text));
    if begins(&["It is not your move", "It isn't your turn"]) {
        return Some(Refusal::NotYourMove);
    }
    if begins(&[
        "Game clock is paused, use",
        "The clock is paused, use",
        "The game is paused",
    ]) {
        return Some(Refusal::Paused);
    }
    let no_game = [
        "You are not playing a game.",
        "You are not playing or examining a game.",
        "You are neither playing, observing nor examining a game.",
        "You are not playing, examining, or setting up a game.",
    ];
    no_game.contains(&line).then_some(Refusal::NotPlaying)
}

/// Refusals that name a user.
fn of_player(line: &str) -> Option<Refusal> {
    let absent = [
        whole(
            delimited(tag("No user named "), quoted_name, tag(" is logged in.")),
            line,
        ),
        whole(terminated(player_name, tag(" is not logged in.")), line),
        whole(
            terminated(player_name, tag(" is not a valid handle.")),
            line,
        ),
        name_between(line, "There is no player matching the name ", "."),
        whole(
            delimited(
                tag("Your last opponent, "),
                quoted_name,
                tag(", is not logged in."),
            ),
            line,
        ),
    ];
    if let Some(name) = absent.into_iter().flatten().next() {
        return Some(Refusal::NotLoggedIn(name.to_string()));
    }
    let busy = alt((
        tag(" is involved in another game."),
        tag(" is playing a game."),
        tag(" is examining a game."),
        tag(" is already playing a game."),
    ));
    if let Some(name) = whole(terminated(player_name, busy), line) {
        return Some(Refusal::AlreadyPlaying(name.to_string()));
    }
    let closed = alt((
        tag(" is not open to match requests."),
        tag(" is not open for matches."),
    ));
    if let Some(name) = whole(terminated(player_name, closed), line) {
        return Some(Refusal::NotOpen(name.to_string()));
    }
    let unwanted = name_between(line, "You are on ", "'s noplay list.").is_some()
        || name_between(line, "Match request does not fit formula for ", ":").is_some()
        || whole(terminated(player_name, tag(" is censoring you.")), line).is_some()
        || whole(
            (
                name,
                tag(" only wants to play "),
                alt((tag("rated"), tag("unrated"))),
                tag(" games."),
            ),
            line,
        )
        .is_some()
        || name_then(
            line,
            " is in a tournament, and cannot accept other challenges.",
        )
        .is_some();
    unwanted.then(|| Refusal::NotWanted(line.to_string()))
}

/// Refusals of answers, claims and offers.
fn answer(line: &str) -> Option<Refusal> {
    let begins = |texts: &[&str]| texts.iter().any(|text| line.starts_with(text));
    let word = delimited(tag("There are no "), alpha1, tag(" offers to "));
    let none = whole((word, rest), line).is_some();
    if none
        || begins(&[
            "You have no offers to ",
            "You have no pending offers ",
            "There are no offers to ",
            "There are no pending ",
            "There are no offers pending ",
        ])
    {
        return Some(Refusal::NothingPending);
    }
    if begins(&[
        "Your opponent is not out of time",
        "Opponent is not out of time",
    ]) {
        return Some(Refusal::NotOutOfTime);
    }
    let half_moves = whole(
        (
            tag("There are only "),
            number::<u32>,
            tag(" half moves in your game."),
        ),
        line,
    );
    let not_allowed = half_moves.is_some()
        || begins(&[
            "You cannot flag ",
            "You can't flag ",
            "You can't pause ",
            "You can't takeback ",
            "You can't challenge ",
            "You can't match ",
            "You cannot switch sides ",
            "You cannot challenge ",
            "You can only have ",
            "You have more than one ",
            "You have no active seeks",
            "This server cannot play this game.",
            "Your opponent has requested no takebacks.",
            "You can only make requests ",
            "You are playing a game.",
            "You are already playing ",
            "There are no moves in your game.",
            "There are not so many half moves ",
            "Game is already paused",
            "Game is not paused",
            "Both players must be registered to ",
            "A rated game needs two registered players.",
            "Only registered players ",
            "Unregistered players ",
            "Unregistered users ",
            "That seek is not available.",
            "ERROR: ",
        ]);
    not_allowed.then(|| Refusal::NotAllowed(line.to_string()))
}

/// Commands that the server does not know or cannot carry out.
fn command(line: &str) -> Option<Refusal> {
    let word = take_till1(|c: char| c == ':' || c == ' ');
    if let Some(name) = whole(terminated(word, tag(": Command not found.")), line) {
        return Some(Refusal::UnknownCommand(name.to_string()));
    }
    let word = take_till1(|c: char| c == ':' || c == ' ');
    let failed = alt((tag(": Command has failed."), tag(": Insufficient rights.")));
    let interpret = preceded(tag("Can't interpret "), rest);
    let bad = whole(terminated(word, failed), line).is_some()
        || whole(interpret, line).is_some()
        || [
            "Usage: ",
            "Bad parameters",
            "Ambiguous command",
            "No such category/board: ",
        ]
        .iter()
        .any(|text| line.starts_with(text));
    bad.then(|| Refusal::BadCommand(line.to_string()))
}
