//! A sample: a position from the perspective of the side to move, with its training targets.

use gaur::board::Board;
use gaur::types::PieceKind;

use super::constants::{MAX_PIECES, RECORD_BYTES};
use super::error::BadSample;

/// Bit of a piece code that marks the opponent's pieces.
const OPPONENT: u8 = 8;

/// Code of the own king.
const KING: u8 = 5;

/// A training sample. Squares are numbered from a1, b1 to h8 after the board has been turned so that the side to move
/// moves up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Occupied squares, one bit each.
    pub occupied: u64,
    /// A code for each occupied square, in the order of the squares: 0 to 5 from pawn to king, plus 8 for a piece of
    /// the opponent. All others are 0.
    pub pieces: [u8; MAX_PIECES],
    /// Score of the search in centipawns, for the side to move.
    pub score: i16,
    /// Half points of the side to move: 0 lost, 1 draw, 2 won.
    pub result: u8,
    /// TD(lambda) return for the side to move, 0 to 65535.
    pub lambda_return: u16,
}

impl Sample {
    /// Returns a sample with the pieces of `board`, from the perspective of the side to move, and without targets.
    pub fn of_board(board: &Board) -> Sample {
        let us = board.side_to_move();
        let mut sample = Sample::default();
        let mut codes = [0; 64];
        for (side, color) in [us, !us].into_iter().enumerate() {
            for kind in PieceKind::ALL {
                for square in board.pieces(color, kind) {
                    let index = square.relative_to(us).index();
                    codes[index] = (side * 8 + kind.index()) as u8;
                    sample.occupied |= 1 << index;
                }
            }
        }
        let mut left = sample.occupied;
        for code in &mut sample.pieces {
            if left == 0 {
                break;
            }
            *code = codes[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        sample
    }

    /// Returns the bytes of the record.
    pub fn to_bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[0..8].copy_from_slice(&self.occupied.to_le_bytes());
        for (index, pair) in self.pieces.as_chunks::<2>().0.iter().enumerate() {
            bytes[8 + index] = pair[0] | pair[1] << 4;
        }
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        // A sample without kings cannot be read.
        bytes[27] = self.square_of(KING).unwrap_or(0);
        bytes[28] = self.square_of(KING | OPPONENT).unwrap_or(0) ^ 56;
        bytes[30..32].copy_from_slice(&self.lambda_return.to_le_bytes());
        bytes
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If the bytes are no record of a position with one king on each side.
    pub fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Result<Sample, BadSample> {
        let mut sample = Sample::default();
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&bytes[0..8]);
        sample.occupied = u64::from_le_bytes(occupied);
        let count = sample.occupied.count_ones();
        if !(2..=MAX_PIECES as u32).contains(&count) {
            return Err(BadSample::Pieces(count));
        }
        for (index, code) in sample.pieces.iter_mut().enumerate() {
            *code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
            if index >= count as usize && *code != 0 {
                return Err(BadSample::Unused(8 + index / 2));
            }
            if *code & !OPPONENT > KING {
                return Err(BadSample::Code(*code));
            }
        }
        sample.score = i16::from_le_bytes([bytes[24], bytes[25]]);
        sample.result = bytes[26];
        if sample.result > 2 {
            return Err(BadSample::Result(sample.result));
        }
        let squares = [
            sample.square_of(KING),
            sample.square_of(KING | OPPONENT).map(|square| square ^ 56),
        ];
        if squares != [Some(bytes[27]), Some(bytes[28])] {
            return Err(BadSample::Kings);
        }
        if bytes[29] != 0 {
            return Err(BadSample::Unused(29));
        }
        sample.lambda_return = u16::from_le_bytes([bytes[30], bytes[31]]);
        Ok(sample)
    }

    /// Returns the pieces as pairs of square and code, in the order of the squares.
    pub fn placed(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let squares = (0..64).filter(|square| self.occupied >> square & 1 != 0);
        squares.zip(self.pieces)
    }

    /// Returns the square of the only piece with this code.
    fn square_of(&self, code: u8) -> Option<u8> {
        let mut squares = self.placed().filter(|&(_, other)| other == code);
        match (squares.next(), squares.next()) {
            (Some((square, _)), None) => Some(square),
            _ => None,
        }
    }
}
