//! Squares, files and ranks.
//!
//! A square is its 0x88 code: rank in the high nibble, file in the low one, so that one `& 0x88` tells
//! whether a step has left the board. That code stays between this room and `board`; everybody else
//! uses [`Square::index`], 0 (a1) to 63 (h8). (0x88: Bruce Moreland, Gerbil.)

use std::fmt;

use super::Color;

/// A file, a to h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(u8);

/// A rank, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// A square of the board; there is no value for a square off it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl File {
    /// The a-file.
    pub const A: File = File(0);
    /// The c-file, where an a-side castled king stands.
    pub const C: File = File(2);
    /// The d-file, where an a-side castled rook stands.
    pub const D: File = File(3);
    /// The e-file.
    pub const E: File = File(4);
    /// The f-file, where an h-side castled rook stands.
    pub const F: File = File(5);
    /// The g-file, where an h-side castled king stands.
    pub const G: File = File(6);
    /// The h-file.
    pub const H: File = File(7);

    /// The file of an index 0 (a) to 7 (h).
    #[inline]
    pub const fn from_index(index: usize) -> Option<File> {
        if index < 8 {
            Some(File(index as u8))
        } else {
            None
        }
    }

    /// 0 (a) to 7 (h).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All files from a to h.
    pub fn all() -> impl DoubleEndedIterator<Item = File> {
        (0..8).map(File)
    }

    /// The small letter a to h.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// The file of a letter a to h, in either case.
    pub fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            c @ 'a'..='h' => Some(File(c as u8 - b'a')),
            _ => None,
        }
    }
}

impl Rank {
    /// White's home rank.
    pub const FIRST: Rank = Rank(0);
    /// Black's home rank.
    pub const EIGHTH: Rank = Rank(7);

    /// The rank of an index 0 (rank 1) to 7 (rank 8).
    #[inline]
    pub const fn from_index(index: usize) -> Option<Rank> {
        if index < 8 {
            Some(Rank(index as u8))
        } else {
            None
        }
    }

    /// 0 (rank 1) to 7 (rank 8).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All ranks from 1 to 8.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..8).map(Rank)
    }

    /// The digit 1 to 8.
    pub const fn digit(self) -> char {
        (b'1' + self.0) as char
    }

    /// The rank of a digit 1 to 8.
    pub fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Some(Rank(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// The rank that is this one in the eyes of `color`: 1 is one's own home rank, 8 the far end.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank(7 - self.0),
        }
    }

    /// The home rank of `color`.
    #[inline]
    pub const fn home(color: Color) -> Rank {
        Rank::FIRST.relative_to(color)
    }
}

impl Square {
    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square(rank.0 << 4 | file.0)
    }

    /// The square of an index 0 (a1), 1 (b1) ... 63 (h8); the two highest bits are ignored.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        let index = index as u8 & 63;
        Square(index + (index & 0x38))
    }

    /// 0 (a1), 1 (b1) ... 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        ((self.0 + (self.0 & 7)) >> 1) as usize & 63
    }

    /// The 0x88 code. Only for `board`.
    #[inline]
    pub(crate) const fn index_0x88(self) -> u8 {
        self.0
    }

    /// The square with this 0x88 code, which must be on the board. Only for `board`.
    #[inline]
    pub(crate) const fn from_index_0x88(code: u8) -> Square {
        debug_assert!(code & 0x88 == 0);
        Square(code)
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File(self.0 & 7)
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank(self.0 >> 4)
    }

    /// The square `files` to the right and `ranks` up from here, if there is one.
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

    /// The same square seen from the other side of the board: e2 becomes e7.
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 0x70)
    }

    /// The square mirrored left to right: a1 becomes h1.
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square(self.0 ^ 0x07)
    }

    /// This square for White, its vertical mirror for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// Whether it is a light square.
    #[inline]
    pub const fn is_light(self) -> bool {
        ((self.0 >> 4) ^ self.0) & 1 != 0
    }

    /// King steps between two squares, 0 to 7.
    #[inline]
    pub const fn distance(self, other: Square) -> usize {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 4).abs_diff(other.0 >> 4);
        (if files > ranks { files } else { ranks }) as usize
    }

    /// All squares in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square::from_index)
    }

    /// The square named by two characters such as `e4`.
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
    fn index_and_code_agree() {
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
