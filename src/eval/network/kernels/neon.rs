//! NEON: 8 values per instruction.
#![allow(unsafe_code)]

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vcombine_u8, vdupq_n_s16, vdupq_n_s32,
    vget_low_s8, vget_low_s16, vld1q_s16, vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16,
    vmull_high_s8, vmull_high_s16, vmull_s8, vmull_s16, vmulq_s16, vpadalq_s16, vpaddq_s16,
    vpaddq_s32, vqdmulhq_s16, vqmovun_s16, vreinterpretq_s8_s16, vreinterpretq_s16_s32,
    vreinterpretq_s32_u8, vshlq_n_s16, vst1q_s16, vst1q_s32, vsubq_s16,
};

use super::super::hidden::{FIRST_NEURONS, HiddenLayers, SECOND_NEURONS};
use super::super::quantisation::{ACCUMULATOR_SCALE, BLOCK_SIZE, Block, PRODUCT_SHIFT};
use super::hidden_vector::hidden_layers;
use super::kernel_set::Kernels;
use super::products::{Products, lane};
use super::vector::kernels;

kernels! {
    /// NEON.
    Neon,
    features "neon", vector int16x8_t, lanes 8, load vld1q_s16, store vst1q_s16,
    add vaddq_s16, sub vsubq_s16, mul vmulq_s16,
    sum int32x4_t, zero zero_sum, add_sums vaddq_s32
}

hidden_layers! {
    features "neon", vector int16x8_t, lanes 8,
    sum int32x4_t, zero zero_sum, add_sums vaddq_s32, store_sum vst1q_s32, add_pairs add_pairs
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

/// Returns a vector with the same 32 bits in all lanes.
#[inline]
#[target_feature(enable = "neon")]
fn splat(bits: i32) -> int16x8_t {
    vreinterpretq_s16_s32(vdupq_n_s32(bits))
}

/// Returns the products of values, clipped and shifted right by [`PRODUCT_SHIFT`].
///
/// The upper half of a doubled product whose factor has been shifted left is the product shifted right.
#[inline]
#[target_feature(enable = "neon")]
fn multiply(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    vqdmulhq_s16(
        vshlq_n_s16::<{ 15 - PRODUCT_SHIFT as i32 }>(clip(a)),
        clip(b),
    )
}

/// Returns two vectors of products as one vector of bytes, in their order.
#[inline]
#[target_feature(enable = "neon")]
fn pack(a: int16x8_t, b: int16x8_t) -> int32x4_t {
    vreinterpretq_s32_u8(vcombine_u8(vqmovun_s16(a), vqmovun_s16(b)))
}

/// Adds four products to each lane of `sum`: of bytes from 0 to 127 and of signed bytes.
///
/// The sum of two products fits into 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn add_bytes(sum: int32x4_t, bytes: int16x8_t, weights: int16x8_t) -> int32x4_t {
    let (bytes, weights) = (vreinterpretq_s8_s16(bytes), vreinterpretq_s8_s16(weights));
    let low = vmull_s8(vget_low_s8(bytes), vget_low_s8(weights));
    vpadalq_s16(sum, vpaddq_s16(low, vmull_high_s8(bytes, weights)))
}

/// Adds the products of `a` and `b` to `sum`, two neighbouring products per lane.
#[inline]
#[target_feature(enable = "neon")]
fn add_pairs(sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
    let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
    vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)))
}
