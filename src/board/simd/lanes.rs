//! Constants of the vectorised functions: steps around a piece, and steps of sets of squares.
//!
//! A lane is a part of a register: a byte of the surroundings of a piece, or a set of squares with 64 bits.

use super::super::geometry::{DIAGONAL_STEPS, Index0x88, KNIGHT_STEPS, STRAIGHT_STEPS};

/// Contents of 64 bytes, from which registers of any size are loaded.
#[repr(C, align(64))]
pub(super) struct Register<T>(pub T);

/// Steps of a knight in the first eight lanes.
pub(super) static LEAPS: Register<[Index0x88; 64]> = knight_lanes(KNIGHT_STEPS);
/// Steps along the diagonals: eight lanes for each ray. The last step of a ray always ends off the board.
pub(super) static DIAGONALS: Register<[Index0x88; 64]> = ray_lanes(DIAGONAL_STEPS);
/// Steps along files and ranks: eight lanes for each ray. The last step of a ray always ends off the board.
pub(super) static ORTHOGONALS: Register<[Index0x88; 64]> = ray_lanes(STRAIGHT_STEPS);

/// The lowest bit of each ray in a set of the lanes of [`DIAGONALS`] or [`ORTHOGONALS`].
const RAY_STARTS: u32 = 0x0101_0101;

/// Steps of sets of squares in eight directions: four that lead to higher square numbers, and their opposites in the
/// same order.
pub(super) struct Steps {
    /// Rotation to the left that makes the step, by direction.
    pub rotations: Register<[[u64; 4]; 2]>,
    /// Squares to which the step leads without leaving the board, by direction.
    pub reached: Register<[[u64; 4]; 2]>,
}

/// Steps to neighbouring squares: diagonally, then along files and ranks, in both halves.
pub(super) static NEIGHBOURS: Steps = steps([(-1, 1), (1, 1), (0, 1), (1, 0)]);

/// Steps of a knight.
pub(super) static KNIGHT: Steps = steps([(1, 2), (2, 1), (-2, 1), (-1, 2)]);

/// Permutations of the bytes of eight moves, which put the moves of a set of four at the front: for sets of the first
/// four moves, and for sets of the others.
pub(super) static PACKED: [[Register16; 16]; 2] = packed();

/// A table of 16 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Register16(pub [u8; 16]);

/// Returns the lanes of the rays up to and including the first lane of each ray in `full`.
///
/// `full` contains the last lane of each ray, so that the subtraction borrows nothing from the next ray.
#[inline(always)]
pub(super) fn seen(full: u32) -> u32 {
    full ^ full.wrapping_sub(RAY_STARTS)
}

const fn knight_lanes(steps: [Index0x88; 8]) -> Register<[Index0x88; 64]> {
    let mut indices = [0; 64];
    let mut lane = 0;
    while lane < 8 {
        indices[lane] = steps[lane];
        lane += 1;
    }
    Register(indices)
}

const fn ray_lanes(steps: [Index0x88; 4]) -> Register<[Index0x88; 64]> {
    let mut indices = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        indices[lane] = steps[lane / 8].wrapping_mul(lane as Index0x88 % 8 + 1);
        lane += 1;
    }
    Register(indices)
}

/// Creates the table from the first four steps as (files to the east, ranks to the north).
const fn steps(first: [(i64, i64); 4]) -> Steps {
    let mut rotations = [[0; 4]; 2];
    let mut reached = [[0; 4]; 2];
    let mut lane = 0;
    while lane < 8 {
        let (mut east, mut north) = first[lane % 4];
        if lane >= 4 {
            (east, north) = (-east, -north);
        }
        rotations[lane / 4][lane % 4] = (8 * north + east).rem_euclid(64) as u64;
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8 - east, square / 8 - north);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                reached[lane / 4][lane % 4] |= 1 << square;
            }
            square += 1;
        }
        lane += 1;
    }
    Steps {
        rotations: Register(rotations),
        reached: Register(reached),
    }
}

const fn packed() -> [[Register16; 16]; 2] {
    let mut tables = [[Register16([0; 16]); 16]; 2];
    let mut index = 0;
    while index < 32 {
        let (half, set) = (index / 16, index % 16);
        let (mut lane, mut count) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 != 0 {
                let byte = 8 * half + 2 * lane;
                tables[half][set].0[count] = byte as u8;
                tables[half][set].0[count + 1] = byte as u8 + 1;
                count += 2;
            }
            lane += 1;
        }
        index += 1;
    }
    tables
}
