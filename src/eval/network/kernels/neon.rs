//! NEON: 8 values per instruction.
#![allow(unsafe_code)]

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16,
    vld1q_s16, vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vst1q_s16, vsubq_s16,
};

use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block};
use super::kernel_set::Kernels;
use super::vector::kernels;

kernels! {
    /// NEON.
    Neon,
    features "neon", vector int16x8_t, lanes 8, load vld1q_s16, store vst1q_s16,
    add vaddq_s16, sub vsubq_s16, mul vmulq_s16,
    sum int32x4_t, zero zero_sum, add_sums vaddq_s32
}

#[inline]
#[target_feature(enable = "neon")]
fn zero_sum() -> int32x4_t {
    vdupq_n_s32(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn clip(a: int16x8_t) -> int16x8_t {
    vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(ACCUMULATOR_SCALE))
}

#[inline]
#[target_feature(enable = "neon")]
fn add_products(sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
    vmlal_high_s16(vmlal_s16(sum, vget_low_s16(a), vget_low_s16(b)), a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn horizontal_sum(sum: int32x4_t) -> i32 {
    vaddvq_s32(sum)
}
