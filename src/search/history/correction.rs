//! Corrections of the static evaluation: by how much searches of similar positions came to another score.
//!
//! Positions are similar when they share their pawns, their minor pieces, the pieces of one colour, or the two moves
//! that led to them. (Idea: Caissa and Stockfish, 2024.)

use prefetch_index::prefetch_index;

use crate::board::Board;
use crate::config::Parameters;
use crate::types::{Color, Depth, Score};

use super::{NO_PIECE_SQUARE, PIECE_SQUARES, PieceSquare};

/// Entries of a table for one side to move; a power of two.
const SIZE: usize = 16_384;

/// No entry goes beyond this, either way.
const LIMIT: i32 = 1024;

/// Tables that keys index: pawns, minor pieces, White's pieces, Black's pieces.
const KEYED: usize = 4;

/// All corrections of one thread.
#[derive(Debug)]
pub(in crate::search) struct Corrections {
    /// By table, side to move and key.
    keyed: Box<[i16]>,
    /// By the last two moves.
    moves: Box<[i16]>,
}

impl Corrections {
    pub fn new() -> Corrections {
        Corrections {
            keyed: vec![0; KEYED * 2 * SIZE].into(),
            moves: vec![0; PIECE_SQUARES * PIECE_SQUARES].into(),
        }
    }

    /// What to add to the static evaluation, in centipawns.
    #[inline]
    pub fn of(&self, places: Places, moves: [PieceSquare; 2], parameters: &Parameters) -> i32 {
        let entry = |table: usize| i32::from(self.keyed[places.0[table] as usize]);
        let sum = entry(0) * parameters.correction_pawns()
            + entry(1) * parameters.correction_minors()
            + (entry(2) + entry(3)) * parameters.correction_pieces()
            + i32::from(self.moves[moves_index(moves)]) * parameters.correction_moves();
        sum / LIMIT
    }

    /// Has what [`Corrections::of`] reads brought nearer while other work is done.
    #[inline]
    pub fn prefetch(&self, places: Places, moves: [PieceSquare; 2]) {
        for place in places.0 {
            prefetch_index(&*self.keyed, place as usize);
        }
        prefetch_index(&*self.moves, moves_index(moves));
    }

    /// Learns that a search to `depth` found `score` where the evaluation had said `eval`.
    pub fn learn(
        &mut self,
        places: Places,
        moves: [PieceSquare; 2],
        depth: Depth,
        score: Score,
        eval: Score,
    ) {
        let bonus = ((score.0 - eval.0) * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        for place in places.0 {
            update(&mut self.keyed[place as usize], bonus);
        }
        if moves[0] != NO_PIECE_SQUARE {
            update(&mut self.moves[moves_index(moves)], bonus);
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.keyed.fill(0);
        self.moves.fill(0);
    }
}

/// Where the entries of a position are in the keyed tables.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Places([u32; KEYED]);

impl Places {
    /// Of no position yet.
    pub const NONE: Places = Places([0; KEYED]);

    /// Of this position.
    #[inline]
    pub fn of(board: &Board) -> Places {
        let side = board.side_to_move().index();
        let keys = [
            board.pawn_key(),
            board.minor_key(),
            board.non_pawn_key(Color::White),
            board.non_pawn_key(Color::Black),
        ];
        let place = |table: usize| (table * 2 + side) * SIZE + keys[table].0 as usize % SIZE;
        Places(std::array::from_fn(|table| place(table) as u32))
    }
}

#[inline]
fn moves_index([last, before]: [PieceSquare; 2]) -> usize {
    usize::from(before) * PIECE_SQUARES + usize::from(last)
}

#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_searches_find_moves_the_evaluation() {
        let (places, parameters) = (Places::of(&Board::standard()), Parameters::default());
        let moves = [67, 69];
        let mut corrections = Corrections::new();
        assert_eq!(corrections.of(places, moves, &parameters), 0);
        for _ in 0..50 {
            corrections.learn(places, moves, 8, Score(80), Score(0));
        }
        let learned = corrections.of(places, moves, &parameters);
        assert!((10..=400).contains(&learned), "{learned}");
        assert!(corrections.of(places, [65, 65], &parameters) < learned);
        for _ in 0..500 {
            corrections.learn(places, moves, 20, Score(-2000), Score(0));
        }
        assert!(corrections.of(places, moves, &parameters) < -10);
        corrections.clear();
        assert_eq!(corrections.of(places, moves, &parameters), 0);
    }
}
