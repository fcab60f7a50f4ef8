//! Squares, files and ranks.
//!
//! A square is stored as its 0x88 index: the rank in the upper four bits, the file in the lower four. An index with
//! `index & 0x88 != 0` is off the board. Only `types` and `board` calculate with this index; other modules use
//! [`Square::index`], 0 (a1) to 63 (h8). (0x88: Bruce Moreland, Gerbil.)

use std::fmt;

use super::Color;

/// A file, a to h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(u8);

/// A rank, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// A square of the board.
///
/// ```
/// use gaur::types::{File, Rank, Square};
///
/// let a1 = Square::new(File::A, Rank::FIRST);
/// assert_eq!(a1.to_string(), "a1");
/// assert_eq!(a1.index(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl File {
    /// The a-file.
    pub const A: File = File(0);
    /// The c-file, target of the king in a-side castling.
    pub const C: File = File(2);
    /// The d-file, target of the rook in a-side castling.
    pub const D: File = File(3);
    /// The e-file.
    pub const E: File = File(4);
    /// The f-file, target of the rook in h-side castling.
    pub const F: File = File(5);
    /// The g-file, target of the king in h-side castling.
    pub const G: File = File(6);
    /// The h-file.
    pub const H: File = File(7);

    /// Returns the file of an index from 0 (a) to 7 (h).
    ///
    /// ```
    /// use gaur::types::File;
    ///
    /// assert_eq!(File::from_index(4), Some(File::E));
    /// assert_eq!(File::from_index(8), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<File> {
        if index < 8 {
            Some(File(index as u8))
        } else {
            None
        }
    }

    /// Returns the index, 0 (a) to 7 (h).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Iterates over all files from a to h.
    ///
    /// ```
    /// use gaur::types::File;
    ///
    /// assert_eq!(File::all().map(File::letter).collect::<String>(), "abcdefgh");
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = File> {
        (0..8).map(File)
    }

    /// Returns the letter of the file in lower case.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// Returns the file of a letter in either case.
    ///
    /// ```
    /// use gaur::types::File;
    ///
    /// assert_eq!(File::from_letter('H'), Some(File::H));
    /// assert_eq!(File::from_letter('i'), None);
    /// ```
    pub fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            c @ 'a'..='h' => Some(File(c as u8 - b'a')),
            _ => None,
        }
    }
}

impl Rank {
    /// Rank 1, White's home rank.
    pub const FIRST: Rank = Rank(0);
    /// Rank 2, on which White's pawns begin.
    pub const SECOND: Rank = Rank(1);
    /// Rank 8, Black's home rank.
    pub const EIGHTH: Rank = Rank(7);

    /// Returns the rank of an index from 0 (rank 1) to 7 (rank 8).
    ///
    /// ```
    /// use gaur::types::Rank;
    ///
    /// assert_eq!(Rank::from_index(7), Some(Rank::EIGHTH));
    /// assert_eq!(Rank::from_index(8), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<Rank> {
        if index < 8 {
            Some(Rank(index as u8))
        } else {
            None
        }
    }

    /// Returns the index, 0 (rank 1) to 7 (rank 8).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Iterates over all ranks from 1 to 8.
    ///
    /// ```
    /// use gaur::types::Rank;
    ///
    /// assert_eq!(Rank::all().map(Rank::digit).collect::<String>(), "12345678");
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..8).map(Rank)
    }

    /// Returns the digit of the rank, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self.0) as char
    }

    /// Returns the rank of a digit.
    ///
    /// ```
    /// use gaur::types::Rank;
    ///
    /// assert_eq!(Rank::from_digit('1'), Some(Rank::FIRST));
    /// assert_eq!(Rank::from_digit('9'), None);
    /// ```
    pub fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Some(Rank(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// Returns the rank counted from the home rank of `color`.
    ///
    /// ```
    /// use gaur::types::{Color, Rank};
    ///
    /// assert_eq!(Rank::EIGHTH.relative_to(Color::Black), Rank::FIRST);
    /// ```
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank(7 - self.0),
        }
    }

    /// Returns the home rank of `color`.
    ///
    /// ```
    /// use gaur::types::{Color, Rank};
    ///
    /// assert_eq!(Rank::home(Color::Black), Rank::EIGHTH);
    /// ```
    #[inline]
    pub const fn home(color: Color) -> Rank {
        Rank::FIRST.relative_to(color)
    }
}

impl Square {
    /// Returns the square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square(rank.0 << 4 | file.0)
    }

    /// Returns the square of an index: 0 (a1), 1 (b1) ... 63 (h8). Only the six lowest bits count.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// assert_eq!(Square::from_index(63).to_string(), "h8");
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        let index = index as u8 & 63;
        Square(index + (index & 0x38))
    }

    /// Returns the index of the square: 0 (a1), 1 (b1) ... 63 (h8).
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// assert_eq!(Square::from_name("b1").unwrap().index(), 1);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        ((self.0 + (self.0 & 7)) >> 1) as usize & 63
    }

    /// Returns the 0x88 index. Only for `board`.
    #[inline]
    pub(crate) const fn index_0x88(self) -> u8 {
        self.0
    }

    /// Returns the square of a 0x88 index that is on the board. Only for `board`.
    #[inline]
    pub(crate) const fn from_index_0x88(index: u8) -> Square {
        debug_assert!(index & 0x88 == 0);
        Square(index)
    }

    /// Returns the file of the square.
    #[inline]
    pub const fn file(self) -> File {
        File(self.0 & 7)
    }

    /// Returns the rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank(self.0 >> 4)
    }

    /// Returns the square that is `files` to the east and `ranks` to the north, or `None` off the board.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// let a1 = Square::from_index(0);
    /// assert_eq!(a1.offset(1, 2), Square::from_name("b3"));
    /// assert_eq!(a1.offset(-1, 0), None);
    /// ```
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self.0 & 7) as i8 + files;
        let rank = (self.0 >> 4) as i8 + ranks;
        if file & !7 == 0 && rank & !7 == 0 {
            Some(Square((rank as u8) << 4 | file as u8))
        } else {
            None
        }
    }

    /// Returns the square mirrored top to bottom: e2 becomes e7.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// let e2 = Square::from_name("e2").unwrap();
    /// assert_eq!(Some(e2.flip_rank()), Square::from_name("e7"));
    /// ```
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 0x70)
    }

    /// Returns the square mirrored left to right: a1 becomes h1.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// let a1 = Square::from_index(0);
    /// assert_eq!(Some(a1.flip_file()), Square::from_name("h1"));
    /// ```
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square(self.0 ^ 0x07)
    }

    /// Returns the square for White, and the square mirrored top to bottom for Black.
    ///
    /// ```
    /// use gaur::types::{Color, Square};
    ///
    /// let e2 = Square::from_name("e2").unwrap();
    /// assert_eq!(Some(e2.relative_to(Color::Black)), Square::from_name("e7"));
    /// ```
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// Returns `true` for a light square.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// assert!(Square::from_name("h1").unwrap().is_light());
    /// ```
    #[inline]
    pub const fn is_light(self) -> bool {
        ((self.0 >> 4) ^ self.0) & 1 != 0
    }

    /// Returns the number of king steps between two squares, 0 to 7.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// assert_eq!(Square::from_index(0).distance(Square::from_index(63)), 7);
    /// ```
    #[inline]
    pub const fn distance(self, other: Square) -> usize {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 4).abs_diff(other.0 >> 4);
        (if files > ranks { files } else { ranks }) as usize
    }

    /// Iterates over all squares in index order.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// assert_eq!(Square::all().count(), 64);
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square::from_index)
    }

    /// Returns the square of a name such as `e4`.
    ///
    /// ```
    /// use gaur::types::Square;
    ///
    /// assert_eq!(Square::from_name("c1"), Some(Square::from_index(2)));
    /// assert_eq!(Square::from_name("c9"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Square> {
        let mut letters = name.chars();
        let file = File::from_letter(letters.next()?)?;
        let rank = Rank::from_digit(letters.next()?)?;
        letters.next().is_none().then_some(Square::new(file, rank))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_indices_name_the_same_square() {
        for index in 0..64 {
            let square = Square::from_index(index);
            assert_eq!(square.index(), index);
            assert_eq!(square.index_0x88() & 0x88, 0);
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(Square::from_name(&square.to_string()), Some(square));
        }
    }

    #[test]
    fn offset_stops_at_the_edge() {
        let a1 = Square::from_index(0);
        assert_eq!(a1.offset(-1, 0), None);
        assert_eq!(a1.offset(0, -1), None);
        assert_eq!(a1.offset(1, 2), Square::from_name("b3"));
        assert_eq!(Square::from_name("h8").and_then(|h8| h8.offset(1, 0)), None);
    }
}
