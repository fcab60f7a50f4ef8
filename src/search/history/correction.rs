//! Correction history: learned errors of the static evaluation in similar positions.
//!
//! Positions are similar if they have the same pawns, minor pieces, or pieces other than pawns of a colour, or if the
//! same two moves led to them. (Caissa and Stockfish, 2024.)

use prefetch_index::prefetch_index;

use crate::board::Board;
use crate::config::Parameters;
use crate::types::{Color, Depth, Score};

use super::gravity::add_with_gravity;
use super::piece_to::{NO_PIECE_TO, PIECE_TO_COUNT, PieceTo};

/// Entries of a keyed table per side to move; a power of two.
const SIZE: usize = 16_384;

/// Limit of an entry.
const CORRECTION_MAX: i32 = 1024;

/// Number of keyed tables: pawns, minor pieces, White's and Black's pieces other than pawns.
const KEYED_TABLES: usize = 4;

/// The correction history of one thread.
#[derive(Debug)]
pub(in crate::search) struct CorrectionHistory {
    /// Index: table, side to move, key.
    keyed: Box<[i16]>,
    /// Index: move two plies before, last move.
    moves: Box<[i16]>,
}

impl CorrectionHistory {
    /// Creates tables without corrections.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory {
            keyed: vec![0; KEYED_TABLES * 2 * SIZE].into(),
            moves: vec![0; PIECE_TO_COUNT * PIECE_TO_COUNT].into(),
        }
    }

    /// Returns the correction to add to the static evaluation, in centipawns.
    #[inline]
    pub fn correction(
        &self,
        indices: CorrectionIndices,
        last_moves: [PieceTo; 2],
        parameters: &Parameters,
    ) -> i32 {
        let entry = |table: usize| i32::from(self.keyed[indices.0[table] as usize]);
        let sum = entry(0) * parameters.correction_pawns()
            + entry(1) * parameters.correction_minors()
            + (entry(2) + entry(3)) * parameters.correction_pieces()
            + i32::from(self.moves[moves_index(last_moves)]) * parameters.correction_moves();
        sum / CORRECTION_MAX
    }

    /// Prefetches the entries that [`CorrectionHistory::correction`] reads into the cache.
    #[inline]
    pub fn prefetch(&self, indices: CorrectionIndices, last_moves: [PieceTo; 2]) {
        for index in indices.0 {
            prefetch_index(&*self.keyed, index as usize);
        }
        prefetch_index(&*self.moves, moves_index(last_moves));
    }

    /// Updates the tables after a search to `depth` that returned `score` where the static evaluation was `eval`.
    pub fn update(
        &mut self,
        indices: CorrectionIndices,
        last_moves: [PieceTo; 2],
        depth: Depth,
        score: Score,
        eval: Score,
    ) {
        let bonus = ((score.0 - eval.0) * depth / 8).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        for index in indices.0 {
            add_with_gravity::<CORRECTION_MAX>(&mut self.keyed[index as usize], bonus);
        }
        if last_moves[0] != NO_PIECE_TO {
            let entry = &mut self.moves[moves_index(last_moves)];
            add_with_gravity::<CORRECTION_MAX>(entry, bonus);
        }
    }

    /// Clears all corrections.
    pub fn clear(&mut self) {
        self.keyed.fill(0);
        self.moves.fill(0);
    }
}

/// The indices of a position in the keyed tables.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct CorrectionIndices([u32; KEYED_TABLES]);

impl CorrectionIndices {
    /// Indices before a position is known.
    pub const NONE: CorrectionIndices = CorrectionIndices([0; KEYED_TABLES]);

    /// Returns the indices of a position.
    #[inline]
    pub fn of(board: &Board) -> CorrectionIndices {
        let side = board.side_to_move().index();
        let keys = [
            board.pawn_key(),
            board.minor_key(),
            board.non_pawn_key(Color::White),
            board.non_pawn_key(Color::Black),
        ];
        let index = |table: usize| (table * 2 + side) * SIZE + keys[table].0 as usize % SIZE;
        CorrectionIndices(std::array::from_fn(|table| index(table) as u32))
    }
}

/// Returns the index of the last two moves, the last one first.
#[inline]
fn moves_index([last, before]: [PieceTo; 2]) -> usize {
    usize::from(before) * PIECE_TO_COUNT + usize::from(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_search_scores() {
        let indices = CorrectionIndices::of(&Board::standard());
        let parameters = Parameters::default();
        let moves = [67, 69];
        let mut corrections = CorrectionHistory::new();
        assert_eq!(corrections.correction(indices, moves, &parameters), 0);
        for _ in 0..50 {
            corrections.update(indices, moves, 8, Score(80), Score(0));
        }
        let learned = corrections.correction(indices, moves, &parameters);
        assert!((10..=400).contains(&learned), "{learned}");
        assert!(corrections.correction(indices, [65, 65], &parameters) < learned);
        for _ in 0..500 {
            corrections.update(indices, moves, 20, Score(-2000), Score(0));
        }
        assert!(corrections.correction(indices, moves, &parameters) < -10);
        corrections.clear();
        assert_eq!(corrections.correction(indices, moves, &parameters), 0);
    }
}
