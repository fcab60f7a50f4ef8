//! Lines of an engine, parsed. Unknown lines have no meaning, and no line is an error.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, tag_no_case, take_till, take_till1, take_while};
use nom::character::complete::{char, digit1, i64, space0, space1, u32, u64};
use nom::combinator::{eof, map, opt, peek, recognize, rest, value};
use nom::multi::many0;
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{IResult, Parser};

use super::types::{EngineTell, Thinking};

/// Line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EngineLine {
    /// Names and values of features.
    Features(Vec<(String, String)>),
    Move(String, MoveForm),
    OfferDraw,
    Resign,
    Result {
        result: String,
        comment: String,
    },
    Tell(EngineTell),
    Thinking(Thinking),
    /// Error message, and the command or move that it is about.
    Error {
        text: String,
        about: String,
    },
    Pong(u32),
    /// Comment, empty line or text without a meaning.
    Other,
}

/// Form in which an engine prints its moves. Some engines print each move in several forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MoveForm {
    /// `My move is: e2e4`, meant for people.
    Sentence,
    /// `1. ... e2e4`, of the first version of the protocol.
    Numbered,
    /// `move e2e4`
    Move,
}

/// Reads a line without its end.
pub(super) fn parse(line: &str) -> EngineLine {
    let line = line.trim();
    let parsed: IResult<&str, EngineLine> =
        alt((features, played, claim, message, pong, error, thinking)).parse(line);
    parsed.map_or(EngineLine::Other, |(_, line)| line)
}

/// Reads the end of a word: white space or the end of the line.
fn boundary(input: &str) -> IResult<&str, &str> {
    alt((eof, peek(space1))).parse(input)
}

fn word(input: &str) -> IResult<&str, &str> {
    take_till1(char::is_whitespace).parse(input)
}

fn features(input: &str) -> IResult<&str, EngineLine> {
    let (input, _) = (tag("feature"), space1).parse(input)?;
    let (input, pairs) = many0(delimited(
        space0,
        alt((map(feature, Some), value(None, word))),
        space0,
    ))
    .parse(input)?;
    Ok((
        input,
        EngineLine::Features(pairs.into_iter().flatten().collect()),
    ))
}

fn feature(input: &str) -> IResult<&str, (String, String)> {
    let name = take_while(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    let quoted = delimited(char('"'), take_till(|letter| letter == '"'), char('"'));
    let plain = take_till(char::is_whitespace);
    let (rest, (name, value)) =
        separated_pair(name, char('='), alt((quoted, plain))).parse(input)?;
    Ok((rest, (name.to_string(), value.to_string())))
}

/// Reads a move: `move e2e4`, `1. ... e2e4` and `My move is: e2e4`.
fn played(input: &str) -> IResult<&str, EngineLine> {
    let modern = (tag("move"), space1);
    let old = (tag_no_case("my move is"), space0, char(':'), space0);
    let numbered = (digit1, opt(char('.')), space0, tag("..."), space0);
    let form = alt((
        value(MoveForm::Move, modern),
        value(MoveForm::Numbered, numbered),
        value(MoveForm::Sentence, old),
    ));
    map((form, word), |(form, text): (MoveForm, &str)| {
        EngineLine::Move(text.to_string(), form)
    })
    .parse(input)
}

fn claim(input: &str) -> IResult<&str, EngineLine> {
    alt((
        value(
            EngineLine::OfferDraw,
            terminated((tag("offer"), space1, tag("draw")), boundary),
        ),
        value(EngineLine::Resign, terminated(tag("resign"), boundary)),
        old_resignation,
        result,
    ))
    .parse(input)
}

/// Reads resignations in the words of old engines: `computer resigns` and `White resigns`.
fn old_resignation(input: &str) -> IResult<&str, EngineLine> {
    let side = alt((
        tag_no_case("computer"),
        tag_no_case("white"),
        tag_no_case("black"),
    ));
    let resigns = alt((tag_no_case("resigns"), tag_no_case("resign")));
    let (input, (side, _)) =
        separated_pair(side, space1, terminated(resigns, boundary)).parse(input)?;
    let result = match side.to_ascii_lowercase().as_str() {
        "white" => "0-1",
        "black" => "1-0",
        _ => return Ok((input, EngineLine::Resign)),
    };
    let (result, comment) = (result.to_string(), format!("{side} resigns"));
    Ok((input, EngineLine::Result { result, comment }))
}

fn result(input: &str) -> IResult<&str, EngineLine> {
    let (input, result) =
        terminated(alt((tag("1-0"), tag("0-1"), tag("1/2-1/2"))), boundary).parse(input)?;
    let comment = preceded((space0, char('{')), opt(is_not("}")));
    let (input, comment) = opt(comment).parse(input)?;
    let comment = comment.flatten().unwrap_or_default();
    Ok((
        input,
        EngineLine::Result {
            result: result.to_string(),
            comment: comment.trim().to_string(),
        },
    ))
}

fn message(input: &str) -> IResult<&str, EngineLine> {
    // The longer names come first.
    let kind = alt((
        value(
            EngineTell::IcsNoAlias as fn(String) -> EngineTell,
            tag("tellicsnoalias"),
        ),
        value(EngineTell::Ics as fn(String) -> EngineTell, tag("tellics")),
        value(
            EngineTell::Opponent as fn(String) -> EngineTell,
            tag("tellopponent"),
        ),
        value(EngineTell::All as fn(String) -> EngineTell, tag("tellall")),
        value(
            EngineTell::Others as fn(String) -> EngineTell,
            tag("tellothers"),
        ),
        value(
            EngineTell::UserError as fn(String) -> EngineTell,
            tag("tellusererror"),
        ),
        value(
            EngineTell::User as fn(String) -> EngineTell,
            tag("telluser"),
        ),
    ));
    let (input, (kind, text)) = separated_pair(kind, space1, rest).parse(input)?;
    Ok((input, EngineLine::Tell(kind(text.to_string()))))
}

fn pong(input: &str) -> IResult<&str, EngineLine> {
    map(
        preceded((tag("pong"), space1), terminated(u32, boundary)),
        EngineLine::Pong,
    )
    .parse(input)
}

/// Reads `Error (reason): command` and `Illegal move (reason): e2e4`.
fn error(input: &str) -> IResult<&str, EngineLine> {
    let mut start = alt((
        recognize((
            tag_no_case("error"),
            space0,
            peek(alt((char('('), char(':')))),
        )),
        recognize((
            alt((tag_no_case("illegal"), tag_no_case("invalid"))),
            space1,
            tag_no_case("move"),
        )),
    ));
    let (after, _) = start.parse(input)?;
    let about = after.rsplit_once(':').map_or("", |(_, about)| about.trim());
    Ok((
        "",
        EngineLine::Error {
            text: input.to_string(),
            about: about.to_string(),
        },
    ))
}

/// Reads a thinking line: depth, score, time in centiseconds, nodes and moves.
fn thinking(input: &str) -> IResult<&str, EngineLine> {
    let mark = take_while(|letter: char| letter.is_ascii_punctuation() && letter != '-');
    let (input, depth) = terminated(u32, (mark, space1)).parse(input)?;
    let (input, score) = terminated(i64, space1).parse(input)?;
    let (input, _) = (i64, space1, u64, boundary).parse(input)?;
    Ok((
        "",
        EngineLine::Thinking(Thinking {
            depth,
            score: i32::try_from(score).unwrap_or(if score > 0 { i32::MAX } else { i32::MIN }),
            pv: variation(input).to_string(),
        }),
    ))
}

/// Returns the moves of a thinking line. Further numbers may precede them; a tab then separates both.
fn variation(text: &str) -> &str {
    let is_number = |letter: char| letter.is_ascii_digit() || letter == ' ' || letter == '-';
    match text.split_once('\t') {
        Some((numbers, moves)) if numbers.chars().all(is_number) => moves.trim(),
        _ => text.trim(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(line: &str) -> Vec<(String, String)> {
        match parse(line) {
            EngineLine::Features(pairs) => pairs,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn features_have_plain_and_quoted_values() {
        let expected = [
            ("ping", "1"),
            ("myname", "Engine 1.0 = new"),
            ("variants", ""),
            ("done", "1"),
        ];
        let expected = expected.map(|(name, value)| (name.to_string(), value.to_string()));
        let line = "feature ping=1  myname=\"Engine 1.0 = new\" variants=\"\" nonsense done=1";
        assert_eq!(pairs(line), expected);
        assert_eq!(pairs("feature option=\"Clear Hash -button\"").len(), 1);
        // The quotation mark at the end is missing: the words are no features, and the others still count.
        assert!(
            pairs("feature ping=1 myname=\"a b").contains(&("ping".to_string(), "1".to_string()))
        );
    }

    #[test]
    fn moves_have_three_forms() {
        for (line, form) in [
            ("move e7e8q", MoveForm::Move),
            ("My move is: e7e8q", MoveForm::Sentence),
            ("My move is : e7e8q", MoveForm::Sentence),
            ("1. ... e7e8q", MoveForm::Numbered),
            ("12 ... e7e8q", MoveForm::Numbered),
        ] {
            assert_eq!(
                parse(line),
                EngineLine::Move("e7e8q".into(), form),
                "{line}"
            );
        }
        assert_eq!(parse("move"), EngineLine::Other);
        assert_eq!(parse("moves e2e4"), EngineLine::Other);
    }

    #[test]
    fn claims_need_their_exact_words() {
        assert_eq!(parse("resign"), EngineLine::Resign);
        assert_eq!(parse("resigned games: 3"), EngineLine::Other);
        assert_eq!(parse("offer draw"), EngineLine::OfferDraw);
        assert_eq!(
            parse("1/2-1/2 {Draw by repetition}"),
            EngineLine::Result {
                result: "1/2-1/2".into(),
                comment: "Draw by repetition".into()
            }
        );
        assert_eq!(
            parse("0-1"),
            EngineLine::Result {
                result: "0-1".into(),
                comment: String::new()
            }
        );
        assert_eq!(parse("1-0-0"), EngineLine::Other);
        assert_eq!(parse("Computer resigns"), EngineLine::Resign);
        assert_eq!(
            parse("White resigns"),
            EngineLine::Result {
                result: "0-1".into(),
                comment: "White resigns".into()
            }
        );
        assert_eq!(parse("White resigned long ago"), EngineLine::Other);
    }

    #[test]
    fn messages_have_seven_receivers() {
        let text = || "kibitz hello".to_string();
        let expected = [
            ("tellics", EngineTell::Ics(text())),
            ("tellicsnoalias", EngineTell::IcsNoAlias(text())),
            ("tellopponent", EngineTell::Opponent(text())),
            ("tellall", EngineTell::All(text())),
            ("tellothers", EngineTell::Others(text())),
            ("telluser", EngineTell::User(text())),
            ("tellusererror", EngineTell::UserError(text())),
        ];
        for (word, tell) in expected {
            assert_eq!(
                parse(&format!("{word} kibitz hello")),
                EngineLine::Tell(tell)
            );
        }
    }

    #[test]
    fn thinking_lines_may_have_marks_and_more_numbers() {
        let expected = |score, pv: &str| {
            EngineLine::Thinking(Thinking {
                depth: 9,
                score,
                pv: pv.into(),
            })
        };
        assert_eq!(
            parse("9 -35 120 5000 e2e4 e7e5"),
            expected(-35, "e2e4 e7e5")
        );
        assert_eq!(parse(" 9. 35 120 5000 Nf3"), expected(35, "Nf3"));
        assert_eq!(parse("9& 35 120 5000\t1. e4"), expected(35, "1. e4"));
        assert_eq!(
            parse("9 100003 120 5000 14 2000 7\te2e4"),
            expected(100_003, "e2e4")
        );
        assert_eq!(parse("9 -100002 120 5000"), expected(-100_002, ""));
        assert_eq!(parse("9 35 120"), EngineLine::Other);
        assert_eq!(parse("99999999999 1 1 1 e4"), EngineLine::Other);
    }

    #[test]
    fn errors_name_their_command() {
        let error = |text: &str, about: &str| EngineLine::Error {
            text: text.into(),
            about: about.into(),
        };
        let line = "Error (unknown command): undo";
        assert_eq!(parse(line), error(line, "undo"));
        assert_eq!(
            parse("Illegal move: e2e5"),
            error("Illegal move: e2e5", "e2e5")
        );
        assert_eq!(parse("Errors occur"), EngineLine::Other);
    }

    #[test]
    fn other_lines_have_no_meaning() {
        for line in [
            "",
            "# move e2e4",
            "Hello",
            "pong",
            "pong x",
            "\u{e9}\u{0}",
            "feature",
        ] {
            assert_eq!(parse(line), EngineLine::Other, "{line}");
        }
        assert_eq!(parse("pong 7"), EngineLine::Pong(7));
    }
}
