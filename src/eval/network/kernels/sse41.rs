//! SSE 4.1: 8 values per instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16,
    _mm_maddubs_epi16, _mm_max_epi16, _mm_min_epi16, _mm_mulhi_epi16, _mm_mullo_epi16,
    _mm_packus_epi16, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_epi32,
    _mm_slli_epi16, _mm_store_si128, _mm_storeu_si128, _mm_sub_epi16,
};

use super::super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_NEURONS};
use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block, PRODUCT_SHIFT};
use super::hidden_vector::hidden_layers;
use super::kernel_set::Kernels;
use super::products::{Products, lane};
use super::vector::kernels;

kernels! {
    /// SSE 4.1.
    Sse41,
    features "sse4.1", vector __m128i, lanes 8, load _mm_load_si128, store _mm_store_si128,
    add _mm_add_epi16, sub _mm_sub_epi16, mul _mm_mullo_epi16,
    sum __m128i, zero _mm_setzero_si128, add_sums _mm_add_epi32
}

hidden_layers! {
    features "sse4.1", vector __m128i, lanes 8,
    sum __m128i, zero _mm_setzero_si128, add_sums _mm_add_epi32, store_sum _mm_storeu_si128, add_pairs add_products
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

/// Returns a vector with the same 32 bits in all lanes.
#[inline]
#[target_feature(enable = "sse4.1")]
fn splat(bits: i32) -> __m128i {
    _mm_set1_epi32(bits)
}

/// Returns the products of clipped values, shifted right by [`PRODUCT_SHIFT`]. Where the value of `b` is negative, they
/// may be negative, too.
///
/// The upper half of a product whose factor has been shifted left is the product shifted right.
#[inline]
#[target_feature(enable = "sse4.1")]
fn multiply(a: __m128i, b: __m128i) -> __m128i {
    let shifted = _mm_slli_epi16::<{ (16 - PRODUCT_SHIFT) as i32 }>(clip(a));
    _mm_mulhi_epi16(shifted, _mm_min_epi16(b, _mm_set1_epi16(ACCUMULATOR_SCALE)))
}

/// Returns two vectors of products as one vector of bytes, in their order; negative numbers become 0.
#[inline]
#[target_feature(enable = "sse4.1")]
fn pack(a: __m128i, b: __m128i) -> __m128i {
    _mm_packus_epi16(a, b)
}

/// Adds four products to each lane of `sum`: of bytes from 0 to 127 and of signed bytes.
///
/// The sum of two products fits into 16 bits.
#[inline]
#[target_feature(enable = "sse4.1")]
fn add_bytes(sum: __m128i, bytes: __m128i, weights: __m128i) -> __m128i {
    let pairs = _mm_maddubs_epi16(bytes, weights);
    _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))
}
