//! Setups: unchecked positions, and their conversion to legal boards.

use thiserror::Error;

use crate::types::{CastlingRights, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

use super::Board;

/// An unchecked position: everything that FEN can express, legal or not.
///
/// ```
/// use gaur::board::{Board, Setup, SetupError};
/// use gaur::types::Color;
///
/// let board = Board::from_setup(&Setup::empty());
/// assert_eq!(board.err(), Some(SetupError::NoKing(Color::White)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Pieces by [`Square::index`].
    pub pieces: [Option<Piece>; 64],
    /// Side to move.
    pub side_to_move: Color,
    /// File of the rook of each castling right, by [`Color::index`] and [`CastlingSide::index`].
    /// [`Board::from_setup`] drops a right whose king or rook is not on its square.
    pub castling: [[Option<File>; 2]; 2],
    /// Square that a pawn has passed with a double push. [`Board::from_setup`] drops it if no pawn can capture there.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Move number: 1 at the start of a game, increased after each move of Black.
    pub fullmove_number: u16,
}

/// Largest number of pieces of each side.
const MAX_PIECES_OF_SIDE: usize = 16;

/// Largest number of pieces on a board.
pub const MAX_PIECES: usize = 2 * MAX_PIECES_OF_SIDE;

/// Reason for which a [`Setup`] is no legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The side has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// The side has two kings or more.
    #[error("{0} has more than one king")]
    SeveralKings(Color),
    /// The side has more than 16 pieces.
    #[error("{0} has more than sixteen pieces")]
    TooManyPieces(Color),
    /// A pawn is on the first or the last rank.
    #[error("a pawn stands on {0}")]
    PawnOnEndRank(Square),
    /// The side that is not to move is in check.
    #[error("the side that is not to move is in check")]
    OpponentInCheck,
}

impl Setup {
    /// Returns an empty board with White to move at move 1.
    pub fn empty() -> Setup {
        Setup {
            pieces: [None; 64],
            side_to_move: Color::White,
            castling: [[None; 2]; 2],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Returns the start position of standard chess.
    ///
    /// ```
    /// use gaur::board::{Board, Setup};
    ///
    /// assert_eq!(Board::from_setup(&Setup::standard()), Ok(Board::standard()));
    /// ```
    pub fn standard() -> Setup {
        use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
        const HOME: [PieceKind; 8] = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        let mut setup = Setup::empty();
        for color in Color::ALL {
            for (file, kind) in File::all().zip(HOME) {
                let home = Square::new(file, Rank::home(color));
                setup.set(home, Some(Piece::new(color, kind)));
                let ahead = home.offset(0, if color == Color::White { 1 } else { -1 });
                if let Some(square) = ahead {
                    setup.set(square, Some(Piece::new(color, Pawn)));
                }
            }
        }
        setup.castling = [[Some(File::H), Some(File::A)]; 2];
        setup
    }

    /// Returns the piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Puts a piece on a square, or clears the square.
    ///
    /// ```
    /// use gaur::board::Setup;
    /// use gaur::types::{Color, Piece, PieceKind, Square};
    ///
    /// let (mut setup, square) = (Setup::empty(), Square::from_index(0));
    /// let rook = Piece::new(Color::White, PieceKind::Rook);
    /// setup.set(square, Some(rook));
    /// assert_eq!(setup.piece_on(square), Some(rook));
    /// ```
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.pieces[square.index()] = piece;
    }
}

impl Board {
    /// Returns the start position of standard chess.
    ///
    /// ```
    /// use gaur::board::Board;
    ///
    /// assert_eq!(Board::standard().legal_moves().len(), 20);
    /// ```
    pub fn standard() -> Board {
        match Board::from_setup(&Setup::standard()) {
            Ok(board) => board,
            Err(error) => unreachable!("the standard position: {error}"),
        }
    }

    /// Creates the board of a setup.
    ///
    /// GUIs write castling rights without king and rook on their squares, and en passant squares without a legal
    /// capture. Both are dropped without an error.
    ///
    /// # Errors
    /// A [`SetupError`] if the position is not legal.
    ///
    /// ```
    /// use gaur::board::{Board, Setup};
    ///
    /// let mut setup = Setup::standard();
    /// setup.halfmove_clock = 3;
    /// assert_eq!(Board::from_setup(&setup).unwrap().halfmove_clock(), 3);
    /// ```
    pub fn from_setup(setup: &Setup) -> Result<Board, SetupError> {
        check_pieces(setup)?;
        let mut board = Board::empty(setup.side_to_move);
        // Kings first, because they have number 0.
        for kings in [true, false] {
            for square in Square::all() {
                if let Some(piece) = setup
                    .piece_on(square)
                    .filter(|p| (p.kind == PieceKind::King) == kings)
                {
                    board.add_piece(square, piece);
                }
            }
        }
        board.state.halfmove_clock = u32::from(setup.halfmove_clock);
        board.plies = plies_before(setup.fullmove_number, setup.side_to_move);
        if board.is_attacked(board.king(!setup.side_to_move), setup.side_to_move) {
            return Err(SetupError::OpponentInCheck);
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(file) = setup.castling[color.index()][side.index()] {
                    board.grant_castling(color, side, file);
                }
            }
        }
        if let Some(square) = setup.en_passant {
            board.set_en_passant_if_possible(square);
        }
        Ok(board)
    }

    /// Returns the setup of the board. [`Board::from_setup`] creates an equal position from it, in which the pieces can
    /// have other numbers.
    ///
    /// ```
    /// use gaur::board::{Board, Setup};
    ///
    /// assert_eq!(Board::standard().to_setup(), Setup::standard());
    /// ```
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty();
        for square in Square::all() {
            setup.set(square, self.piece_on(square));
        }
        setup.side_to_move = self.side_to_move();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if self.castling_rights().has(color, side) {
                    setup.castling[color.index()][side.index()] =
                        Some(self.castling_rook(color, side).file());
                }
            }
        }
        setup.en_passant = self.en_passant();
        setup.halfmove_clock = self.halfmove_clock();
        setup.fullmove_number = self.fullmove_number();
        setup
    }

    /// Adds a castling right if king and rook are on their squares.
    fn grant_castling(&mut self, color: Color, side: CastlingSide, rook_file: File) {
        let king = self.king(color);
        let rook = Square::new(rook_file, Rank::home(color));
        let right_way = match side {
            CastlingSide::HSide => rook_file > king.file(),
            CastlingSide::ASide => rook_file < king.file(),
        };
        let at_home = king.rank() == Rank::home(color);
        if at_home && right_way && self.piece_on(rook) == Some(Piece::new(color, PieceKind::Rook)) {
            let right = CastlingRights::of(color, side);
            self.set_castling_rook(color, side, rook);
            for square in [king, rook] {
                let rights = &mut self.rights_lost_at[(square.index_0x88() & 127) as usize];
                *rights = rights.union(right);
            }
            self.add_castling_right(right);
        }
    }
}

/// Returns the number of half-moves before the move of `side_to_move` with this number.
fn plies_before(fullmove_number: u16, side_to_move: Color) -> u32 {
    2 * u32::from(fullmove_number.max(1) - 1) + side_to_move as u32
}

/// Checks the number of pieces of each side and the ranks of the pawns.
fn check_pieces(setup: &Setup) -> Result<(), SetupError> {
    for color in Color::ALL {
        let own = || {
            setup
                .pieces
                .iter()
                .flatten()
                .filter(|piece| piece.color == color)
        };
        match own().filter(|piece| piece.kind == PieceKind::King).count() {
            0 => return Err(SetupError::NoKing(color)),
            1 => {}
            _ => return Err(SetupError::SeveralKings(color)),
        }
        if own().count() > MAX_PIECES_OF_SIDE {
            return Err(SetupError::TooManyPieces(color));
        }
    }
    let pawn_at_end = Square::all().find(|&square| {
        (square.rank() == Rank::FIRST || square.rank() == Rank::EIGHTH)
            && setup
                .piece_on(square)
                .is_some_and(|piece| piece.kind == PieceKind::Pawn)
    });
    pawn_at_end.map_or(Ok(()), |square| Err(SetupError::PawnOnEndRank(square)))
}
