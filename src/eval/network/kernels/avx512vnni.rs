//! AVX-512 with VNNI: 32 values per instruction, with multiplication and addition in one step.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_dpwssd_epi32,
    _mm512_load_si512, _mm512_mullo_epi16, _mm512_setzero_si512, _mm512_store_si512,
    _mm512_storeu_si512, _mm512_sub_epi16,
};

use super::super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_NEURONS};
use super::super::quantisation::{BLOCK_SIZE, Block};
use super::avx512::{clip, horizontal_sum, multiply, pack, splat};
use super::hidden_vector::hidden_layers;
use super::kernel_set::Kernels;
use super::products::{Products, lane};
use super::vector::kernels;

kernels! {
    /// AVX-512 F, BW and VNNI.
    Avx512Vnni,
    features "avx512f,avx512bw,avx512vnni", vector __m512i, lanes 32, load _mm512_load_si512, store _mm512_store_si512,
    add _mm512_add_epi16, sub _mm512_sub_epi16, mul _mm512_mullo_epi16,
    sum __m512i, zero _mm512_setzero_si512, add_sums _mm512_add_epi32
}

hidden_layers! {
    features "avx512f,avx512bw,avx512vnni", vector __m512i, lanes 32,
    sum __m512i, zero _mm512_setzero_si512, add_sums _mm512_add_epi32, store_sum _mm512_storeu_si512, add_pairs add_products
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn add_products(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_dpwssd_epi32(sum, a, b)
}

/// Adds four products to each lane of `sum`: of bytes from 0 to 127 and of signed bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn add_bytes(sum: __m512i, bytes: __m512i, weights: __m512i) -> __m512i {
    _mm512_dpbusd_epi32(sum, bytes, weights)
}
