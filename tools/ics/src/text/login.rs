//! Messages during the login, and on the session.

use super::line::LoginLine;
use super::line::ServerLine;
use super::words::{name, name_between, parenthesis, quoted_name, whole};
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{recognize, rest};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded, terminated};

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    // One message is indented by a single blank. Wider indents belong to the texts of stored messages.
    let line = line.strip_prefix(' ').unwrap_or(line);
    started(line)
        .or_else(|| stars(line))
        .or_else(|| account(line))
        .or_else(|| refused(line))
        .map(ServerLine::Login)
}

fn started(line: &str) -> Option<LoginLine> {
    let session = delimited(
        tag("**** Starting FICS session as "),
        (name, recognize(many0_count(parenthesis))),
        tag(" ****"),
    );
    whole(session, line).map(|(name, titles)| LoginLine::Started {
        name: name.to_string(),
        titles: titles.to_string(),
    })
}

/// Messages between asterisks.
fn stars(line: &str) -> Option<LoginLine> {
    if line == "**** Invalid password! ****" || line == "Invalid password!" {
        return Some(LoginLine::WrongPassword);
    }
    if name_between(
        line,
        "**** ",
        " has arrived - you can't both be logged in. ****",
    )
    .is_some()
    {
        return Some(LoginLine::SecondLogin);
    }
    for kicked in [
        " is already logged in - kicking them out. ****",
        " is already logged in; kicking them out. ****",
    ] {
        if name_between(line, "**** ", kicked).is_some() {
            return Some(LoginLine::OtherSessionEnded);
        }
    }
    if name_between(line, "*** Sorry ", " is already logged in ***").is_some() {
        return Some(LoginLine::BadName(line.to_string()));
    }
    let begins = |texts: &[&str]| texts.iter().any(|text| line.starts_with(text));
    if begins(&["**** LOGIN TIMEOUT ****", "**** Auto-logout"]) {
        return Some(LoginLine::IdleTimeout(line.to_string()));
    }
    if begins(&[
        "**** Server shutting down",
        "**** Server going down",
        "**** The server is shutting down",
    ]) {
        return Some(LoginLine::ShuttingDown(line.to_string()));
    }
    None
}

/// Answers to the name of an account.
fn account(line: &str) -> Option<LoginLine> {
    let known = |text: &'static str| {
        whole((quoted_name, tag(text), rest), line).map(|(name, _, _)| name.to_string())
    };
    if let Some(name) = known(" is not a registered name.") {
        return Some(LoginLine::NotRegistered(name));
    }
    if let Some(name) = known(" is a registered name.") {
        return Some(LoginLine::Registered(name));
    }
    let entering = terminated(
        preceded(
            alt((
                tag("Press return to enter the server as "),
                tag("Press return to enter the FICS as "),
            )),
            quoted_name,
        ),
        tag(":"),
    );
    whole(entering, line)
        .or_else(|| {
            whole(
                delimited(tag("Logging you in as "), quoted_name, rest),
                line,
            )
        })
        .map(|name| LoginLine::GuestName(name.to_string()))
}

/// Refusals of the connection or of a name. Their wording differs from server to server.
fn refused(line: &str) -> Option<LoginLine> {
    let lower = line.to_ascii_lowercase();
    let begins = |texts: &[&str]| texts.iter().any(|text| lower.starts_with(text));
    let text = || line.to_string();
    if begins(&["sorry, names ", "a name should be at least "]) {
        return Some(LoginLine::BadName(text()));
    }
    let banned = whole((tag("Player "), quoted_name, tag(" is banned.")), line).is_some();
    if banned
        || begins(&[
            "due to abus",
            "sorry, guest",
            "sorry, unregistered",
            "guests are not allowed",
        ])
    {
        return Some(LoginLine::Banned(text()));
    }
    let full = begins(&["sorry", "the server is"])
        && ["full", "too many", "limit"]
            .iter()
            .any(|word| lower.contains(word));
    if full || begins(&["server is full", "server full"]) {
        return Some(LoginLine::ServerFull(text()));
    }
    if begins(&[
        "logging you out.",
        "thank you for using",
        "thank you for playing",
    ]) {
        return Some(LoginLine::LoggedOut);
    }
    None
}
