//! From anything a FEN can say to a legal board.

use std::fmt;

use crate::types::{CastlingRights, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

use super::Board;

/// A position as somebody wrote it down: not checked, perhaps impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands where, by [`Square::index`].
    pub pieces: [Option<Piece>; 64],
    /// Who is to move.
    pub side_to_move: Color,
    /// The file of the rook of each castling right, by [`Color::index`] and [`CastlingSide::index`].
    /// A right without king and rook in place is dropped.
    pub castling: [[Option<File>; 2]; 2],
    /// The square a pawn has just passed; dropped where no pawn can take there.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// 1 for the first move of a game, raised after each move of Black.
    pub fullmove_number: u16,
}

/// Why a [`Setup`] is no legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// This side has no king.
    NoKing(Color),
    /// This side has two kings or more.
    SeveralKings(Color),
    /// This side has more than sixteen pieces.
    TooManyPieces(Color),
    /// A pawn stands on the first or the last rank.
    PawnOnEndRank(Square),
    /// The side that is not to move is in check.
    OpponentInCheck,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoKing(color) => write!(f, "{color} has no king"),
            SetupError::SeveralKings(color) => write!(f, "{color} has more than one king"),
            SetupError::TooManyPieces(color) => write!(f, "{color} has more than sixteen pieces"),
            SetupError::PawnOnEndRank(square) => write!(f, "a pawn stands on {square}"),
            SetupError::OpponentInCheck => f.write_str("the side that is not to move is in check"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// An empty board, White to move, move 1.
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

    /// The position in which games of chess begin.
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

    /// What stands on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Puts a piece on a square, or empties it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.pieces[square.index()] = piece;
    }
}

impl Board {
    /// The board of a setup.
    ///
    /// Castling rights without king and rook at home, and an en passant square on which no pawn can legally take,
    /// are dropped silently: GUIs write both.
    ///
    /// # Errors
    /// If the position cannot be played; see [`SetupError`].
    pub fn from_setup(setup: &Setup) -> Result<Board, SetupError> {
        check_pieces(setup)?;
        let mut board = Board::bare(setup.side_to_move);
        // Kings first: they have number 0.
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

    /// The setup of this board; [`Board::from_setup`] gives the same board back, piece numbers aside.
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

    /// Grants a right if king and rook stand for it.
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
                let rights = &mut self.rights_of[(square.index_0x88() & 127) as usize];
                *rights = rights.union(right);
            }
            self.gain_right(right);
        }
    }
}

/// Half-moves made before the side to move makes its move of this number.
fn plies_before(fullmove_number: u16, side_to_move: Color) -> u32 {
    2 * u32::from(fullmove_number.max(1) - 1) + side_to_move as u32
}

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
        if own().count() > 16 {
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
