//! NEON: 16 bytes per instruction.
#![allow(unsafe_code)]

use std::arch::aarch64::{
    int64x2_t, uint8x16_t, vaddq_u8, vandq_u8, vbicq_u8, vceqq_u8, vceqzq_u8, vcombine_u64,
    vcreate_u64, vdupq_n_u8, vdupq_n_u64, vgetq_lane_u32, vgetq_lane_u64, vld1q_u8, vnegq_s64,
    vorrq_u8, vpaddq_u8, vqtbl1q_u8, vreinterpretq_s8_u8, vreinterpretq_s64_u8,
    vreinterpretq_u8_s8, vreinterpretq_u8_u64, vreinterpretq_u32_u8, vreinterpretq_u64_u8,
    vshlq_u64, vshrq_n_s8, vshrq_n_u8, vst1q_u8, vzip1q_u8, vzip2q_u8,
};

use crate::types::{
    Color, MAX_LEGAL_MOVES, MOVE_LIST_CAPACITY, Move, MoveKind, MoveList, PieceKind, PieceSet,
    Square, SquareSet, king_attacks,
};

use super::super::geometry::Index0x88;
use super::super::mailbox::piece_code;
use super::super::{AttackMap, Board};
use super::functions::board_functions;
use super::instruction_set::Neon;
use super::lanes::{
    DIAGONALS, KNIGHT, LEAPS, NEIGHBOURS, ORTHOGONALS, PACKED, Register, Register16, seen,
};

/// 32 bytes.
type Bytes = [uint8x16_t; 2];

board_functions! {
    set Neon, features "neon", bytes Bytes, moves uint8x16_t
}

#[inline]
#[target_feature(enable = "neon")]
fn load(register: &'static Register<[u8; 64]>) -> Bytes {
    let ([low, high, ..], _) = register.0.as_chunks::<16>() else {
        unreachable!("a register has 64 bytes");
    };
    // SAFETY: each array has 16 bytes.
    unsafe { [vld1q_u8(low.as_ptr()), vld1q_u8(high.as_ptr())] }
}

#[inline]
#[target_feature(enable = "neon")]
fn splat(byte: u8) -> Bytes {
    [vdupq_n_u8(byte); 2]
}

#[inline]
#[target_feature(enable = "neon")]
fn repeated(word: u64) -> Bytes {
    [vreinterpretq_u8_u64(vdupq_n_u64(word)); 2]
}

#[inline]
#[target_feature(enable = "neon")]
fn words([a, b, c, d]: [u64; 4]) -> Bytes {
    let pair = |low, high| vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
    [pair(a, b), pair(c, d)]
}

#[inline]
#[target_feature(enable = "neon")]
fn and(a: Bytes, b: Bytes) -> Bytes {
    [vandq_u8(a[0], b[0]), vandq_u8(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "neon")]
fn or(a: Bytes, b: Bytes) -> Bytes {
    [vorrq_u8(a[0], b[0]), vorrq_u8(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "neon")]
fn without(a: Bytes, b: Bytes) -> Bytes {
    [vbicq_u8(a[0], b[0]), vbicq_u8(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: Bytes, b: Bytes) -> Bytes {
    [vaddq_u8(a[0], b[0]), vaddq_u8(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "neon")]
fn equal(a: Bytes, b: Bytes) -> Bytes {
    [vceqq_u8(a[0], b[0]), vceqq_u8(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "neon")]
fn is_zero(a: Bytes) -> Bytes {
    a.map(|half| vceqzq_u8(half))
}

#[inline]
#[target_feature(enable = "neon")]
fn upper_halves(a: Bytes) -> Bytes {
    a.map(|half| vshrq_n_u8::<4>(half))
}

#[inline]
#[target_feature(enable = "neon")]
fn lookup(table: Bytes, indices: Bytes) -> Bytes {
    // The instruction returns 0 for all indices above 15.
    let indices = and(indices, splat(0x8F));
    [
        vqtbl1q_u8(table[0], indices[0]),
        vqtbl1q_u8(table[1], indices[1]),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn signs(a: Bytes) -> u32 {
    let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
    let [low, high] = a.map(|half| {
        vandq_u8(
            vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(half))),
            bits,
        )
    });
    // Each addition of neighbours halves the number of bytes.
    let pairs = vpaddq_u8(low, high);
    let fours = vpaddq_u8(pairs, pairs);
    vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)))
}

#[inline]
#[target_feature(enable = "neon")]
fn shifted(words: uint8x16_t, by: int64x2_t) -> uint8x16_t {
    vreinterpretq_u8_u64(vshlq_u64(vreinterpretq_u64_u8(words), by))
}

#[inline]
#[target_feature(enable = "neon")]
fn shift_up(words: Bytes, by: Bytes) -> Bytes {
    let by = by.map(|by| vreinterpretq_s64_u8(by));
    [shifted(words[0], by[0]), shifted(words[1], by[1])]
}

#[inline]
#[target_feature(enable = "neon")]
fn shift_down(words: Bytes, by: Bytes) -> Bytes {
    let by = by.map(|by| vnegq_s64(vreinterpretq_s64_u8(by)));
    [shifted(words[0], by[0]), shifted(words[1], by[1])]
}

#[inline]
#[target_feature(enable = "neon")]
fn union(words: Bytes) -> u64 {
    let pair = vreinterpretq_u64_u8(vorrq_u8(words[0], words[1]));
    vgetq_lane_u64::<0>(pair) | vgetq_lane_u64::<1>(pair)
}

#[inline]
#[target_feature(enable = "neon")]
fn moves(lower: Bytes, upper: Bytes) -> [uint8x16_t; 4] {
    [
        vzip1q_u8(lower[0], upper[0]),
        vzip2q_u8(lower[0], upper[0]),
        vzip1q_u8(lower[1], upper[1]),
        vzip2q_u8(lower[1], upper[1]),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn pack(moves: uint8x16_t, table: &'static Register16) -> uint8x16_t {
    // SAFETY: a `Register16` has 16 bytes.
    let table = unsafe { vld1q_u8(table.0.as_ptr()) };
    vqtbl1q_u8(moves, table)
}

/// Writes eight moves.
///
/// # Safety
///
/// `target` is valid for writes of eight moves. It needs no alignment.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn store(target: *mut Move, moves: uint8x16_t) {
    // SAFETY: the caller ensures space for the eight moves of two bytes.
    unsafe { vst1q_u8(target.cast(), moves) }
}
