//! FEN in and out.
//!
//! Reading is lenient where GUIs are careless (missing castling, en-passant and counter fields, extra
//! blanks, rights without their king and rook) and strict about everything else; whether the position is
//! a possible one, the board decides. Castling letters may be `KQkq`, X-FEN or Shredder-FEN.

use nom::branch::alt;
use nom::character::complete::{anychar, digit1};
use nom::combinator::{all_consuming, map, map_opt};
use nom::multi::fold_many0;
use nom::{IResult, Parser};

use super::error::{FenError, excerpt};
use crate::board::{Board, Setup};
use crate::rules::Variant;
use crate::types::{CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

/// Counters above this are read as this: far beyond the longest possible game (under 6,000 moves), and
/// counting on from here cannot overflow.
const LARGEST_COUNTER: u16 = 9_999;

/// Reads a FEN; castling rights may be those of Fischer Random.
///
/// Missing castling and en-passant fields read as `-`, missing counters as `0 1`. Castling rights whose
/// king or rook is not in place are dropped; a `K` or `Q` means the outermost rook (X-FEN). The
/// en-passant square is taken as written.
///
/// # Errors
/// The first thing that is wrong, from left to right.
///
/// # Example
/// ```
/// let setup = gaur::notation::parse_fen("4k3/8/8/8/8/8/8/4K2R w K").unwrap();
/// assert_eq!(setup.fullmove_number, 1);
/// assert_eq!(setup.castling[0][0].map(|file| file.letter()), Some('h'));
/// ```
pub fn parse_fen(text: &str) -> Result<Setup, FenError> {
    let Fields {
        setup,
        counters,
        rest,
    } = read_fields(text)?;
    let rest = rest.trim();
    match (rest.is_empty(), counters) {
        (true, _) => Ok(setup),
        (false, 0) => Err(FenError::BadHalfmoveClock(excerpt(rest))),
        (false, 1) => Err(FenError::BadMoveNumber(excerpt(rest))),
        (false, _) => Err(FenError::TrailingText(excerpt(rest))),
    }
}

/// Reads a FEN for a variant: as [`parse_fen`], and in standard chess rights of a king off the e-file or
/// of a rook off its corner are dropped, too.
///
/// # Errors
/// Returns an error if the text is not a FEN.
pub fn parse_fen_for(text: &str, variant: Variant) -> Result<Setup, FenError> {
    let mut setup = parse_fen(text)?;
    if variant == Variant::Standard {
        keep_standard_castling(&mut setup);
    }
    Ok(setup)
}

/// Drops the castling rights that standard chess does not have.
pub fn keep_standard_castling(setup: &mut Setup) {
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if !is_standard_right(setup, color, side) {
                *right_mut(setup, color, side) = None;
            }
        }
    }
}

/// Returns `true` if standard chess has all castling rights of the setup.
pub fn has_standard_castling(setup: &Setup) -> bool {
    Color::ALL.into_iter().all(|color| {
        CastlingSide::ALL.into_iter().all(|side| {
            right(setup, color, side).is_none() || is_standard_right(setup, color, side)
        })
    })
}

fn is_standard_right(setup: &Setup, color: Color, side: CastlingSide) -> bool {
    let corner = match side {
        CastlingSide::HSide => File::H,
        CastlingSide::ASide => File::A,
    };
    right(setup, color, side) == Some(corner) && king_file(setup, color) == Some(File::E)
}

/// Writes a position as FEN with all six fields.
///
/// Castling letters are `KQkq` in standard chess and the rooks' files in Fischer Random (Shredder-FEN),
/// where they cannot be misunderstood. The en-passant square is there only when a pawn can take.
pub fn write_fen(board: &Board, variant: Variant) -> String {
    write_setup(&board.to_setup(), variant)
}

/// The FEN of a setup, which need not be a legal position; `variant` as for [`write_fen`].
pub fn write_setup(setup: &Setup, variant: Variant) -> String {
    let mut text = String::with_capacity(90);
    write_placement(setup, &mut text);
    text.push_str(match setup.side_to_move {
        Color::White => " w ",
        Color::Black => " b ",
    });
    write_castling(setup, variant, &mut text);
    match setup.en_passant {
        Some(square) => text.push_str(&format!(" {square}")),
        None => text.push_str(" -"),
    }
    text.push_str(&format!(
        " {} {}",
        setup.halfmove_clock, setup.fullmove_number
    ));
    text
}

fn write_placement(setup: &Setup, text: &mut String) {
    for rank in Rank::all().rev() {
        let mut empty = 0;
        for file in File::all() {
            match setup.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push(piece.fen_letter());
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank != Rank::FIRST {
            text.push('/');
        }
    }
}

fn write_castling(setup: &Setup, variant: Variant, text: &mut String) {
    let before = text.len();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(file) = right(setup, color, side) else {
                continue;
            };
            let letter = match (variant, side) {
                (Variant::Fischerandom, _) => file.letter().to_ascii_uppercase(),
                // A castling right that only Fischer Random has: X-FEN expresses it in any variant.
                (Variant::Standard, _) if outermost_rook(setup, color, side) != Some(file) => {
                    file.letter().to_ascii_uppercase()
                }
                (Variant::Standard, CastlingSide::HSide) => 'K',
                (Variant::Standard, CastlingSide::ASide) => 'Q',
            };
            text.push(match color {
                Color::White => letter,
                Color::Black => letter.to_ascii_lowercase(),
            });
        }
    }
    if text.len() == before {
        text.push('-');
    }
}

/// Fields at the beginning of a FEN or an EPD record.
pub(super) struct Fields<'a> {
    pub(super) setup: Setup,
    /// Number of counters that the text contains, 0 to 2.
    pub(super) counters: usize,
    /// Text after the last parsed field.
    pub(super) rest: &'a str,
}

/// Reads placement, side, castling, en passant and as many counters as there are.
pub(super) fn read_fields(text: &str) -> Result<Fields<'_>, FenError> {
    let mut setup = Setup::empty();
    let (field, rest) = next_field(text);
    if field.is_empty() {
        return Err(FenError::Empty);
    }
    read_placement(field, &mut setup)?;

    let (field, rest) = next_field(rest);
    setup.side_to_move = match field {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        "" => return Err(FenError::MissingSide),
        _ => return Err(FenError::BadSide(excerpt(field))),
    };

    let mut rest = rest;
    let (field, after) = next_field(rest);
    if !field.is_empty() && counter(field).is_none() {
        read_castling(field, &mut setup)?;
        rest = after;
    }
    let (field, after) = next_field(rest);
    if !field.is_empty() && counter(field).is_none() {
        if field != "-" {
            let square = Square::from_name(field);
            setup.en_passant = Some(square.ok_or_else(|| FenError::BadEnPassant(excerpt(field)))?);
        }
        rest = after;
    }

    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
    let mut counters = 0;
    let (field, after) = next_field(rest);
    if let Some(halfmoves) = counter(field) {
        (setup.halfmove_clock, counters, rest) = (halfmoves, 1, after);
        let (field, after) = next_field(rest);
        if let Some(number) = counter(field) {
            // Some programs count from 0.
            (setup.fullmove_number, counters, rest) = (number.max(1), 2, after);
        }
    }
    Ok(Fields {
        setup,
        counters,
        rest,
    })
}

/// The next run of letters up to a blank or a semicolon (where EPD operations begin), and what follows.
fn next_field(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ';');
    end.and_then(|end| text.split_at_checked(end))
        .unwrap_or((text, ""))
}

/// A number, cut to [`LARGEST_COUNTER`].
pub(super) fn counter(field: &str) -> Option<u16> {
    let digits: IResult<&str, &str> = all_consuming(digit1).parse(field);
    let (_, digits) = digits.ok()?;
    Some(
        digits
            .parse()
            .map_or(LARGEST_COUNTER, |number: u16| number.min(LARGEST_COUNTER)),
    )
}

fn read_placement(field: &str, setup: &mut Setup) -> Result<(), FenError> {
    let mut count = 0;
    for rank_text in field.split('/') {
        count += 1;
        // Ranks beyond the eighth are only counted.
        if let Some(rank) = 8_usize.checked_sub(count).and_then(Rank::from_index) {
            read_rank(rank_text, rank, setup)?;
        }
    }
    if count == 8 {
        Ok(())
    } else {
        Err(FenError::RankCount(count))
    }
}

/// One letter of a rank.
enum RankItem {
    Piece(Piece),
    Empty(usize),
}

fn rank_item(text: &str) -> IResult<&str, RankItem> {
    alt((
        map(map_opt(anychar, Piece::from_fen_letter), RankItem::Piece),
        map(map_opt(anychar, Rank::from_digit), |digit| {
            RankItem::Empty(digit.index() + 1)
        }),
    ))
    .parse(text)
}

fn read_rank(text: &str, rank: Rank, setup: &mut Setup) -> Result<(), FenError> {
    let place = |squares: usize, item| match item {
        RankItem::Empty(count) => squares + count,
        RankItem::Piece(piece) => {
            if let Some(file) = File::from_index(squares) {
                setup.set(Square::new(file, rank), Some(piece));
            }
            squares + 1
        }
    };
    let items: IResult<&str, usize> = fold_many0(rank_item, || 0, place).parse(text);
    let (rest, squares) = items.unwrap_or((text, 0));
    if let Some(letter) = rest.chars().next() {
        return Err(FenError::UnknownPiece(letter));
    }
    if squares == 8 {
        Ok(())
    } else {
        Err(FenError::RankLength {
            rank: rank.digit(),
            squares,
        })
    }
}

fn read_castling(field: &str, setup: &mut Setup) -> Result<(), FenError> {
    if field == "-" {
        return Ok(());
    }
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match letter.to_ascii_uppercase() {
            'K' => grant_outermost(setup, color, CastlingSide::HSide),
            'Q' => grant_outermost(setup, color, CastlingSide::ASide),
            _ => {
                let file = File::from_letter(letter).ok_or(FenError::BadCastling(letter))?;
                grant_file(setup, color, file);
            }
        }
    }
    Ok(())
}

fn grant_outermost(setup: &mut Setup, color: Color, side: CastlingSide) {
    if let Some(file) = outermost_rook(setup, color, side) {
        *right_mut(setup, color, side) = Some(file);
    }
}

fn grant_file(setup: &mut Setup, color: Color, file: File) {
    if let Some(king) = king_file(setup, color)
        && stands_at_home(setup, color, PieceKind::Rook, file)
    {
        let side = if file > king {
            CastlingSide::HSide
        } else {
            CastlingSide::ASide
        };
        *right_mut(setup, color, side) = Some(file);
    }
}

/// The file of the rook nearest the edge on that side of the king, if both stand on the home rank.
fn outermost_rook(setup: &Setup, color: Color, side: CastlingSide) -> Option<File> {
    let king = king_file(setup, color)?;
    let is_rook = |&file: &File| stands_at_home(setup, color, PieceKind::Rook, file);
    match side {
        CastlingSide::HSide => File::all()
            .rev()
            .take_while(|&file| file > king)
            .find(is_rook),
        CastlingSide::ASide => File::all().take_while(|&file| file < king).find(is_rook),
    }
}

fn king_file(setup: &Setup, color: Color) -> Option<File> {
    File::all().find(|&file| stands_at_home(setup, color, PieceKind::King, file))
}

fn stands_at_home(setup: &Setup, color: Color, kind: PieceKind, file: File) -> bool {
    setup.piece_on(Square::new(file, Rank::home(color))) == Some(Piece::new(color, kind))
}

fn right(setup: &Setup, color: Color, side: CastlingSide) -> Option<File> {
    setup
        .castling
        .get(color.index())?
        .get(side.index())
        .copied()
        .flatten()
}

fn right_mut(setup: &mut Setup, color: Color, side: CastlingSide) -> &mut Option<File> {
    let [white, black] = &mut setup.castling;
    let [h_side, a_side] = match color {
        Color::White => white,
        Color::Black => black,
    };
    match side {
        CastlingSide::HSide => h_side,
        CastlingSide::ASide => a_side,
    }
}

#[cfg(test)]
#[path = "fen_tests.rs"]
mod tests;
