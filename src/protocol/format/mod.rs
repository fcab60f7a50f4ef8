//! Conversion of a [`Reply`] to one or more lines of text.

mod highlight;
mod invisible;
mod sanitize;
mod thinking;

use crate::notation::write_coordinate;
use crate::protocol::features;
use crate::protocol::reply::{ErrorKind, Recipient, Reply};
use crate::rules::{DrawReason, Outcome};
use crate::types::Color;

pub use invisible::{escape_invisible, is_invisible};
pub use sanitize::sanitize;
use sanitize::{echo, excerpt, for_server};

/// Returns complete lines, each with its line end. Only [`Reply::Console`] is not sanitized.
pub fn write(reply: &Reply) -> String {
    match reply {
        Reply::Features(values) => whole_lines(&features::lines(values)),
        Reply::OptionsAgain(values) => whole_lines(&features::options_again(values)),
        Reply::Pong(number) => format!("pong {}\n", echo(number)),
        Reply::Move(mv, variant) => format!("move {}\n", write_coordinate(*mv, *variant)),
        Reply::IllegalMove(text) => format!("Illegal move: {}\n", echo(text)),
        Reply::Error { kind, line } => format!("Error ({}): {}\n", error_text(*kind), echo(line)),
        Reply::Result(outcome) => format!("{}\n", result_text(*outcome)),
        Reply::Resign => "resign\n".to_owned(),
        Reply::OfferDraw => "offer draw\n".to_owned(),
        Reply::Thinking {
            info,
            variant,
            all_columns,
        } => thinking::thinking_line(info, *variant, *all_columns),
        Reply::BookLine {
            line,
            variant,
            all_columns,
        } => thinking::book_line(line, *variant, *all_columns),
        Reply::Status(status, variant) => thinking::status_line(status, *variant),
        Reply::Hint(mv, variant) => format!("Hint: {}\n", write_coordinate(*mv, *variant)),
        Reply::Highlight(marks) => highlight::highlight_line(marks),
        Reply::PromotionChoice => "choice QRBN\n".to_owned(),
        Reply::Book(lines) => book(lines),
        Reply::IllegalPosition { fen, reason } => format!(
            "tellusererror Illegal position: {} ({})\n",
            excerpt(fen),
            sanitize(reason)
        ),
        Reply::TellUserError(text) => format!("tellusererror {}\n", sanitize(text)),
        Reply::TellUser(text) => format!("telluser {}\n", sanitize(text)),
        Reply::Tell { recipient, text } => {
            format!("{} {}\n", tell_command(*recipient), for_server(text))
        }
        Reply::Debug(text) => text
            .lines()
            .map(|line| format!("# {}\n", sanitize(line)))
            .collect(),
        Reply::Console(text) if text.ends_with('\n') => text.clone(),
        Reply::Console(text) => format!("{text}\n"),
    }
}

fn whole_lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

impl std::fmt::Display for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&write(self))
    }
}

const fn error_text(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnknownCommand => "unknown command",
        ErrorKind::NotLegalNow => "command not legal now",
        ErrorKind::BadArgument => "bad argument",
        ErrorKind::AmbiguousMove => "ambiguous move",
        ErrorKind::UnknownOption => "unknown option",
        ErrorKind::UnknownVariant => "unknown variant",
        ErrorKind::LineTooLong => "line too long",
        ErrorKind::OtherProtocol => "Gaur speaks the xboard protocol, not UCI",
    }
}

const fn tell_command(recipient: Recipient) -> &'static str {
    match recipient {
        Recipient::Opponent => "tellopponent",
        Recipient::Everybody => "tellall",
        Recipient::Observers => "tellothers",
    }
}

const fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Mate {
            winner: Color::White,
        } => "1-0 {White mates}",
        Outcome::Mate {
            winner: Color::Black,
        } => "0-1 {Black mates}",
        Outcome::Draw(DrawReason::Stalemate) => "1/2-1/2 {Stalemate}",
        Outcome::Draw(DrawReason::Repetition) => "1/2-1/2 {Draw by repetition}",
        Outcome::Draw(DrawReason::FiftyMoves) => "1/2-1/2 {50-move rule}",
        Outcome::Draw(DrawReason::InsufficientMaterial) => "1/2-1/2 {Insufficient material}",
    }
}

/// Returns lines that begin with a space, and an empty last line.
fn book(lines: &[String]) -> String {
    let mut text: String = lines
        .iter()
        .map(|line| format!(" {}\n", sanitize(line.trim())))
        .collect();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::OptionValues;
    use crate::rules::Variant;
    use crate::types::{Move, MoveKind, Square};

    fn square(name: &str) -> Square {
        Square::from_name(name).expect("a square")
    }

    fn error(kind: ErrorKind, line: &str) -> String {
        write(&Reply::Error {
            kind,
            line: line.into(),
        })
    }

    fn illegal(text: &str) -> String {
        write(&Reply::IllegalMove(text.to_owned()))
    }

    #[test]
    fn one_line_replies() {
        let mv = Move::new(square("e2"), square("e4"), MoveKind::DoublePush);
        for (reply, line) in [
            (Reply::Pong("007".into()), "pong 007\n"),
            (Reply::Move(mv, Variant::Standard), "move e2e4\n"),
            (Reply::Hint(mv, Variant::Standard), "Hint: e2e4\n"),
            (Reply::Resign, "resign\n"),
            (Reply::OfferDraw, "offer draw\n"),
            (
                Reply::TellUserError("no such folder".into()),
                "tellusererror no such folder\n",
            ),
            (
                Reply::IllegalPosition {
                    fen: " 8/8\n/8 w ".into(),
                    reason: "too short".into(),
                },
                "tellusererror Illegal position: 8/8./8 w (too short)\n",
            ),
            (
                Reply::TellUser("no tables\nthere".into()),
                "telluser no tables.there\n",
            ),
            (Reply::Debug("one\ntwo".into()), "# one\n# two\n"),
            (Reply::Console("a\n b".into()), "a\n b\n"),
            (Reply::Console("a\n".into()), "a\n"),
        ] {
            assert_eq!(write(&reply), line);
            assert_eq!(reply.to_string(), line);
        }
    }

    #[test]
    fn results_use_the_words_of_the_protocol() {
        for (outcome, line) in [
            (
                Outcome::Mate {
                    winner: Color::White,
                },
                "1-0 {White mates}\n",
            ),
            (
                Outcome::Mate {
                    winner: Color::Black,
                },
                "0-1 {Black mates}\n",
            ),
            (
                Outcome::Draw(DrawReason::Stalemate),
                "1/2-1/2 {Stalemate}\n",
            ),
            (
                Outcome::Draw(DrawReason::Repetition),
                "1/2-1/2 {Draw by repetition}\n",
            ),
            (
                Outcome::Draw(DrawReason::FiftyMoves),
                "1/2-1/2 {50-move rule}\n",
            ),
            (
                Outcome::Draw(DrawReason::InsufficientMaterial),
                "1/2-1/2 {Insufficient material}\n",
            ),
        ] {
            assert_eq!(write(&Reply::Result(outcome)), line);
        }
    }

    #[test]
    fn features_are_lines() {
        let text = write(&Reply::Features(OptionValues::default()));
        assert!(text.lines().all(|line| line.starts_with("feature ")));
        assert!(text.ends_with("feature done=1\n"));
    }

    #[test]
    fn errors_contain_their_kind_and_the_line() {
        use ErrorKind::*;
        for (kind, line, printed) in [
            (
                UnknownCommand,
                "frobnicate 3",
                "Error (unknown command): frobnicate 3\n",
            ),
            (NotLegalNow, "undo", "Error (command not legal now): undo\n"),
            (BadArgument, "level x", "Error (bad argument): level x\n"),
            (AmbiguousMove, "Nd2", "Error (ambiguous move): Nd2\n"),
            (
                UnknownOption,
                "option X=1",
                "Error (unknown option): option X=1\n",
            ),
            (
                UnknownVariant,
                "variant xiangqi",
                "Error (unknown variant): variant xiangqi\n",
            ),
            (
                OtherProtocol,
                "uci",
                "Error (Gaur speaks the xboard protocol, not UCI): uci\n",
            ),
        ] {
            assert_eq!(error(kind, line), printed);
        }
    }

    #[test]
    fn illegal_moves_contain_the_move() {
        assert_eq!(illegal("e2e5"), "Illegal move: e2e5\n");
    }

    #[test]
    fn any_input_gives_one_short_line() {
        let odd = [
            "\0\u{1}\r\n\u{7f}",
            "a\nmove e2e4",
            "\u{2028}x\u{85}y",
            &"x".repeat(1_000_000),
            "\u{fffd}",
        ];
        for line in odd {
            for text in [error(ErrorKind::UnknownCommand, line), illegal(line)] {
                assert_eq!(text.matches('\n').count(), 1);
                assert!(text.len() < 500);
                assert!(
                    !text.trim_end_matches('\n').contains(char::is_control),
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn book_lines_begin_with_a_space_and_end_with_an_empty_line() {
        assert_eq!(write(&Reply::Book(vec![])), "\n");
        assert_eq!(
            write(&Reply::Book(vec!["e2e4 60%".into(), "  d2d4".into()])),
            " e2e4 60%\n d2d4\n\n"
        );
    }
}
