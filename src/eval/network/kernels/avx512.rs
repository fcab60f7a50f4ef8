//! AVX-512: 32 values per instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16,
    _mm512_maddubs_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhi_epi16,
    _mm512_mullo_epi16, _mm512_packus_epi16, _mm512_permutexvar_epi64, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_store_si512, _mm512_storeu_si512, _mm512_sub_epi16,
};

use super::super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_NEURONS};
use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block, PRODUCT_SHIFT};
use super::hidden_vector::hidden_layers;
use super::kernel_set::Kernels;
use super::products::{Products, lane};
use super::vector::kernels;

kernels! {
    /// AVX-512 F and BW.
    Avx512,
    features "avx512f,avx512bw", vector __m512i, lanes 32, load _mm512_load_si512, store _mm512_store_si512,
    add _mm512_add_epi16, sub _mm512_sub_epi16, mul _mm512_mullo_epi16,
    sum __m512i, zero _mm512_setzero_si512, add_sums _mm512_add_epi32
}

hidden_layers! {
    features "avx512f,avx512bw", vector __m512i, lanes 32,
    sum __m512i, zero _mm512_setzero_si512, add_sums _mm512_add_epi32, store_sum _mm512_storeu_si512, add_pairs add_products
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn clip(a: __m512i) -> __m512i {
    _mm512_min_epi16(
        _mm512_max_epi16(a, _mm512_setzero_si512()),
        _mm512_set1_epi16(ACCUMULATOR_SCALE),
    )
}

/// Adds the products of `a` and `b` to `sum`, two neighbouring products per lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_products(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn horizontal_sum(sum: __m512i) -> i32 {
    _mm512_reduce_add_epi32(sum)
}

/// Returns a vector with the same 32 bits in all lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn splat(bits: i32) -> __m512i {
    _mm512_set1_epi32(bits)
}

/// Returns the products of clipped values, shifted right by [`PRODUCT_SHIFT`]. Where the value of `b` is negative, they
/// may be negative, too.
///
/// The upper half of a product whose factor has been shifted left is the product shifted right.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn multiply(a: __m512i, b: __m512i) -> __m512i {
    let shifted = _mm512_slli_epi16::<{ 16 - PRODUCT_SHIFT }>(clip(a));
    _mm512_mulhi_epi16(
        shifted,
        _mm512_min_epi16(b, _mm512_set1_epi16(ACCUMULATOR_SCALE)),
    )
}

/// Returns two vectors of products as one vector of bytes, in their order; negative numbers become 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn pack(a: __m512i, b: __m512i) -> __m512i {
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi16(a, b))
}

/// Adds four products to each lane of `sum`: of bytes from 0 to 127 and of signed bytes.
///
/// The sum of two products fits into 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_bytes(sum: __m512i, bytes: __m512i, weights: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(bytes, weights);
    _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}
