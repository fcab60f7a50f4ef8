//! AVX-512 functions with permutations of bytes.
//!
//! A permutation of two registers selects bytes by 7-bit indices. The 0x88 indices of squares have 7 bits, so that one
//! instruction reads all mailbox entries around a piece.
//!
//! (Rays of a byte board by permutations: the engines rose and Clockwork. All directions filled at once by rotations:
//! the Chess Programming Wiki on Kogge-Stone algorithms.)
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512, _mm512_castsi512_si256,
    _mm512_cmpeq_epi8_mask, _mm512_cmpgt_epi8_mask, _mm512_cvtepu8_epi16, _mm512_loadu_si512,
    _mm512_mask_mov_epi16, _mm512_mask_mov_epi64, _mm512_mask_or_epi64,
    _mm512_maskz_compress_epi16, _mm512_maskz_mov_epi64, _mm512_movepi8_mask, _mm512_or_si512,
    _mm512_permutex2var_epi8, _mm512_reduce_or_epi64, _mm512_rolv_epi64, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_set1_epi64, _mm512_slli_epi16, _mm512_storeu_si512,
    _mm512_test_epi8_mask,
};

use crate::types::{
    Color, MAX_LEGAL_MOVES, MOVE_LIST_CAPACITY, MoveKind, MoveList, PieceKind, PieceSet, SquareSet,
    king_attacks,
};

use super::super::geometry::Index0x88;
use super::super::mailbox::piece_code;
use super::super::{AttackMap, Board};
use super::functions::entry_points;
use super::instruction_set::Avx512;
use super::lanes::{DIAGONALS, KNIGHT, LEAPS, NEIGHBOURS, ORTHOGONALS, Register, seen};

/// The 0x88 indices of the 64 squares in the order of [`Square::index`](crate::types::Square::index).
static SQUARES: Register<[Index0x88; 64]> = squares();

/// Lanes of diagonal steps in [`NEIGHBOURS`].
const DIAGONAL_LANES: u8 = 0b0011_0011;

/// Number of moves in a register. A move list must have space for all of them, even if fewer are added.
const WIDTH: usize = 32;
const _: () = assert!(MOVE_LIST_CAPACITY >= MAX_LEGAL_MOVES + WIDTH);

const fn squares() -> Register<[Index0x88; 64]> {
    let mut indices = [0; 64];
    let mut square = 0;
    while square < 64 {
        indices[square] = (((square / 8) << 4) | (square % 8)) as Index0x88;
        square += 1;
    }
    Register(indices)
}

entry_points! { Avx512 }

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
    let (leaps, diagonals, orthogonals) = (load(&LEAPS), load(&DIAGONALS), load(&ORTHOGONALS));
    for number in of(PieceKind::Knight) {
        let around = Around::new(board, list[number], leaps);
        let empty = !around.full & 0xFF;
        let enemies = around.enemies::<WHITE>() & 0xFF;
        around.add::<NOISY, QUIET>(empty, enemies, moves);
    }
    let queens = of(PieceKind::Queen);
    for (sliders, offsets) in [
        (of(PieceKind::Bishop) | queens, diagonals),
        (of(PieceKind::Rook) | queens, orthogonals),
    ] {
        for number in sliders {
            let around = Around::new(board, list[number], offsets);
            let full = around.full as u32;
            let seen = seen(full);
            let enemies = around.enemies::<WHITE>() as u32 & seen;
            around.add::<NOISY, QUIET>((seen & !full).into(), enemies.into(), moves);
        }
    }
}

/// The surroundings of a piece: one step from its square per lane.
#[derive(Clone, Copy)]
struct Around {
    /// 0x88 index of the piece.
    from: Index0x88,
    /// 0x88 indices of the targets of the steps.
    indices: __m512i,
    /// Mailbox entries of the targets; undefined off the board.
    cells: __m512i,
    /// Lanes whose targets are off the board.
    off: u64,
    /// Lanes whose targets are off the board or occupied.
    full: u64,
}

impl Around {
    /// Reads the mailbox entries at `offsets` from the piece.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
    fn new([low, high]: [__m512i; 2], from: Index0x88, offsets: __m512i) -> Around {
        let indices = _mm512_add_epi8(_mm512_set1_epi8(from as i8), offsets);
        let cells = _mm512_permutex2var_epi8(low, indices, high);
        let off = _mm512_test_epi8_mask(indices, _mm512_set1_epi8(0x88_u8 as i8));
        Around {
            from,
            indices,
            cells,
            off,
            full: off | _mm512_test_epi8_mask(cells, cells),
        }
    }

    /// Returns the lanes whose targets have a piece of the other side.
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

    /// Adds the moves to the targets in `empty` and `enemies`, sets of the first 32 lanes.
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
        let to = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(self.indices));
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
        // SAFETY: the assertion above ensures space for a whole register after the last move. The first `count` words
        // of the register are valid moves, because their kind is not 0.
        unsafe {
            _mm512_storeu_si512(moves.as_mut_ptr().add(length).cast(), found);
            moves.set_len(length + count);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn attack_map_here(board: &Board, by: Color) -> AttackMap {
    let [low, high] = cells(board);
    let cells = _mm512_permutex2var_epi8(low, load(&SQUARES), high);
    let pieces = _mm512_and_si512(cells, _mm512_set1_epi8(0xF0_u8 as i8));
    let of = |kind| {
        let entry = (piece_code(by, kind) as u8) << 4;
        _mm512_cmpeq_epi8_mask(pieces, _mm512_set1_epi8(entry as i8))
    };
    let all = |set: u64| _mm512_set1_epi64(set as i64);
    let empty = all(!_mm512_test_epi8_mask(cells, cells));
    let (bishops, rooks) = (all(of(PieceKind::Bishop)), all(of(PieceKind::Rook)));

    let (rotations, reached) = (load(&NEIGHBOURS.rotations), load(&NEIGHBOURS.reached));
    let mut sliders = _mm512_mask_mov_epi64(rooks, DIAGONAL_LANES, bishops);
    let mut queens = all(of(PieceKind::Queen));
    let mut free = _mm512_and_si512(empty, reached);
    let mut by_steps = rotations;
    for _ in 0..3 {
        let filled = |set| {
            _mm512_or_si512(
                set,
                _mm512_and_si512(_mm512_rolv_epi64(set, by_steps), free),
            )
        };
        (sliders, queens) = (filled(sliders), filled(queens));
        free = _mm512_and_si512(free, _mm512_rolv_epi64(free, by_steps));
        by_steps = _mm512_add_epi64(by_steps, by_steps);
    }
    let stepped = |set| _mm512_and_si512(_mm512_rolv_epi64(set, rotations), reached);
    let (sliders, queens) = (stepped(sliders), stepped(queens));
    let knights = _mm512_rolv_epi64(all(of(PieceKind::Knight)), load(&KNIGHT.rotations));
    let knights = _mm512_and_si512(knights, load(&KNIGHT.reached));
    let minors = _mm512_mask_or_epi64(knights, DIAGONAL_LANES, knights, sliders);
    let union = |set| SquareSet::from_bits(_mm512_reduce_or_epi64(set) as u64);
    AttackMap::new(
        SquareSet::from_bits(of(PieceKind::Pawn)).pawn_attacks(by),
        union(minors),
        union(_mm512_maskz_mov_epi64(!DIAGONAL_LANES, sliders)),
        union(queens) | king_attacks(board.king(by)),
    )
}

/// Returns the mailbox entries of the indices 0 to 63 and 64 to 127, sentinels included.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn cells(board: &Board) -> [__m512i; 2] {
    let ([low, high, ..], _) = board.mailbox.as_chunks::<64>() else {
        unreachable!("the mailbox has 256 entries");
    };
    // SAFETY: each array has 64 entries of one byte, and the loads require no alignment.
    unsafe {
        [
            _mm512_loadu_si512(low.as_ptr().cast()),
            _mm512_loadu_si512(high.as_ptr().cast()),
        ]
    }
}

/// Loads a constant into a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn load<T>(register: &'static Register<T>) -> __m512i {
    const { assert!(size_of::<T>() == size_of::<__m512i>()) };
    // SAFETY: a `Register` has no field before its content, and the content is as long as the register.
    unsafe { _mm512_loadu_si512(std::ptr::from_ref(register).cast()) }
}
