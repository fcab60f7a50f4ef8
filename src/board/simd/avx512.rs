//! AVX-512 with permutations of bytes: a 0x88 code has as many bits as the index of a byte in two registers, so that
//! the board is one table, and all squares around a piece are read at once.
//!
//! (Rays of a byte board by permutations: the engines rose and Clockwork. All directions filled at once by rotations:
//! the Chess Programming Wiki on Kogge-Stone algorithms.)
#![allow(unsafe_code)]

use std::arch::is_x86_feature_detected as has;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512, _mm512_castsi512_si256,
    _mm512_cmpeq_epi8_mask, _mm512_cmpgt_epi8_mask, _mm512_cvtepu8_epi16, _mm512_loadu_si512,
    _mm512_mask_mov_epi16, _mm512_mask_or_epi64, _mm512_maskz_compress_epi16, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_permutex2var_epi8, _mm512_reduce_or_epi64, _mm512_rolv_epi64,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi64, _mm512_slli_epi16, _mm512_storeu_si512,
    _mm512_test_epi8_mask,
};

use crate::types::{
    Color, MAX_LEGAL_MOVES, MOVE_LIST_CAPACITY, MoveKind, MoveList, PieceKind, PieceSet, SquareSet,
};

use super::super::Board;
use super::super::geometry::{DIAGONAL_STEPS, Index0x88, KNIGHT_STEPS, STRAIGHT_STEPS};
use super::super::mailbox::piece_code;

/// Proof that this processor has what the functions below need.
#[derive(Clone, Copy, Debug)]
pub(in crate::board) struct Avx512(());

/// 64 bytes or eight sets of squares, for one register.
#[repr(C, align(64))]
struct Register<T>(T);

/// By which codes a piece steps. Sliders have eight for each ray, of which the last always leads off the board.
static LEAPS: Register<[Index0x88; 64]> = leaps(KNIGHT_STEPS);
static DIAGONALS: Register<[Index0x88; 64]> = rays(DIAGONAL_STEPS);
static STRAIGHTS: Register<[Index0x88; 64]> = rays(STRAIGHT_STEPS);

/// The codes of the 64 squares in the order of their indices.
static SQUARES: Register<[Index0x88; 64]> = squares();

/// A step in sets of squares, for eight directions: by how much to rotate, and which squares it can reach.
struct Steps {
    rotations: Register<[i64; 8]>,
    reached: Register<[u64; 8]>,
}

/// Steps to neighbours; the first two are those of a white pawn that takes, the next two those of a black one.
static NEIGHBOURS: Steps = steps([
    (-1, 1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (0, 1),
    (0, -1),
    (1, 0),
    (-1, 0),
]);
const DIAGONAL_LANES: u8 = 0b0000_1111;
const STRAIGHT_LANES: u8 = 0b1111_0000;

/// A knight's leaps.
static KNIGHT: Steps = steps([
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);

/// Moves in a register: so much room a list must have, though fewer are added.
const WIDTH: usize = 32;
const _: () = assert!(MOVE_LIST_CAPACITY >= MAX_LEGAL_MOVES + WIDTH);

const fn leaps(steps: [Index0x88; 8]) -> Register<[Index0x88; 64]> {
    let mut codes = [0; 64];
    let mut lane = 0;
    while lane < 8 {
        codes[lane] = steps[lane];
        lane += 1;
    }
    Register(codes)
}

const fn rays(steps: [Index0x88; 4]) -> Register<[Index0x88; 64]> {
    let mut codes = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        codes[lane] = steps[lane / 8].wrapping_mul(lane as Index0x88 % 8 + 1);
        lane += 1;
    }
    Register(codes)
}

const fn squares() -> Register<[Index0x88; 64]> {
    let mut codes = [0; 64];
    let mut square = 0;
    while square < 64 {
        codes[square] = (((square / 8) << 4) | (square % 8)) as Index0x88;
        square += 1;
    }
    Register(codes)
}

/// From files to the east and ranks to the north.
const fn steps(steps: [(i64, i64); 8]) -> Steps {
    let mut rotations = [0; 8];
    let mut reached = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        let (east, north) = steps[lane];
        rotations[lane] = (8 * north + east).rem_euclid(64);
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8 - east, square / 8 - north);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                reached[lane] |= 1 << square;
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

impl Avx512 {
    /// Returns proof if this processor supports the instruction set.
    pub fn detect() -> Option<Avx512> {
        let is_there =
            has!("avx512f") && has!("avx512bw") && has!("avx512vbmi") && has!("avx512vbmi2");
        is_there.then_some(Avx512(()))
    }

    /// Adds the moves of the `free` knights, bishops, rooks and queens of the side to move to `moves`: those that take
    /// something if `NOISY`, the others if `QUIET`; in the order of the plain generator.
    #[inline]
    pub fn piece_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        self,
        board: &Board,
        free: PieceSet,
        moves: &mut MoveList,
    ) {
        // SAFETY: whoever has a value of this type has asked the processor.
        unsafe { piece_moves_here::<WHITE, NOISY, QUIET>(board, free, moves) }
    }

    /// As [`Board::attack_map`], a bit for each square.
    #[inline]
    pub fn attack_map(self, board: &Board, by: Color) -> SquareSet {
        // SAFETY: as above.
        SquareSet::from_bits(unsafe { attack_map_here(board, by) })
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn piece_moves_here<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
    board: &Board,
    free: PieceSet,
    moves: &mut MoveList,
) {
    let us = if WHITE { Color::White } else { Color::Black };
    let list = board.list(us);
    let of = |kind| board.set(us, kind) & free;
    let board = cells(board);
    let (leaps, diagonals, straights) = (load(&LEAPS), load(&DIAGONALS), load(&STRAIGHTS));
    for number in of(PieceKind::Knight) {
        let around = Around::new(board, list[number], leaps);
        let empty = !around.full & 0xFF;
        let enemies = around.enemies::<WHITE>() & 0xFF;
        around.add::<NOISY, QUIET>(empty, enemies, moves);
    }
    let queens = of(PieceKind::Queen);
    for (sliders, offsets) in [
        (of(PieceKind::Bishop) | queens, diagonals),
        (of(PieceKind::Rook) | queens, straights),
    ] {
        for number in sliders {
            let around = Around::new(board, list[number], offsets);
            // Each ray is a byte with its highest bit set, so that nothing is borrowed from the next one.
            let full = around.full as u32;
            let seen = full ^ full.wrapping_sub(0x0101_0101);
            let enemies = around.enemies::<WHITE>() as u32 & seen;
            around.add::<NOISY, QUIET>((seen & !full).into(), enemies.into(), moves);
        }
    }
}

/// What is around a piece: in each lane a step from its square.
#[derive(Clone, Copy)]
struct Around {
    from: Index0x88,
    /// Where the steps lead.
    codes: __m512i,
    /// What stands there; of codes off the board anything.
    cells: __m512i,
    /// Where the board ends.
    off: u64,
    /// Where the board ends or something stands.
    full: u64,
}

impl Around {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
    fn new([low, high]: [__m512i; 2], from: Index0x88, offsets: __m512i) -> Around {
        let codes = _mm512_add_epi8(_mm512_set1_epi8(from as i8), offsets);
        let cells = _mm512_permutex2var_epi8(low, codes, high);
        let off = _mm512_test_epi8_mask(codes, _mm512_set1_epi8(0x88_u8 as i8));
        Around {
            from,
            codes,
            cells,
            off,
            full: off | _mm512_test_epi8_mask(cells, cells),
        }
    }

    /// Where a piece of the other side stands.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
    fn enemies<const WHITE: bool>(self) -> u64 {
        let found = if WHITE {
            _mm512_movepi8_mask(self.cells)
        } else {
            _mm512_cmpgt_epi8_mask(self.cells, _mm512_set1_epi8(0x0F))
        };
        found & !self.off
    }

    /// Adds moves to `empty` squares and to those of `enemies`, which are sets of the first 32 lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
    fn add<const NOISY: bool, const QUIET: bool>(
        self,
        empty: u64,
        enemies: u64,
        moves: &mut MoveList,
    ) {
        const QUIETLY: u16 = MoveKind::Quiet.bits();
        const TAKING: u16 = MoveKind::Capture.bits();
        let wanted = match (NOISY, QUIET) {
            (true, true) => empty | enemies,
            (true, false) => enemies,
            (false, _) => empty,
        } as u32;
        let always = u16::from(self.from) | if QUIET { QUIETLY } else { TAKING };
        let to = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(self.codes));
        let to = _mm512_slli_epi16::<8>(to);
        let mut words = _mm512_or_si512(to, _mm512_set1_epi16(always as i16));
        if NOISY && QUIET {
            let taking = _mm512_set1_epi16((TAKING | QUIETLY) as i16);
            let taking = _mm512_or_si512(words, taking);
            words = _mm512_mask_mov_epi16(words, enemies as u32, taking);
        }
        let found = _mm512_maskz_compress_epi16(wanted, words);
        assert!(moves.remaining_capacity() >= WIDTH);
        let (length, count) = (moves.len(), wanted.count_ones() as usize);
        // SAFETY: there is room for a whole register after the last move, as has just been seen. Its first `count`
        // words are moves: their kind is not 0, and so they are not.
        unsafe {
            _mm512_storeu_si512(moves.as_mut_ptr().add(length).cast(), found);
            moves.set_len(length + count);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn attack_map_here(board: &Board, by: Color) -> u64 {
    let [low, high] = cells(board);
    let cells = _mm512_permutex2var_epi8(low, load(&SQUARES), high);
    let pieces = _mm512_and_si512(cells, _mm512_set1_epi8(0xF0_u8 as i8));
    let of = |kind| {
        let code = (piece_code(by, kind) as u8) << 4;
        _mm512_cmpeq_epi8_mask(pieces, _mm512_set1_epi8(code as i8))
    };
    let all = |set: u64| _mm512_set1_epi64(set as i64);
    let empty = all(!_mm512_test_epi8_mask(cells, cells));
    let queens = of(PieceKind::Queen);
    let bishops = all(of(PieceKind::Bishop) | queens);
    let rooks = all(of(PieceKind::Rook) | queens);

    let (rotations, reached) = (load(&NEIGHBOURS.rotations), load(&NEIGHBOURS.reached));
    let nothing = all(0);
    let sliders = _mm512_mask_or_epi64(nothing, DIAGONAL_LANES, bishops, nothing);
    let mut sliders = _mm512_mask_or_epi64(sliders, STRAIGHT_LANES, rooks, nothing);
    let mut free = _mm512_and_si512(empty, reached);
    let mut by_steps = rotations;
    for _ in 0..3 {
        let onward = _mm512_rolv_epi64(sliders, by_steps);
        sliders = _mm512_or_si512(sliders, _mm512_and_si512(onward, free));
        free = _mm512_and_si512(free, _mm512_rolv_epi64(free, by_steps));
        by_steps = _mm512_add_epi64(by_steps, by_steps);
    }
    // One step more, which king and pawns make, too.
    let king = all(of(PieceKind::King));
    let steppers = _mm512_or_si512(sliders, king);
    let pawn_lanes = match by {
        Color::White => 0b0011,
        Color::Black => 0b1100,
    };
    let pawns = all(of(PieceKind::Pawn));
    let steppers = _mm512_mask_or_epi64(steppers, pawn_lanes, steppers, pawns);
    let stepped = _mm512_and_si512(_mm512_rolv_epi64(steppers, rotations), reached);
    let knights = all(of(PieceKind::Knight));
    let leapt = _mm512_rolv_epi64(knights, load(&KNIGHT.rotations));
    let leapt = _mm512_and_si512(leapt, load(&KNIGHT.reached));
    _mm512_reduce_or_epi64(_mm512_or_si512(stepped, leapt)) as u64
}

/// The codes that are on the board, half of them each, with the walls among them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn cells(board: &Board) -> [__m512i; 2] {
    let ([low, high, ..], _) = board.mailbox.as_chunks::<64>() else {
        unreachable!("there are 256 cells");
    };
    // SAFETY: 64 bytes are there to be read, and nothing is asked of their alignment; a cell is a byte.
    unsafe {
        [
            _mm512_loadu_si512(low.as_ptr().cast()),
            _mm512_loadu_si512(high.as_ptr().cast()),
        ]
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn load<T>(register: &'static Register<T>) -> __m512i {
    const { assert!(size_of::<T>() == size_of::<__m512i>()) };
    // SAFETY: what it holds begins where it begins and is as long as what is read.
    unsafe { _mm512_loadu_si512(std::ptr::from_ref(register).cast()) }
}
