//! Offers of games, their terms, and seeks.

use super::line::ServerLine;
use super::line::{Challenge, ChallengeNotice, GameTerms, Player, Seek};
use super::words::{
    Parsed, blanks, name, name_between, name_then, number, parenthesis, rated_word, rating, whole,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till};
use nom::character::complete::char;
use nom::combinator::{map, opt, rest, value, verify};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded, terminated};

/// Kind that is appended for a game in which the sides have different times.
const ODDS: &str = " (odds)";

pub(super) fn parse(line: &str) -> Option<ServerLine> {
    challenge(line)
        .map(ServerLine::Challenge)
        .or_else(|| notice(line).map(ServerLine::ChallengeNotice))
        .or_else(|| seek(line).map(ServerLine::Seek))
        .or_else(|| arrival(line))
}

fn challenge(line: &str) -> Option<Challenge> {
    let text = line.strip_prefix("Challenge: ")?;
    let (from, from_is_white, to, terms, adjourned) = whole(players_and_terms, text)?;
    Some(Challenge {
        from,
        to,
        from_is_white,
        terms,
        adjourned,
    })
}

/// Result of [`players_and_terms`]: both players, the colour of the first one, the terms, and the mark for an
/// adjourned game.
type Offer = (Player, Option<bool>, Player, GameTerms, bool);

/// Parses `Rabbit (1200) [white] Fox (++++) unrated blitz 5 0 (adjourned).`.
pub(super) fn players_and_terms(input: &str) -> Parsed<'_, Offer> {
    let (input, first) = player(input)?;
    let (input, color) = opt(preceded(blanks, color)).parse(input)?;
    let (input, second) = preceded(blanks, player).parse(input)?;
    let (input, terms) = opt(preceded(blanks, terms)).parse(input)?;
    let (input, adjourned) = opt((blanks, tag("(adjourned)"))).parse(input)?;
    let (input, _) = opt(char('.')).parse(input)?;
    match (terms, adjourned.is_some()) {
        (Some(terms), adjourned) => Ok((input, (first, color, second, terms, adjourned))),
        (None, true) => Ok((input, (first, color, second, no_terms(), true))),
        (None, false) => nom::combinator::fail().parse(input),
    }
}

fn no_terms() -> GameTerms {
    GameTerms {
        rated: false,
        kind: String::new(),
        base: None,
        increment: 0,
        private: false,
    }
}

/// Name and rating. In seeks, the titles of the user may stand between them: `Rabbit(C) (1200)`.
fn player(input: &str) -> Parsed<'_, Player> {
    let bare = map((name, opt(char(' ')), rating), |(name, _, rating)| {
        (name, rating)
    });
    let titled = map(
        (name, many0_count(parenthesis), char(' '), rating),
        |(name, _, _, rating)| (name, rating),
    );
    map(alt((bare, titled)), |(name, rating)| Player {
        name: name.to_string(),
        rating,
    })
    .parse(input)
}

/// Colour of the challenger: `true` for White.
fn color(input: &str) -> Parsed<'_, bool> {
    alt((value(true, tag("[white]")), value(false, tag("[black]")))).parse(input)
}

/// Parses `unrated blitz 5 0`, `rated wild 5 0 Loaded from wild/fr` or `unrated untimed`.
fn terms(input: &str) -> Parsed<'_, GameTerms> {
    let (input, rated) = rated_word(input)?;
    let (input, named) = kind(input)?;
    let (input, first) = opt(preceded(blanks, times)).parse(input)?;
    let (input, odds) = opt(preceded(tag(" : "), times)).parse(input)?;
    let (input, loaded) = opt(preceded(tag(" Loaded from "), kind)).parse(input)?;
    let (input, private) = opt((blanks, tag("private"))).parse(input)?;
    let mut kind = loaded
        .unwrap_or(named)
        .trim_end_matches('.')
        .to_ascii_lowercase();
    if odds.is_some() {
        kind.push_str(ODDS);
    }
    let terms = GameTerms {
        rated,
        kind,
        base: first.map(|(base, _)| base),
        increment: first.map_or(0, |(_, increment)| increment),
        private: private.is_some(),
    };
    Ok((input, terms))
}

/// Minutes and seconds: `5 0`.
fn times(input: &str) -> Parsed<'_, (u32, u32)> {
    (terminated(number, blanks), number).parse(input)
}

/// Kind of game, such as `blitz` or `wild/fr`.
fn kind(input: &str) -> Parsed<'_, &str> {
    verify(
        take_till(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_'))),
        |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic()),
    )
    .parse(input)
}

fn notice(line: &str) -> Option<ChallengeNotice> {
    by_name(line)
        .or_else(|| joined(line))
        .or_else(|| matched(line))
        .or_else(|| issued(line))
        .or_else(|| partner(line))
}

/// Notices that consist of a name and a fixed text.
fn by_name(line: &str) -> Option<ChallengeNotice> {
    type Make = fn(String) -> ChallengeNotice;
    let texts: [(&str, Make); 13] = [
        (" withdraws the match offer.", ChallengeNotice::Withdrawn),
        (" declines the match offer.", ChallengeNotice::Declined),
        (" declines your match offer.", ChallengeNotice::Declined),
        (
            " declines your match offer a match with these parameters:",
            ChallengeNotice::Declined,
        ),
        (" accepts your challenge.", ChallengeNotice::Accepted),
        (" accepts the match offer.", ChallengeNotice::Accepted),
        (" accepts your match offer.", ChallengeNotice::Accepted),
        (" accepts your seek.", ChallengeNotice::Accepted),
        (
            ", who was challenging you, has started examining a game.",
            ChallengeNotice::Gone,
        ),
        (
            ", whom you were challenging, has started examining a game.",
            ChallengeNotice::Gone,
        ),
        (" updates the match request.", ChallengeNotice::Updated),
        (
            ", who was challenging you, has departed.",
            ChallengeNotice::Gone,
        ),
        (
            ", whom you were challenging, has departed.",
            ChallengeNotice::Gone,
        ),
    ];
    let found = texts
        .iter()
        .find_map(|(text, make)| name_then(line, text).map(|name| make(name.to_string())));
    found
        .or_else(|| {
            name_between(line, "Challenge from ", " removed.")
                .map(|name| ChallengeNotice::Gone(name.into()))
        })
        .or_else(|| {
            name_between(line, "Challenge to ", " withdrawn.")
                .map(|name| ChallengeNotice::Gone(name.into()))
        })
}

/// `Rabbit, who was challenging you, has joined a match with Fox.`
fn joined(line: &str) -> Option<ChallengeNotice> {
    let relation = alt((
        tag(", who was challenging you, has joined a match with "),
        tag(", who was challenging you, has joined a game with "),
        tag(", whom you were challenging, has joined a game with "),
        tag(", whom you were challenging, has joined a match with "),
    ));
    let (from, _, _, _) = whole((name, relation, name, char('.')), line)?;
    Some(ChallengeNotice::Gone(from.to_string()))
}

/// A seek or an offer of this account that meets one of another user, so that a game begins.
fn matched(line: &str) -> Option<ChallengeNotice> {
    let texts = [
        ("Your seek matches one already posted by ", "."),
        ("Your seek matches one posted by ", "."),
        ("Your seek qualifies for ", "'s getgame."),
        ("Your seek intercepts ", "'s getgame."),
        ("Your challenge intercepts ", "'s challenge."),
    ];
    let name = texts
        .iter()
        .find_map(|(before, after)| name_between(line, before, after))?;
    Some(ChallengeNotice::Accepted(name.to_string()))
}

/// `Issuing: Gaur (1200) Rabbit (1100) rated blitz 5 0.`
fn issued(line: &str) -> Option<ChallengeNotice> {
    let text = line
        .strip_prefix("Issuing: ")
        .or_else(|| line.strip_prefix("Updating match request to: "))?;
    let (_, _, to, _, adjourned) = whole(players_and_terms, text)?;
    Some(ChallengeNotice::Issued {
        to: to.name,
        adjourned,
    })
}

/// Partner of an adjourned game, at its login or at that of this account.
fn partner(line: &str) -> Option<ChallengeNotice> {
    let arrived = name_between(
        line,
        "Notification: ",
        ", who has an adjourned game with you, has arrived.",
    );
    let online = alt((
        tag(", who has an adjourned game with you, is online:"),
        tag(", who have an adjourned game with you, are online:"),
    ));
    if let Some(name) = arrived {
        return Some(ChallengeNotice::PresentPartners(vec![name.to_string()]));
    }
    let counted = (
        number::<u32>,
        alt((tag(" players"), tag(" player"))),
        online,
        rest,
    );
    let (count, _, _, listed) = whole(counted, line)?;
    let listed: Vec<String> = names(listed).into_iter().map(str::to_string).collect();
    Some(match listed.is_empty() {
        false => ChallengeNotice::PresentPartners(listed),
        true => ChallengeNotice::AdjournedPartners(count),
    })
}

/// Names of a line that consists of nothing else; empty for any other line.
pub(super) fn names(line: &str) -> Vec<&str> {
    let names: Option<Vec<&str>> = line
        .split_ascii_whitespace()
        .map(|word| whole(name, word))
        .collect();
    names.unwrap_or_default()
}

fn seek(line: &str) -> Option<Seek> {
    if matches!(
        line,
        "Your seeks have been removed." | "Your seek has been removed."
    ) || whole((tag("Ads removed: "), number::<u32>), line).is_some()
    {
        return Some(Seek::Removed);
    }
    if line == "Your seek has been posted." {
        return Some(Seek::Posted(0));
    }
    let updated = (
        tag("Updating seek ad "),
        number,
        opt(char(';')),
        char(' '),
        rest,
    );
    if let Some((_, number, ..)) = whole(updated, line) {
        return Some(Seek::Posted(number));
    }
    let posted = delimited(
        tag("Your seek has been posted with index "),
        number,
        char('.'),
    );
    if let Some(number) = whole(posted, line) {
        return Some(Seek::Posted(number));
    }
    whole(offered, line)
}

/// `Rabbit (1200) seeking 5 0 unrated blitz [white] m f ("play 45" to respond)`.
fn offered(input: &str) -> Parsed<'_, Seek> {
    let (input, from) = player(input)?;
    let (input, (base, increment)) = preceded(tag(" seeking "), times).parse(input)?;
    let (input, rated) = preceded(blanks, rated_word).parse(input)?;
    let (input, kind) = kind(input)?;
    let (input, from_is_white) = opt(preceded(blanks, color)).parse(input)?;
    let (input, _) = many0_count(preceded(blanks, alt((char('m'), char('f'))))).parse(input)?;
    let (input, number) =
        delimited(tag(" (\"play "), number, tag("\" to respond)")).parse(input)?;
    let seek = Seek::Offered {
        number,
        from,
        from_is_white,
        terms: GameTerms {
            rated,
            kind: kind.to_ascii_lowercase(),
            base: (kind != "untimed").then_some(base),
            increment,
            private: false,
        },
    };
    Ok((input, seek))
}

/// Arrival or departure of a user in a list of this account.
fn arrival(line: &str) -> Option<ServerLine> {
    let text = line.strip_prefix("Notification: ")?;
    for arrived in [
        " has arrived.",
        " has arrived and isn't on your notify list.",
    ] {
        if let Some(name) = name_then(text, arrived) {
            return Some(ServerLine::Arrived(name.to_string()));
        }
    }
    for departed in [
        " has departed.",
        " has departed and isn't on your notify list.",
    ] {
        if let Some(name) = name_then(text, departed) {
            return Some(ServerLine::Departed(name.to_string()));
        }
    }
    None
}
