//! Parser of move text, independent of the position.
//!
//! Coordinates (`e2e4`, `e7e8=Q`), SAN and its careless forms (`Nbd2`, `Nb1-d2`, `ed5`, `e8Q`, `0-0`,
//! `exd6 e.p.`, `Qh5+!?`) all become one [`MoveText`].

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::character::complete::{anychar, char, multispace0, one_of};
use nom::combinator::{all_consuming, map, map_opt, opt, value};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use crate::types::{CastlingSide, File, PieceKind, Rank, Square};

/// Content of a move text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveText {
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
    /// Anything with a target square.
    Step(Step),
}

/// A move to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Kind of the moving piece; `None` in coordinates, where the square determines it.
    pub(super) kind: Option<PieceKind>,
    pub(super) from_file: Option<File>,
    pub(super) from_rank: Option<Rank>,
    /// Set if the text marks a capture.
    pub(super) capture: bool,
    pub(super) to: Square,
    pub(super) promotion: Option<PieceKind>,
}

impl Step {
    /// The square left, if the text names it in full.
    pub(super) fn from(&self) -> Option<Square> {
        Some(Square::new(self.from_file?, self.from_rank?))
    }
}

/// Reads the text of a move; `None` if it has the shape of none.
pub(super) fn parse_move_text(text: &str) -> Option<MoveText> {
    let shape: IResult<&str, MoveText> = all_consuming(terminated(
        alt((castle, map(step, MoveText::Step))),
        annotation,
    ))
    .parse(text.trim());
    shape.ok().map(|(_, shape)| shape)
}

/// Returns `true` if a text has the form of a move. Only a position determines if it is legal.
///
/// ```
/// use gaur::notation::is_move_text;
///
/// assert!(is_move_text("e2e4") && is_move_text("Nbxd2+") && is_move_text("O-O"));
/// assert!(!is_move_text("e2e9") && !is_move_text("undo"));
/// ```
pub fn is_move_text(text: &str) -> bool {
    parse_move_text(text).is_some()
}

fn castle(text: &str) -> IResult<&str, MoveText> {
    let letter = || one_of("Oo0");
    let short = || (letter(), char('-'), letter());
    alt((
        value(
            MoveText::Castle(CastlingSide::ASide),
            (short(), char('-'), letter()),
        ),
        value(MoveText::Castle(CastlingSide::HSide), short()),
    ))
    .parse(text)
}

fn step(text: &str) -> IResult<&str, Step> {
    let (text, letter) = opt(piece_letter).parse(text)?;
    let (text, (from_file, from_rank, capture, to)) = alt((
        map((file, rank, separator, square), |(f, r, x, to)| {
            (Some(f), Some(r), x, to)
        }),
        map((file, separator, square), |(f, x, to)| {
            (Some(f), None, x, to)
        }),
        map((rank, separator, square), |(r, x, to)| {
            (None, Some(r), x, to)
        }),
        map((separator, square), |(x, to)| (None, None, x, to)),
    ))
    .parse(text)?;
    let (text, promotion) = opt(promotion).parse(text)?;
    // Without a letter SAN means a pawn, and coordinates whatever stands there.
    let is_coordinate = from_file.is_some() && from_rank.is_some();
    let kind = letter.or(if is_coordinate {
        None
    } else {
        Some(PieceKind::Pawn)
    });
    Ok((
        text,
        Step {
            kind,
            from_file,
            from_rank,
            capture,
            to,
            promotion,
        },
    ))
}

/// The letter of a piece. Small ones are understood where they cannot be a file: all but `b`.
fn piece_letter(text: &str) -> IResult<&str, PieceKind> {
    map_opt(one_of("PNBRQKnrqk"), PieceKind::from_letter).parse(text)
}

fn file(text: &str) -> IResult<&str, File> {
    map_opt(one_of("abcdefgh"), File::from_letter).parse(text)
}

fn rank(text: &str) -> IResult<&str, Rank> {
    map_opt(anychar, Rank::from_digit).parse(text)
}

fn square(text: &str) -> IResult<&str, Square> {
    map((file, rank), |(file, rank)| Square::new(file, rank)).parse(text)
}

/// `x`, `:` or `-` between the squares, or nothing; true for a capture.
fn separator(text: &str) -> IResult<&str, bool> {
    map(opt(one_of("xX:-")), |sign| {
        matches!(sign, Some('x' | 'X' | ':'))
    })
    .parse(text)
}

fn promotion(text: &str) -> IResult<&str, PieceKind> {
    let letter = || map_opt(one_of("QRBNqrbn"), PieceKind::from_letter);
    alt((
        preceded(opt(one_of("=/")), letter()),
        delimited(char('('), letter(), char(')')),
    ))
    .parse(text)
}

/// Whatever may follow a move: check and mate signs, praise and blame, `e.p.`.
fn annotation(text: &str) -> IResult<&str, ()> {
    let signs = || take_while(|letter| matches!(letter, '+' | '#' | '!' | '?'));
    let en_passant = opt(preceded(multispace0, alt((tag("e.p."), tag("ep")))));
    value((), (signs(), en_passant, signs())).parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step_of(text: &str) -> Step {
        match parse_move_text(text) {
            Some(MoveText::Step(step)) => step,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn coordinates_leave_the_kind_open() {
        for text in ["e7e8q", "e7e8Q", "e7e8=q", "e7-e8=Q", " e7e8(Q) ", "e7e8/q"] {
            let step = step_of(text);
            assert_eq!(
                (step.kind, step.from()),
                (None, Square::from_name("e7")),
                "{text}"
            );
            assert_eq!(step.promotion, Some(PieceKind::Queen), "{text}");
        }
    }

    #[test]
    fn san_names_the_kind() {
        let cases = [
            ("e4", PieceKind::Pawn, None, None, false),
            ("exd5", PieceKind::Pawn, Some('e'), None, true),
            ("ed5", PieceKind::Pawn, Some('e'), None, false),
            ("bxc3 e.p.", PieceKind::Pawn, Some('b'), None, true),
            ("bxc3ep+", PieceKind::Pawn, Some('b'), None, true),
            ("Bxc3", PieceKind::Bishop, None, None, true),
            ("Nbd2", PieceKind::Knight, Some('b'), None, false),
            ("nbd2", PieceKind::Knight, Some('b'), None, false),
            ("R1a3#", PieceKind::Rook, None, Some('1'), false),
            ("Qh4xe1+!?", PieceKind::Queen, Some('h'), Some('4'), true),
            ("Ng1-f3", PieceKind::Knight, Some('g'), Some('1'), false),
            ("N:f3", PieceKind::Knight, None, None, true),
        ];
        for (text, kind, from_file, from_rank, capture) in cases {
            let step = step_of(text);
            assert_eq!(step.kind, Some(kind), "{text}");
            assert_eq!(
                step.from_file,
                from_file.and_then(File::from_letter),
                "{text}"
            );
            assert_eq!(
                step.from_rank,
                from_rank.and_then(Rank::from_digit),
                "{text}"
            );
            assert_eq!(step.capture, capture, "{text}");
        }
    }

    #[test]
    fn castling_has_many_spellings() {
        for text in ["O-O", "o-o", "0-0", "O-O+", "0-0#!"] {
            assert_eq!(
                parse_move_text(text),
                Some(MoveText::Castle(CastlingSide::HSide)),
                "{text}"
            );
        }
        for text in ["O-O-O", "o-o-o", "0-0-0", "O-O-O+"] {
            assert_eq!(
                parse_move_text(text),
                Some(MoveText::Castle(CastlingSide::ASide)),
                "{text}"
            );
        }
    }

    #[test]
    fn other_text_is_no_move() {
        for text in [
            "", " ", "e9", "i4", "e2e9", "e2e4e5", "e7e8k", "Nf", "O-", "O-O-", "O-O-O-O", "--",
            "0000", "@@@@", "P@e4", "e2 e4", "quit", "x", "e4\0", "\u{e4}4", "Ke2Q4",
        ] {
            assert_eq!(parse_move_text(text), None, "{text:?}");
        }
    }
}
