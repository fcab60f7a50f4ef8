//! What the terms share about one position: where everybody stands and what is attacked.

use crate::board::Board;
use crate::types::{Color, PieceKind, Square};

use super::lines::{diagonal_from, straight_from};
use super::square_set::{KING_STEPS, KNIGHT_JUMPS, SquareSet};

/// The pressure of one side on the enemy king's zone.
#[derive(Clone, Copy, Default)]
pub(super) struct KingPressure {
    /// Pieces that attack the zone, by kind.
    pub(super) attackers: [u8; 6],
    /// Attacked zone squares, summed over those pieces.
    pub(super) attacks: usize,
}

/// One position, taken apart. Built once per evaluation; every array goes by [`Color::index`], then
/// by [`PieceKind::index`].
pub(super) struct EvalContext<'a> {
    /// The position itself.
    pub(super) board: &'a Board,
    /// Squares of each kind of piece.
    pub(super) kinds: [[SquareSet; 6]; 2],
    /// Squares of all pieces of a side.
    pub(super) side: [SquareSet; 2],
    /// All occupied squares.
    pub(super) occupied: SquareSet,
    /// Where the kings stand.
    pub(super) king: [Square; 2],
    /// The king's surroundings, where attacks on it are counted.
    pub(super) king_zone: [SquareSet; 2],
    /// Squares that count for a piece's mobility.
    pub(super) mobility_area: [SquareSet; 2],
    /// Squares each kind of piece attacks.
    pub(super) attacks_by: [[SquareSet; 6]; 2],
    /// Squares attacked at all.
    pub(super) attacked: [SquareSet; 2],
    /// Squares attacked at least twice.
    pub(super) attacked_twice: [SquareSet; 2],
    /// Squares attacked by two pawns.
    pub(super) pawns_attack_twice: [SquareSet; 2],
    /// What a side does to the enemy king.
    pub(super) pressure: [KingPressure; 2],
}

impl<'a> EvalContext<'a> {
    /// Takes `board` apart as far as kings and pawns go; [`EvalContext::add_attacks`] brings the rest.
    /// `visit` sees every piece on the way.
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

    #[inline]
    fn add_king_and_pawns(&mut self, us: Color) {
        let king = self.king[us.index()];
        let pawns = self.pieces(us, PieceKind::Pawn);
        self.king_zone[us.index()] = king_zone(king, us);
        self.pawns_attack_twice[us.index()] = pawns.pawn_double_attacks(us);
        self.attacked_twice[us.index()] = self.pawns_attack_twice[us.index()];
        self.add_attacks(us, PieceKind::Pawn, pawns.pawn_attacks(us));
        self.add_attacks(us, PieceKind::King, KING_STEPS[king.index()]);
    }

    /// Not where an enemy pawn takes, not the own king's square, not own pawns that cannot move.
    #[inline]
    fn mobility_area_of(&self, us: Color) -> SquareSet {
        let blocked = self.pieces(us, PieceKind::Pawn) & self.occupied.forward(!us);
        let spoiled = self.attacks_by(!us, PieceKind::Pawn) | blocked;
        !(spoiled | SquareSet::of(self.king[us.index()]))
    }

    /// Enters what one piece of `us` (or all its pawns) attacks.
    #[inline]
    pub(super) fn add_attacks(&mut self, us: Color, kind: PieceKind, attacks: SquareSet) {
        let side = us.index();
        self.attacked_twice[side] |= self.attacked[side] & attacks;
        self.attacked[side] |= attacks;
        self.attacks_by[side][kind.index()] |= attacks;
    }

    /// The squares that a piece of this kind on `square` attacks; not for pawns.
    ///
    /// The board can answer this too, but walks its rays step by step; with the sets at hand here it
    /// takes fewer steps. A test compares the two.
    #[inline]
    pub(super) fn attacks_from(&self, kind: PieceKind, square: Square) -> SquareSet {
        match kind {
            PieceKind::Pawn => SquareSet::EMPTY,
            PieceKind::Knight => KNIGHT_JUMPS[square.index()],
            PieceKind::Bishop => diagonal_from(square, self.occupied),
            PieceKind::Rook => straight_from(square, self.occupied),
            PieceKind::Queen => {
                diagonal_from(square, self.occupied) | straight_from(square, self.occupied)
            }
            PieceKind::King => KING_STEPS[square.index()],
        }
    }

    /// The squares of one kind of piece.
    #[inline]
    pub(super) fn pieces(&self, color: Color, kind: PieceKind) -> SquareSet {
        self.kinds[color.index()][kind.index()]
    }

    /// The squares of the pawns of both sides.
    #[inline]
    pub(super) fn all_pawns(&self) -> SquareSet {
        self.pieces(Color::White, PieceKind::Pawn) | self.pieces(Color::Black, PieceKind::Pawn)
    }

    /// The squares of knights and bishops.
    #[inline]
    pub(super) fn minors(&self, color: Color) -> SquareSet {
        self.pieces(color, PieceKind::Knight) | self.pieces(color, PieceKind::Bishop)
    }

    /// The squares of rooks and queens.
    #[inline]
    pub(super) fn majors(&self, color: Color) -> SquareSet {
        self.pieces(color, PieceKind::Rook) | self.pieces(color, PieceKind::Queen)
    }

    /// Whether a side has anything but king and pawns.
    #[inline]
    pub(super) fn has_pieces(&self, color: Color) -> bool {
        !(self.minors(color) | self.majors(color)).is_empty()
    }

    /// The squares one kind of piece attacks.
    #[inline]
    pub(super) fn attacks_by(&self, color: Color, kind: PieceKind) -> SquareSet {
        self.attacks_by[color.index()][kind.index()]
    }

    /// The squares a side attacks.
    #[inline]
    pub(super) fn attacked(&self, color: Color) -> SquareSet {
        self.attacked[color.index()]
    }

    /// The squares a side attacks at least twice.
    #[inline]
    pub(super) fn attacked_twice(&self, color: Color) -> SquareSet {
        self.attacked_twice[color.index()]
    }
}

/// The king's square, its steps and the next rank towards the enemy; on an edge file one file more,
/// so that a king in the corner does not look safer than one beside it.
#[inline]
fn king_zone(king: Square, us: Color) -> SquareSet {
    let block = KING_STEPS[king.index()] | SquareSet::of(king);
    let zone = block | block.forward(us);
    if SquareSet::EDGE_FILES.contains(king) {
        zone.widened()
    } else {
        zone
    }
}
