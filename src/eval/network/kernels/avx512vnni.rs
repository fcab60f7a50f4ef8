//! AVX-512 with VNNI: 32 values per instruction, with multiplication and addition in one step.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_load_si512,
    _mm512_mullo_epi16, _mm512_setzero_si512, _mm512_store_si512, _mm512_sub_epi16,
};

use super::super::quantisation::{BLOCK_SIZE, Block};
use super::avx512::{clip, horizontal_sum};
use super::kernel_set::Kernels;
use super::vector::kernels;

kernels! {
    /// AVX-512 F, BW and VNNI.
    Avx512Vnni,
    features "avx512f,avx512bw,avx512vnni", vector __m512i, lanes 32, load _mm512_load_si512, store _mm512_store_si512,
    add _mm512_add_epi16, sub _mm512_sub_epi16, mul _mm512_mullo_epi16,
    sum __m512i, zero _mm512_setzero_si512, add_sums _mm512_add_epi32
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn add_products(sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_dpwssd_epi32(sum, a, b)
}
