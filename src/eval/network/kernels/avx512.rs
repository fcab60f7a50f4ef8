//! AVX-512: 32 values per instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16,
    _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi16,
};

use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block};
use super::kernel_set::Kernels;
use super::vector::kernels;

kernels! {
    /// AVX-512 F and BW.
    Avx512,
    features "avx512f,avx512bw", vector __m512i, lanes 32, load _mm512_load_si512, store _mm512_store_si512,
    add _mm512_add_epi16, sub _mm512_sub_epi16, mul _mm512_mullo_epi16,
    sum __m512i, zero _mm512_setzero_si512, add_sums _mm512_add_epi32
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
