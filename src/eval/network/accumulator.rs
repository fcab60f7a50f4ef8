//! The sums of rows for each position on the way from the root, worked out when they are asked for.

use arrayvec::ArrayVec;

use crate::board::Board;
use crate::types::{Color, File, MAX_PLY, Move, Piece, PieceKind, Square};

use super::features::{Placed, View};
use super::kernels::Kernels;
use super::net::{Network, Row, VIEWS};

/// Positions in a line, with some to spare.
const LAYERS: usize = MAX_PLY + 8;

/// What a move does to the rows: at most two pieces appear and two disappear.
#[derive(Clone, Default)]
struct Change {
    added: ArrayVec<Placed, 2>,
    removed: ArrayVec<Placed, 2>,
}

impl Change {
    /// What a legal move is going to change.
    fn of(before: &Board, mv: Move) -> Change {
        let mut change = Change::default();
        let us = before.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let (king_file, rook_file) = if to.file() > from.file() {
                (File::G, File::F)
            } else {
                (File::C, File::D)
            };
            let rank = from.rank();
            change.removed.push((us, PieceKind::King, from));
            change.removed.push((us, PieceKind::Rook, to));
            change
                .added
                .push((us, PieceKind::King, Square::new(king_file, rank)));
            change
                .added
                .push((us, PieceKind::Rook, Square::new(rook_file, rank)));
            return change;
        }
        if let Some(Piece { kind, .. }) = before.piece_on(from) {
            change.removed.push((us, kind, from));
            change.added.push((us, mv.promotion().unwrap_or(kind), to));
        }
        if let Some(Piece { color, kind }) = before.piece_on(to) {
            change.removed.push((color, kind, to));
        } else if mv.is_capture() {
            let passed = Square::new(to.file(), from.rank()); // en passant
            change.removed.push((!us, PieceKind::Pawn, passed));
        }
        change
    }
}

/// One position of the line.
#[derive(Clone)]
struct Layer {
    /// By colour.
    rows: [Row; 2],
    /// Whether these rows are those of the position.
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
            rows: [Row::ZERO; 2],
            is_ready: [false; 2],
            views: Color::ALL.map(|side| View::new(side, Square::from_index(0))),
            change: Change::default(),
        };
        Accumulators {
            kernels,
            layers: vec![layer; LAYERS].into_boxed_slice(),
            top: 0,
            remembered: std::array::from_fn(|_| std::array::from_fn(|_| empty.clone())),
        }
    }

    /// The line begins anew, at `board`.
    pub fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.layers[0].is_ready = [false; 2];
        self.layers[0].views = views_of(board);
    }

    /// A move is about to be made.
    #[inline]
    pub fn push(&mut self, before: &Board, mv: Move) {
        let change = Change::of(before, mv);
        let mut views = self.layers[self.top].views;
        for &(color, kind, square) in &change.added {
            if kind == PieceKind::King {
                views[color.index()] = View::new(color, square);
            }
        }
        self.push_layer(views, change);
    }

    /// A null move is about to be made.
    #[inline]
    pub fn push_null(&mut self) {
        self.push_layer(self.layers[self.top].views, Change::default());
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
        let rows = &self.layers[self.top].rows;
        let us = board.side_to_move();
        [&rows[us.index()], &rows[(!us).index()]]
    }

    /// Works out a side's row from the nearest one before that is known, or, where that side has looked at the board in
    /// another way since, from what is remembered.
    fn update(&mut self, network: &Network, board: &Board, side: Color) {
        let index = side.index();
        let view = self.layers[self.top].views[index];
        let known = self.layers[..self.top]
            .iter()
            .rposition(|layer| layer.is_ready[index] || layer.views[index] != view)
            .filter(|&number| self.layers[number].views[index] == view);
        let Some(known) = known else {
            self.refresh(network, board, view, side);
            return;
        };
        for number in known..self.top {
            let [source, target] = &mut self.layers[number..=number + 1] else {
                break;
            };
            let row = |&placed: &Placed| &network.rows[view.row(placed)];
            let added: ArrayVec<&Row, 2> = target.change.added.iter().map(row).collect();
            let removed: ArrayVec<&Row, 2> = target.change.removed.iter().map(row).collect();
            (self.kernels.update)(
                &mut target.rows[index],
                &source.rows[index],
                &added,
                &removed,
            );
            target.is_ready[index] = true;
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
                let row = |square: Square| &network.rows[view.row((color, kind, square))];
                added.extend(squares(now & !*before).map(row));
                removed.extend(squares(*before & !now).map(row));
                *before = now;
            }
        }
        let target = &mut self.layers[self.top];
        let source = remembered.row;
        (self.kernels.update)(&mut remembered.row, &source, &added, &removed);
        target.rows[side.index()] = remembered.row;
        target.is_ready[side.index()] = true;
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
