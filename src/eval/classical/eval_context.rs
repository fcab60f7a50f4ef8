//! Data about a position that the terms share: piece sets, attacks and king zones.

use crate::board::Board;
use crate::types::{Color, PieceKind, Square, SquareSet, king_attacks, knight_attacks};

use super::lines::{diagonal_from, orthogonal_from};

/// Attacks of one side on the enemy king's zone.
#[derive(Clone, Copy, Default)]
pub(super) struct KingPressure {
    /// Number of pieces that attack the zone, by kind.
    pub(super) attackers: [u8; 6],
    /// Number of attacked squares in the zone, summed over these pieces.
    pub(super) attacks: usize,
}

/// Piece sets and attacks of one position, built once per evaluation.
///
/// Arrays are indexed by [`Color::index`], then by [`PieceKind::index`].
pub(super) struct EvalContext<'a> {
    /// The evaluated position.
    pub(super) board: &'a Board,
    /// Squares of each kind of piece.
    pub(super) kinds: [[SquareSet; 6]; 2],
    /// Squares of all pieces of a side.
    pub(super) side: [SquareSet; 2],
    /// All occupied squares.
    pub(super) occupied: SquareSet,
    /// Squares of the kings.
    pub(super) king: [Square; 2],
    /// Squares near each king in which attacks on it are counted.
    pub(super) king_zone: [SquareSet; 2],
    /// Squares that count towards the mobility of a side's pieces.
    pub(super) mobility_area: [SquareSet; 2],
    /// Squares attacked by each kind of piece.
    pub(super) attacks_by: [[SquareSet; 6]; 2],
    /// Squares attacked by each side.
    pub(super) attacked: [SquareSet; 2],
    /// Squares attacked by at least two pieces of a side.
    pub(super) attacked_twice: [SquareSet; 2],
    /// Squares attacked by two pawns of a side.
    pub(super) pawns_attack_twice: [SquareSet; 2],
    /// Attacks of each side on the enemy king's zone.
    pub(super) pressure: [KingPressure; 2],
}

impl<'a> EvalContext<'a> {
    /// Collects the piece sets of `board` and the attacks of kings and pawns, and calls `visit` for each piece.
    ///
    /// Attacks of other pieces are added later with [`EvalContext::add_attacks`].
    #[inline]
    pub(super) fn new(
        board: &'a Board,
        mut visit: impl FnMut(Color, PieceKind, Square),
    ) -> EvalContext<'a> {
        let mut kinds = [[SquareSet::EMPTY; 6]; 2];
        let mut side = [SquareSet::EMPTY; 2];
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let mut squares = SquareSet::EMPTY;
                for square in board.pieces(color, kind) {
                    squares.insert(square);
                    visit(color, kind, square);
                }
                kinds[color.index()][kind.index()] = squares;
                side[color.index()] |= squares;
            }
        }
        let king = [board.king(Color::White), board.king(Color::Black)];
        let mut context = EvalContext {
            board,
            kinds,
            side,
            occupied: side[0] | side[1],
            king,
            king_zone: [SquareSet::EMPTY; 2],
            mobility_area: [SquareSet::EMPTY; 2],
            attacks_by: [[SquareSet::EMPTY; 6]; 2],
            attacked: [SquareSet::EMPTY; 2],
            attacked_twice: [SquareSet::EMPTY; 2],
            pawns_attack_twice: [SquareSet::EMPTY; 2],
            pressure: [KingPressure::default(); 2],
        };
        for us in Color::ALL {
            context.add_king_and_pawns(us);
        }
        for us in Color::ALL {
            context.mobility_area[us.index()] = context.mobility_area_of(us);
        }
        context
    }

    /// Sets the king zone of `us` and adds the attacks of its king and pawns.
    #[inline]
    fn add_king_and_pawns(&mut self, us: Color) {
        let king = self.king[us.index()];
        let pawns = self.pieces(us, PieceKind::Pawn);
        self.king_zone[us.index()] = king_zone(king, us);
        self.pawns_attack_twice[us.index()] = pawns.pawn_double_attacks(us);
        self.attacked_twice[us.index()] = self.pawns_attack_twice[us.index()];
        self.add_attacks(us, PieceKind::Pawn, pawns.pawn_attacks(us));
        self.add_attacks(us, PieceKind::King, king_attacks(king));
    }

    /// Returns all squares except those attacked by enemy pawns, the own king's square and blocked own pawns.
    #[inline]
    fn mobility_area_of(&self, us: Color) -> SquareSet {
        let blocked = self.pieces(us, PieceKind::Pawn) & self.occupied.forward(!us);
        let excluded = self.attacks_by(!us, PieceKind::Pawn) | blocked;
        !(excluded | SquareSet::of(self.king[us.index()]))
    }

    /// Adds the attacks of one piece of `us`, or of all its pawns.
    #[inline]
    pub(super) fn add_attacks(&mut self, us: Color, kind: PieceKind, attacks: SquareSet) {
        let side = us.index();
        self.attacked_twice[side] |= self.attacked[side] & attacks;
        self.attacked[side] |= attacks;
        self.attacks_by[side][kind.index()] |= attacks;
    }

    /// Returns the squares attacked by a piece of `kind` on `square`; the empty set for a pawn.
    ///
    /// Lookups in square sets are faster here than the board's walk along its rays. A test compares the two.
    #[inline]
    pub(super) fn attacks_from(&self, kind: PieceKind, square: Square) -> SquareSet {
        match kind {
            PieceKind::Pawn => SquareSet::EMPTY,
            PieceKind::Knight => knight_attacks(square),
            PieceKind::Bishop => diagonal_from(square, self.occupied),
            PieceKind::Rook => orthogonal_from(square, self.occupied),
            PieceKind::Queen => {
                diagonal_from(square, self.occupied) | orthogonal_from(square, self.occupied)
            }
            PieceKind::King => king_attacks(square),
        }
    }

    /// Returns the squares of one kind of piece.
    #[inline]
    pub(super) fn pieces(&self, color: Color, kind: PieceKind) -> SquareSet {
        self.kinds[color.index()][kind.index()]
    }

    /// Returns the squares of the pawns of both sides.
    #[inline]
    pub(super) fn all_pawns(&self) -> SquareSet {
        self.pieces(Color::White, PieceKind::Pawn) | self.pieces(Color::Black, PieceKind::Pawn)
    }

    /// Returns the squares of knights and bishops.
    #[inline]
    pub(super) fn minors(&self, color: Color) -> SquareSet {
        self.pieces(color, PieceKind::Knight) | self.pieces(color, PieceKind::Bishop)
    }

    /// Returns the squares of rooks and queens.
    #[inline]
    pub(super) fn majors(&self, color: Color) -> SquareSet {
        self.pieces(color, PieceKind::Rook) | self.pieces(color, PieceKind::Queen)
    }

    /// Returns `true` if a side has pieces other than king and pawns.
    #[inline]
    pub(super) fn has_pieces(&self, color: Color) -> bool {
        !(self.minors(color) | self.majors(color)).is_empty()
    }

    /// Returns the squares attacked by one kind of piece.
    #[inline]
    pub(super) fn attacks_by(&self, color: Color, kind: PieceKind) -> SquareSet {
        self.attacks_by[color.index()][kind.index()]
    }

    /// Returns the squares attacked by a side.
    #[inline]
    pub(super) fn attacked(&self, color: Color) -> SquareSet {
        self.attacked[color.index()]
    }

    /// Returns the squares attacked by at least two pieces of a side.
    #[inline]
    pub(super) fn attacked_twice(&self, color: Color) -> SquareSet {
        self.attacked_twice[color.index()]
    }
}

/// Returns the king's square, its neighbours and the three squares in front of them.
///
/// On an edge file the zone is one file wider, so that a king in the corner does not look safer than one beside it.
#[inline]
fn king_zone(king: Square, us: Color) -> SquareSet {
    let block = king_attacks(king) | SquareSet::of(king);
    let zone = block | block.forward(us);
    if SquareSet::EDGE_FILES.contains(king) {
        zone.widened()
    } else {
        zone
    }
}
