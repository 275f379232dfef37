// Weights of 4 bits, packed two to a byte, and matrix products with these weights.
//
// A packed number w means (w - 8) * scale + zero, where scale and zero belong to w's group. The CPU packs rows in
// blocks of 64 (AVX-512) or 32 (AVX2). In a full block, a row of the first half shares bytes with a row of the second
// half. Rows after the last full block share bytes with the adjacent row. The packing and products of CUDA have only
// rules here.
//
// Constraints, where `op` is the op's name:
// [op.C1] operands have the dims that the comment of the schema says, and their sizes match.
// [op.C2] on the CPU, weights are i32 before packing and u8 after packing. On CUDA, they are u8 before and i32 after.
// Other operands are floats.
// [op.C3] groups have 32, 64, 128 or 256 elements and divide the inner size.
// [op.C4] there is a scale and a zero point for each group of each row.
// [op.C5] operands are row-major.
// [_convert_weight_to_int4pack.C3] innerKTiles is 2, 4 or 8, and innerKTiles times 16 divides the inner size. The
// number of rows is a multiple of 8.
// [_convert_weight_to_int4pack_for_cpu.C3] the number of rows is a multiple of 16, and the number of columns is even.
// [_dyn_quant_pack_4bit_weight.C3] block_size is in_features, or a multiple of 32 that divides in_features.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_packed_weights {

/// Packs i32[n,k], which has numbers from 0 to 15, to u8[n,k/2].
inline constexpr Schema kPackForCpu{
    "aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor"};
/// Packs u8[n,k/2] to i32[n/8, k/(16*tiles), 32, tiles/2], where tiles is innerKTiles.
inline constexpr Schema kPack{"aten::_convert_weight_to_int4pack(Tensor self, int innerKTiles) -> Tensor"};
/// Returns self[m,k] times the transpose of the packed matrix [n,k]. Scales and zeros are [k/group, n, 2].
inline constexpr Schema kMm{
    "aten::_weight_int4pack_mm{}(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> Tensor"};
/// Returns self[m,k] times the transpose of a matrix [n,k], packed as i32[n,k/8] with 8 numbers in each i32.
inline constexpr Schema kMmWithScales{
    "aten::_weight_int4pack_mm_with_scales_and_zeros(Tensor self, Tensor mat2, int qGroupSize, Tensor qScale, Tensor "
    "qZeros) -> Tensor"};
/// Returns weights, scales and bias as f32, concatenated to one tensor.
inline constexpr Schema kDynPack{
    "aten::_dyn_quant_pack_4bit_weight(Tensor weights, Tensor scales_zeros, Tensor? bias, int block_size, int "
    "in_features, int out_features) -> Tensor"};
/// Returns inp[m,in] times the result of `_dyn_quant_pack_4bit_weight`. Only the rule is here.
inline constexpr Schema kDynMm{
    "aten::_dyn_quant_matmul_4bit(Tensor inp, Tensor packed_weights, int block_size, int in_features, int "
    "out_features) -> Tensor"};

}  // namespace ersatz::op_packed_weights
