//! The sums of rows for each position on the way from the root: the root's at once, others when they are asked for.

use arrayvec::ArrayVec;

use crate::board::Board;
use crate::types::{Color, File, MAX_PLY, Move, Piece, PieceKind, Square};

use super::features::{Placed, View};
use super::kernels::Kernels;
use super::net::{Network, Row, VIEWS};

/// Positions in a line, with some to spare.
const LAYERS: usize = MAX_PLY + 8;

/// What a move does to the rows.
#[derive(Clone, Copy)]
enum Change {
    /// Nothing: a null move.
    Nothing,
    /// A move or a promotion that takes nothing.
    Plain { added: Placed, removed: Placed },
    /// The same with a piece taken.
    Capture { added: Placed, removed: [Placed; 2] },
    /// King and rook move.
    Castle {
        added: [Placed; 2],
        removed: [Placed; 2],
    },
}

impl Change {
    /// What a legal move is going to change, and where the king goes if it moves.
    #[inline(always)]
    fn of(before: &Board, mv: Move) -> (Change, Option<Square>) {
        let us = before.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let (king_file, rook_file) = if to.file() > from.file() {
                (File::G, File::F)
            } else {
                (File::C, File::D)
            };
            let rank = from.rank();
            let king = Square::new(king_file, rank);
            let change = Change::Castle {
                added: [
                    Placed::new(us, PieceKind::King, king),
                    Placed::new(us, PieceKind::Rook, Square::new(rook_file, rank)),
                ],
                removed: [
                    Placed::new(us, PieceKind::King, from),
                    Placed::new(us, PieceKind::Rook, to),
                ],
            };
            return (change, Some(king));
        }
        let Some(Piece { kind, .. }) = before.piece_on(from) else {
            return (Change::Nothing, None); // not with a legal move
        };
        let king = (kind == PieceKind::King).then_some(to);
        let removed = Placed::new(us, kind, from);
        let added = Placed::new(us, mv.promotion().unwrap_or(kind), to);
        if !mv.is_capture() {
            return (Change::Plain { added, removed }, king);
        }
        let taken = match before.piece_on(to) {
            Some(Piece { color, kind }) => Placed::new(color, kind, to),
            None => {
                let passed = Square::new(to.file(), from.rank()); // en passant
                Placed::new(!us, PieceKind::Pawn, passed)
            }
        };
        let change = Change::Capture {
            added,
            removed: [removed, taken],
        };
        (change, king)
    }
}

/// One position of the line, but for its rows.
#[derive(Clone)]
struct Layer {
    /// Whether the rows are those of the position, by colour.
    is_ready: [bool; 2],
    /// How each side looks at the board.
    views: [View; 2],
    /// What the move that led here has changed.
    change: Change,
}

/// The row of the last position that was summed in some view, so that the next time only what differs is changed.
/// ("Finny tables": Luecx, in Koivisto.)
#[derive(Clone)]
struct Remembered {
    row: Row,
    /// Squares of the pieces in it, a bit each, by colour and kind.
    pieces: [[u64; 6]; 2],
}

/// All accumulators of one thread.
pub(super) struct Accumulators {
    kernels: Kernels,
    /// The line; beyond `top` it is of other times.
    layers: Box<[Layer]>,
    /// The rows of the line's positions, by colour. Apart, so that going back along the line stays in few cache lines.
    rows: Box<[[Row; 2]]>,
    top: usize,
    /// By colour and number of the view.
    remembered: [[Remembered; VIEWS]; 2],
}

impl Accumulators {
    pub fn new(network: &Network, kernels: Kernels) -> Accumulators {
        let empty = Remembered {
            row: network.biases,
            pieces: [[0; 6]; 2],
        };
        let layer = Layer {
            is_ready: [false; 2],
            views: Color::ALL.map(|side| View::new(side, Square::from_index(0))),
            change: Change::Nothing,
        };
        Accumulators {
            kernels,
            layers: vec![layer; LAYERS].into_boxed_slice(),
            rows: vec![[Row::ZERO; 2]; LAYERS].into_boxed_slice(),
            top: 0,
            remembered: std::array::from_fn(|_| std::array::from_fn(|_| empty.clone())),
        }
    }

    /// The line begins anew, at `board`, whose rows are worked out at once: if the search knows the value of the first
    /// position from elsewhere, it never asks for them, and no other row could be worked out from them.
    pub fn reset(&mut self, network: &Network, board: &Board) {
        self.top = 0;
        self.layers[0].views = views_of(board);
        for side in Color::ALL {
            self.refresh(network, board, self.layers[0].views[side.index()], side);
        }
    }

    /// A move is about to be made.
    #[inline]
    pub fn push(&mut self, before: &Board, mv: Move) {
        let (change, king) = Change::of(before, mv);
        let mut views = self.layers[self.top].views;
        if let Some(square) = king {
            let us = before.side_to_move();
            views[us.index()] = View::new(us, square);
        }
        self.push_layer(views, change);
    }

    /// A null move is about to be made.
    #[inline]
    pub fn push_null(&mut self) {
        self.push_layer(self.layers[self.top].views, Change::Nothing);
    }

    #[inline]
    fn push_layer(&mut self, views: [View; 2], change: Change) {
        self.top += 1;
        let layer = &mut self.layers[self.top];
        layer.is_ready = [false; 2];
        layer.views = views;
        layer.change = change;
    }

    /// The last move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// The accumulators of the present position, `board`: that of the side to move, then the other.
    #[inline]
    pub fn both(&mut self, network: &Network, board: &Board) -> [&Row; 2] {
        for side in Color::ALL {
            if !self.layers[self.top].is_ready[side.index()] {
                self.update(network, board, side);
            }
        }
        let rows = &self.rows[self.top];
        let us = board.side_to_move();
        [&rows[us.index()], &rows[(!us).index()]]
    }

    /// Works out a side's row from the nearest one before that is known, or, where that side has looked at the board in
    /// another way since, from what is remembered.
    fn update(&mut self, network: &Network, board: &Board, side: Color) {
        let index = side.index();
        let line = &mut self.layers[..=self.top];
        let Some(view) = line.last().map(|layer| layer.views[index]) else {
            return;
        };
        let same_view = |layer: &&Layer| layer.views[index] == view;
        let unknown = (line.iter().rev())
            .take_while(same_view)
            .take_while(|layer| !layer.is_ready[index])
            .count();
        let known = line.len().wrapping_sub(unknown + 1);
        if !line.get(known).is_some_and(|layer| same_view(&layer)) {
            self.refresh(network, board, view, side);
            return;
        }
        let rows = &mut self.rows[known..=self.top];
        for (number, layer) in (0..unknown).zip(&mut line[known + 1..]) {
            let Some([source, target]) = rows.get_mut(number..number + 2) else {
                return;
            };
            let (source, target) = (&source[index], &mut target[index]);
            let row = |placed| &network.rows[view.row(placed)];
            match layer.change {
                Change::Nothing => *target = *source,
                Change::Plain { added, removed } => {
                    (self.kernels.plain)(target, source, [row(added)], [row(removed)]);
                }
                Change::Capture { added, removed } => {
                    (self.kernels.capture)(target, source, [row(added)], removed.map(row));
                }
                Change::Castle { added, removed } => {
                    (self.kernels.update)(target, source, &added.map(row), &removed.map(row));
                }
            }
            layer.is_ready[index] = true;
        }
    }

    /// Works out a side's row of the present position from the last one that was summed in this view.
    fn refresh(&mut self, network: &Network, board: &Board, view: View, side: Color) {
        let remembered = &mut self.remembered[side.index()][view.number()];
        let mut added: ArrayVec<&Row, 64> = ArrayVec::new();
        let mut removed: ArrayVec<&Row, 64> = ArrayVec::new();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let before = &mut remembered.pieces[color.index()][kind.index()];
                let now = board
                    .pieces(color, kind)
                    .fold(0, |bits, square| bits | 1 << square.index());
                let row =
                    |square: Square| &network.rows[view.row(Placed::new(color, kind, square))];
                added.extend(squares(now & !*before).map(row));
                removed.extend(squares(*before & !now).map(row));
                *before = now;
            }
        }
        let source = remembered.row;
        (self.kernels.update)(&mut remembered.row, &source, &added, &removed);
        self.rows[self.top][side.index()] = remembered.row;
        self.layers[self.top].is_ready[side.index()] = true;
    }
}

fn views_of(board: &Board) -> [View; 2] {
    Color::ALL.map(|side| View::new(side, board.king(side)))
}

/// The squares of set bits.
fn squares(mut bits: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let square = Square::from_index(bits.trailing_zeros() as usize);
            bits &= bits - 1;
            square
        })
    })
}
