//! SSE 4.1: 16 bytes per instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_andnot_si128, _mm_castpd_si128, _mm_castsi128_pd,
    _mm_cmpeq_epi8, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_insert_epi32, _mm_load_si128,
    _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_setzero_si128,
    _mm_shuffle_epi8, _mm_shuffle_pd, _mm_sll_epi64, _mm_srl_epi64, _mm_srli_epi16,
    _mm_storeu_si128, _mm_unpackhi_epi8, _mm_unpackhi_epi64, _mm_unpacklo_epi8, _mm_unpacklo_epi64,
};

use crate::types::{
    Color, MAX_LEGAL_MOVES, MOVE_LIST_CAPACITY, Move, MoveKind, MoveList, PieceKind, PieceSet,
    Square, SquareSet, king_attacks,
};

use super::super::geometry::Index0x88;
use super::super::mailbox::piece_code;
use super::super::{AttackMap, Board};
use super::functions::board_functions;
use super::instruction_set::Sse41;
use super::lanes::{
    DIAGONALS, KNIGHT, LEAPS, NEIGHBOURS, ORTHOGONALS, PACKED, Register, Register16, seen,
};

/// 32 bytes.
type Bytes = [__m128i; 2];

board_functions! {
    set Sse41, features "sse4.1", bytes Bytes, moves __m128i
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn load(register: &'static Register<[u8; 64]>) -> Bytes {
    let first: *const __m128i = std::ptr::from_ref(register).cast();
    // SAFETY: a `Register` of 64 bytes contains the 32 bytes, and it is aligned to 64.
    unsafe { [_mm_load_si128(first), _mm_load_si128(first.add(1))] }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn splat(byte: u8) -> Bytes {
    [_mm_set1_epi8(byte as i8); 2]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn repeated(word: u64) -> Bytes {
    // From one 64-bit number, the compiler would insert the bytes one by one.
    let word = _mm_insert_epi32::<1>(_mm_cvtsi32_si128(word as i32), (word >> 32) as i32);
    [_mm_unpacklo_epi64(word, word); 2]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn words([a, b, c, d]: [u64; 4]) -> Bytes {
    [
        _mm_set_epi64x(b as i64, a as i64),
        _mm_set_epi64x(d as i64, c as i64),
    ]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn and(a: Bytes, b: Bytes) -> Bytes {
    [_mm_and_si128(a[0], b[0]), _mm_and_si128(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn or(a: Bytes, b: Bytes) -> Bytes {
    [_mm_or_si128(a[0], b[0]), _mm_or_si128(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn without(a: Bytes, b: Bytes) -> Bytes {
    [_mm_andnot_si128(b[0], a[0]), _mm_andnot_si128(b[1], a[1])]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn add(a: Bytes, b: Bytes) -> Bytes {
    [_mm_add_epi8(a[0], b[0]), _mm_add_epi8(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn equal(a: Bytes, b: Bytes) -> Bytes {
    [_mm_cmpeq_epi8(a[0], b[0]), _mm_cmpeq_epi8(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn is_zero(a: Bytes) -> Bytes {
    equal(a, [_mm_setzero_si128(); 2])
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn upper_halves(a: Bytes) -> Bytes {
    and(a.map(|half| _mm_srli_epi16::<4>(half)), splat(0x0F))
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn lookup(table: Bytes, indices: Bytes) -> Bytes {
    [
        _mm_shuffle_epi8(table[0], indices[0]),
        _mm_shuffle_epi8(table[1], indices[1]),
    ]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn signs(a: Bytes) -> u32 {
    let [low, high] = a.map(|half| _mm_movemask_epi8(half) as u32);
    low | high << 16
}

/// Returns the lower half of `low` and the upper half of `high`.
#[inline]
#[target_feature(enable = "sse4.1")]
fn low_and_high(low: __m128i, high: __m128i) -> __m128i {
    _mm_castpd_si128(_mm_shuffle_pd::<0b10>(
        _mm_castsi128_pd(low),
        _mm_castsi128_pd(high),
    ))
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn shift_up(words: Bytes, by: Bytes) -> Bytes {
    let shift = |words, by| {
        // The instruction reads one count for both words.
        let (low, high) = (
            _mm_sll_epi64(words, by),
            _mm_sll_epi64(words, _mm_unpackhi_epi64(by, by)),
        );
        low_and_high(low, high)
    };
    [shift(words[0], by[0]), shift(words[1], by[1])]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn shift_down(words: Bytes, by: Bytes) -> Bytes {
    let shift = |words, by| {
        // The instruction reads one count for both words.
        let (low, high) = (
            _mm_srl_epi64(words, by),
            _mm_srl_epi64(words, _mm_unpackhi_epi64(by, by)),
        );
        low_and_high(low, high)
    };
    [shift(words[0], by[0]), shift(words[1], by[1])]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn union(words: Bytes) -> u64 {
    let pair = _mm_or_si128(words[0], words[1]);
    _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn moves(lower: Bytes, upper: Bytes) -> [__m128i; 4] {
    [
        _mm_unpacklo_epi8(lower[0], upper[0]),
        _mm_unpackhi_epi8(lower[0], upper[0]),
        _mm_unpacklo_epi8(lower[1], upper[1]),
        _mm_unpackhi_epi8(lower[1], upper[1]),
    ]
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn pack(moves: __m128i, table: &'static Register16) -> __m128i {
    // SAFETY: a `Register16` has 16 bytes and is aligned to them.
    let table = unsafe { _mm_load_si128(std::ptr::from_ref(table).cast()) };
    _mm_shuffle_epi8(moves, table)
}

/// Writes eight moves.
///
/// # Safety
///
/// `target` is valid for writes of eight moves. It needs no alignment.
#[inline]
#[target_feature(enable = "sse4.1")]
unsafe fn store(target: *mut Move, moves: __m128i) {
    // SAFETY: the caller ensures space for the eight moves of two bytes.
    unsafe { _mm_storeu_si128(target.cast(), moves) }
}
