//! Kinds of pieces and coloured pieces.

use super::Color;

/// The kind of a piece, without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// The pawn.
    Pawn,
    /// The knight.
    Knight,
    /// The bishop.
    Bishop,
    /// The rook.
    Rook,
    /// The queen.
    Queen,
    /// The king.
    King,
}

impl PieceKind {
    /// All kinds, in the index order of every table by kind.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// The kinds to which a pawn may promote, in the order in which moves are generated.
    pub const PROMOTIONS: [PieceKind; 4] = [
        PieceKind::Queen,
        PieceKind::Knight,
        PieceKind::Rook,
        PieceKind::Bishop,
    ];

    /// Returns 0 (pawn) to 5 (king): the index in every table by kind.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the English letter of the kind in upper case: `P`, `N`, `B`, `R`, `Q` or `K`.
    ///
    /// ```
    /// use gaur::types::PieceKind;
    ///
    /// assert_eq!(PieceKind::Knight.letter(), 'N');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'P',
            PieceKind::Knight => 'N',
            PieceKind::Bishop => 'B',
            PieceKind::Rook => 'R',
            PieceKind::Queen => 'Q',
            PieceKind::King => 'K',
        }
    }

    /// Returns the English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Knight => "knight",
            PieceKind::Bishop => "bishop",
            PieceKind::Rook => "rook",
            PieceKind::Queen => "queen",
            PieceKind::King => "king",
        }
    }

    /// Returns the kind of an English letter in either case.
    ///
    /// ```
    /// use gaur::types::PieceKind;
    ///
    /// assert_eq!(PieceKind::from_letter('q'), Some(PieceKind::Queen));
    /// assert_eq!(PieceKind::from_letter('x'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_uppercase() {
            'P' => PieceKind::Pawn,
            'N' => PieceKind::Knight,
            'B' => PieceKind::Bishop,
            'R' => PieceKind::Rook,
            'Q' => PieceKind::Queen,
            'K' => PieceKind::King,
            _ => return None,
        })
    }
}

/// A piece: its colour and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The colour.
    pub color: Color,
    /// The kind.
    pub kind: PieceKind,
}

impl Piece {
    /// Creates a piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece { color, kind }
    }

    /// Returns the letter of the piece in FEN: upper case for White, lower case for Black.
    ///
    /// ```
    /// use gaur::types::{Color, Piece, PieceKind};
    ///
    /// assert_eq!(Piece::new(Color::Black, PieceKind::Rook).fen_letter(), 'r');
    /// ```
    pub const fn fen_letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// Returns the piece of a letter in FEN.
    ///
    /// ```
    /// use gaur::types::{Color, Piece, PieceKind};
    ///
    /// assert_eq!(Piece::from_fen_letter('K'), Some(Piece::new(Color::White, PieceKind::King)));
    /// assert_eq!(Piece::from_fen_letter('1'), None);
    /// ```
    pub fn from_fen_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        PieceKind::from_letter(letter).map(|kind| Piece { color, kind })
    }
}
