//! AVX2: 32 bytes per instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_insert_epi32, _mm_load_si128,
    _mm_or_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm_unpackhi_epi64, _mm256_add_epi8,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_broadcastq_epi64, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8, _mm256_extracti128_si256, _mm256_load_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_sllv_epi64, _mm256_srli_epi16, _mm256_srlv_epi64,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use crate::types::{
    Color, MAX_LEGAL_MOVES, MOVE_LIST_CAPACITY, Move, MoveKind, MoveList, PieceKind, PieceSet,
    Square, SquareSet, king_attacks,
};

use super::super::geometry::Index0x88;
use super::super::mailbox::piece_code;
use super::super::{AttackMap, Board};
use super::functions::board_functions;
use super::instruction_set::Avx2;
use super::lanes::{
    DIAGONALS, KNIGHT, LEAPS, NEIGHBOURS, ORTHOGONALS, PACKED, Register, Register16, seen,
};

board_functions! {
    set Avx2, features "avx2", bytes __m256i, moves __m128i
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(register: &'static Register<[u8; 64]>) -> __m256i {
    // SAFETY: a `Register` of 64 bytes contains the 32 bytes, and it is aligned to 64.
    unsafe { _mm256_load_si256(std::ptr::from_ref(register).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "avx2")]
fn repeated(word: u64) -> __m256i {
    // From one 64-bit number, the compiler would insert the bytes one by one.
    let word = _mm_insert_epi32::<1>(_mm_cvtsi32_si128(word as i32), (word >> 32) as i32);
    _mm256_broadcastq_epi64(word)
}

#[inline]
#[target_feature(enable = "avx2")]
fn words([a, b, c, d]: [u64; 4]) -> __m256i {
    _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn and(a: __m256i, b: __m256i) -> __m256i {
    _mm256_and_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn or(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn without(a: __m256i, b: __m256i) -> __m256i {
    _mm256_andnot_si256(b, a)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi8(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn equal(a: __m256i, b: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_zero(a: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(a, _mm256_setzero_si256())
}

#[inline]
#[target_feature(enable = "avx2")]
fn upper_halves(a: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<4>(a), _mm256_set1_epi8(0x0F))
}

#[inline]
#[target_feature(enable = "avx2")]
fn lookup(table: __m256i, indices: __m256i) -> __m256i {
    _mm256_shuffle_epi8(table, indices)
}

#[inline]
#[target_feature(enable = "avx2")]
fn signs(a: __m256i) -> u32 {
    _mm256_movemask_epi8(a) as u32
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_up(words: __m256i, by: __m256i) -> __m256i {
    _mm256_sllv_epi64(words, by)
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_down(words: __m256i, by: __m256i) -> __m256i {
    _mm256_srlv_epi64(words, by)
}

#[inline]
#[target_feature(enable = "avx2")]
fn union(words: __m256i) -> u64 {
    let pair = _mm_or_si128(
        _mm256_castsi256_si128(words),
        _mm256_extracti128_si256::<1>(words),
    );
    _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
}

#[inline]
#[target_feature(enable = "avx2")]
fn moves(lower: __m256i, upper: __m256i) -> [__m128i; 4] {
    // The instructions interleave the two halves of the registers separately.
    let (even, odd) = (
        _mm256_unpacklo_epi8(lower, upper),
        _mm256_unpackhi_epi8(lower, upper),
    );
    [
        _mm256_castsi256_si128(even),
        _mm256_castsi256_si128(odd),
        _mm256_extracti128_si256::<1>(even),
        _mm256_extracti128_si256::<1>(odd),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
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
#[target_feature(enable = "avx2")]
unsafe fn store(target: *mut Move, moves: __m128i) {
    // SAFETY: the caller ensures space for the eight moves of two bytes.
    unsafe { _mm_storeu_si128(target.cast(), moves) }
}
