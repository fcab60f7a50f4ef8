//! Drawing of the board.

use anstyle::{Ansi256Color, Style as Look};

use crate::board::Board;
use crate::types::{Color, File, Move, Piece, PieceKind, Rank, Square};

use super::environment::Style;

/// Colours of the 256-colour palette: light and dark squares, those of the last move, and the pieces. Black and white
/// pieces are legible on all four.
const LIGHT: u8 = 180;
const DARK: u8 = 137;
const LIGHT_MOVED: u8 = 185;
const DARK_MOVED: u8 = 142;
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;

/// Smallest height of a terminal for a board with an empty line above and below it. Gaur's move before it and the line
/// of the person after it, or the two lines during a search, are visible, too.
const HEIGHT_WITH_MARGINS: usize = 13;

/// Smallest height of a terminal for a board with the letters of the files.
const HEIGHT_WITH_FILES: usize = 11;

/// Draws the board with this side at the bottom, and marks the squares of the last move if there are colours. In a
/// terminal of few lines, the lines around the squares are left out. The text has no line end.
pub(super) fn draw(
    board: &Board,
    bottom: Color,
    last: Option<Move>,
    style: Style,
    height: usize,
) -> String {
    let mut ranks: Vec<Rank> = Rank::all().collect();
    let mut files: Vec<File> = File::all().collect();
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let margin = if height < HEIGHT_WITH_MARGINS {
        ""
    } else {
        "\n"
    };
    let mut lines = Vec::new();
    for &rank in &ranks {
        let mut text = format!(" {} ", rank.digit());
        for &file in &files {
            let square = Square::new(file, rank);
            let is_marked = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
            text.push_str(&cell(square, board.piece_on(square), is_marked, style));
        }
        lines.push(text);
    }
    if height >= HEIGHT_WITH_FILES {
        let letters = files.iter().map(|file| format!(" {} ", file.letter()));
        lines.push(format!("   {}", letters.collect::<String>()));
    }
    format!("{margin}{}{margin}", lines.join("\n"))
}

/// Returns a square, three characters wide.
fn cell(square: Square, piece: Option<Piece>, is_marked: bool, style: Style) -> String {
    if !style.has_color {
        let symbol = match piece {
            Some(piece) => symbol(piece, style),
            None if square.is_light() => '.',
            None => ':',
        };
        return format!(" {symbol} ");
    }
    let background = match (square.is_light(), is_marked) {
        (true, false) => LIGHT,
        (false, false) => DARK,
        (true, true) => LIGHT_MOVED,
        (false, true) => DARK_MOVED,
    };
    let foreground = match piece.map(|piece| piece.color) {
        Some(Color::White) => WHITE_PIECE,
        _ => BLACK_PIECE,
    };
    let look = Look::new()
        .bold()
        .fg_color(Some(Ansi256Color(foreground).into()))
        .bg_color(Some(Ansi256Color(background).into()));
    let symbol = piece.map_or(' ', |piece| symbol(piece, style));
    format!("{look} {symbol} {look:#}")
}

/// Returns the symbol of a piece. With colours, the filled symbols serve both sides: the outlined ones are hard to see
/// on a coloured square.
fn symbol(piece: Piece, style: Style) -> char {
    if !style.has_unicode {
        return piece.fen_letter();
    }
    let is_outlined = piece.color == Color::White && !style.has_color;
    match (piece.kind, is_outlined) {
        (PieceKind::King, true) => '♔',
        (PieceKind::Queen, true) => '♕',
        (PieceKind::Rook, true) => '♖',
        (PieceKind::Bishop, true) => '♗',
        (PieceKind::Knight, true) => '♘',
        (PieceKind::Pawn, true) => '♙',
        (PieceKind::King, false) => '♚',
        (PieceKind::Queen, false) => '♛',
        (PieceKind::Rook, false) => '♜',
        (PieceKind::Bishop, false) => '♝',
        (PieceKind::Knight, false) => '♞',
        (PieceKind::Pawn, false) => '♟',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::rules::Position;

    fn drawing(bottom: Color, style: Style) -> String {
        draw(Position::standard().board(), bottom, None, style, 12)
    }

    #[test]
    fn letters_show_the_board_from_either_side() {
        let text = drawing(Color::White, Style::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], " 4  .  :  .  :  .  :  .  : ");
        assert_eq!(lines[7], " 1  R  N  B  Q  K  B  N  R ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h ");
        let text = drawing(Color::Black, Style::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 1  R  N  B  K  Q  B  N  R ");
        assert_eq!(lines[8], "    h  g  f  e  d  c  b  a ");
    }

    #[test]
    fn unicode_symbols_tell_the_sides_apart_without_colours() {
        let style = Style {
            has_unicode: true,
            ..Style::default()
        };
        let text = drawing(Color::White, style);
        assert!(text.starts_with(" 8  ♜  ♞ ") && text.contains(" 1  ♖  ♘ "));
    }

    #[test]
    fn colours_mark_the_last_move() {
        let style = Style {
            has_color: true,
            has_unicode: true,
            has_cursor: true,
        };
        let mut position = Position::standard();
        let mv = parse_move(&position, "e4").expect("a move");
        let _ = position.play(mv);
        let draw = |last| draw(position.board(), Color::White, last, style, 12);
        let marks = |text: &str| {
            let background = |color: u8| format!("48;5;{color}m");
            text.matches(&background(LIGHT_MOVED)).count()
                + text.matches(&background(DARK_MOVED)).count()
        };
        assert_eq!((marks(&draw(None)), marks(&draw(Some(mv)))), (0, 2));
        // Each square ends its own colours.
        assert_eq!(draw(None).matches("\u{1b}[0m").count(), 64);
    }
}
