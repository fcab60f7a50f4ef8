//! Offers during a game.

use super::line::ServerLine;
use super::line::{Request, RequestNotice};
use super::words::{Parsed, name, name_then, number, whole};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, value};
use nom::sequence::{delimited, terminated};

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    offer(line)
        .map(|(from, request)| ServerLine::Request {
            from: from.to_string(),
            request,
        })
        .or_else(|| notice(line).map(ServerLine::RequestNotice))
}

fn offer(line: &str) -> Option<(&str, Request)> {
    let texts = [
        (" offers you a draw.", Request::Draw),
        (
            " would like to abort the game; type \"abort\" to accept.",
            Request::Abort,
        ),
        (
            " would like to adjourn the game; type \"adjourn\" to accept.",
            Request::Adjourn,
        ),
        (" requests to pause the game.", Request::Pause),
        (" requests to unpause the game.", Request::Unpause),
        (" would like to switch sides.", Request::Switch),
    ];
    let fixed = texts
        .iter()
        .find_map(|(text, request)| name_then(line, text).map(|name| (name, *request)));
    let takeback = alt((
        delimited(
            tag(" would like to take back "),
            number,
            tag(" half move(s)."),
        ),
        delimited(
            tag(" proposes a different number ("),
            number,
            tag(") of half-move(s)."),
        ),
    ));
    fixed.or_else(|| {
        whole((name, takeback), line).map(|(name, count)| (name, Request::Takeback(count)))
    })
}

/// Word for an offer, as in `the draw request`. A takeback has no number here.
fn word(input: &str) -> Parsed<'_, Request> {
    alt((
        value(Request::Draw, tag("draw")),
        value(Request::Abort, tag("abort")),
        value(Request::Adjourn, tag("adjourn")),
        value(Request::Takeback(0), tag("takeback")),
        value(Request::Pause, tag("pause")),
        value(Request::Unpause, tag("unpause")),
        value(Request::Switch, alt((tag("switch sides"), tag("switch")))),
    ))
    .parse(input)
}

/// Answer of the opponent.
#[derive(Clone, Copy)]
enum Answer {
    Declines,
    Withdraws,
    Accepts,
}

fn notice(line: &str) -> Option<RequestNotice> {
    let answer = alt((
        value(
            Answer::Declines,
            alt((tag(" declines "), tag(" has declined "))),
        ),
        value(
            Answer::Withdraws,
            alt((tag(" withdraws "), tag(" has withdrawn "))),
        ),
        value(
            Answer::Accepts,
            alt((tag(" accepts "), tag(" has accepted "))),
        ),
    ));
    let request = delimited(opt(tag("the ")), word, tag(" request."));
    if let Some((from, answer, request)) = whole((name, answer, request), line) {
        let from = from.to_string();
        return Some(match answer {
            Answer::Declines => RequestNotice::Declined { from, request },
            Answer::Withdraws => RequestNotice::Withdrawn { from, request },
            Answer::Accepts => RequestNotice::Accepted { from, request },
        });
    }
    let removed = delimited(
        tag("You decline the "),
        terminated(word, tag(" request from ")),
        (name, tag(".")),
    );
    whole(removed, line)
        .map(RequestNotice::Removed)
        .or_else(|| sent(line).map(RequestNotice::Sent))
}

/// `Draw request sent.`
fn sent(line: &str) -> Option<Request> {
    let line = line.to_ascii_lowercase();
    whole(
        delimited(opt(tag("alternate ")), word, tag(" request sent.")),
        line.as_str(),
    )
}
