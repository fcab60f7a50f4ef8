//! AVX2: 16 values per instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256,
    _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mulhi_epi16, _mm256_mullo_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi16,
    _mm256_store_si256, _mm256_storeu_si256, _mm256_sub_epi16,
};

use super::super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_NEURONS};
use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block, PRODUCT_SHIFT};
use super::hidden_vector::hidden_layers;
use super::kernel_set::Kernels;
use super::products::{Products, lane};
use super::vector::kernels;

kernels! {
    /// AVX2.
    Avx2,
    features "avx2", vector __m256i, lanes 16, load _mm256_load_si256, store _mm256_store_si256,
    add _mm256_add_epi16, sub _mm256_sub_epi16, mul _mm256_mullo_epi16,
    sum __m256i, zero _mm256_setzero_si256, add_sums _mm256_add_epi32
}

hidden_layers! {
    features "avx2", vector __m256i, lanes 16,
    sum __m256i, zero _mm256_setzero_si256, add_sums _mm256_add_epi32, store_sum _mm256_storeu_si256, add_pairs add_products
}

#[inline]
#[target_feature(enable = "avx2")]
fn clip(a: __m256i) -> __m256i {
    _mm256_min_epi16(
        _mm256_max_epi16(a, _mm256_setzero_si256()),
        _mm256_set1_epi16(ACCUMULATOR_SCALE),
    )
}

/// Adds the products of `a` and `b` to `sum`, two neighbouring products per lane.
#[inline]
#[target_feature(enable = "avx2")]
fn add_products(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn horizontal_sum(sum: __m256i) -> i32 {
    let half = _mm_add_epi32(
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    );
    let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b00_00_11_10>(half));
    let one = _mm_add_epi32(pair, _mm_shuffle_epi32::<0b00_00_00_01>(pair));
    _mm_cvtsi128_si32(one)
}

/// Returns a vector with the same 32 bits in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn splat(bits: i32) -> __m256i {
    _mm256_set1_epi32(bits)
}

/// Returns the products of clipped values, shifted right by [`PRODUCT_SHIFT`]. Where the value of `b` is negative, they
/// may be negative, too.
///
/// The upper half of a product whose factor has been shifted left is the product shifted right.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply(a: __m256i, b: __m256i) -> __m256i {
    let shifted = _mm256_slli_epi16::<{ (16 - PRODUCT_SHIFT) as i32 }>(clip(a));
    _mm256_mulhi_epi16(
        shifted,
        _mm256_min_epi16(b, _mm256_set1_epi16(ACCUMULATOR_SCALE)),
    )
}

/// Returns two vectors of products as one vector of bytes, in their order; negative numbers become 0.
#[inline]
#[target_feature(enable = "avx2")]
fn pack(a: __m256i, b: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a, b))
}

/// Adds four products to each lane of `sum`: of bytes from 0 to 127 and of signed bytes.
///
/// The sum of two products fits into 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn add_bytes(sum: __m256i, bytes: __m256i, weights: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(bytes, weights);
    _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}
