//! SSE 4.1: 8 values per instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16,
    _mm_max_epi16, _mm_min_epi16, _mm_mullo_epi16, _mm_set1_epi16, _mm_setzero_si128,
    _mm_shuffle_epi32, _mm_store_si128, _mm_sub_epi16,
};

use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block};
use super::kernel_set::Kernels;
use super::vector::kernels;

kernels! {
    /// SSE 4.1.
    Sse41,
    features "sse4.1", vector __m128i, lanes 8, load _mm_load_si128, store _mm_store_si128,
    add _mm_add_epi16, sub _mm_sub_epi16, mul _mm_mullo_epi16,
    sum __m128i, zero _mm_setzero_si128, add_sums _mm_add_epi32
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn clip(a: __m128i) -> __m128i {
    _mm_min_epi16(
        _mm_max_epi16(a, _mm_setzero_si128()),
        _mm_set1_epi16(ACCUMULATOR_SCALE),
    )
}

/// Adds the products of `a` and `b` to `sum`, two neighbouring products per lane.
#[inline]
#[target_feature(enable = "sse4.1")]
fn add_products(sum: __m128i, a: __m128i, b: __m128i) -> __m128i {
    _mm_add_epi32(sum, _mm_madd_epi16(a, b))
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn horizontal_sum(sum: __m128i) -> i32 {
    let pair = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_11_10>(sum));
    let one = _mm_add_epi32(pair, _mm_shuffle_epi32::<0b00_00_00_01>(pair));
    _mm_cvtsi128_si32(one)
}
