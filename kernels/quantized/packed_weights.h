// Weights of 4 bits, packed two to a byte, and matrix products with them.
//
// A packed number w means (w - 8) * scale + zero, with its group's scale and zero. The CPU packs rows in blocks of 64
// (AVX-512) or 32 (AVX2). In a full block, a row of the first half shares bytes with a row of the second half.
// Remaining rows share bytes with the adjacent row. CUDA's packing and products have rules only, and no kernel.
//
// Constraints, where `op` is the op's name:
// [op.C1] operands have the dims in the schema's description, and their sizes match.
// [op.C2] dtypes: weights are i32 before and u8 after the CPU's packing, u8 before and i32 after CUDA's; other operands
//         are floats.
// [op.C3] groups have 32, 64, 128 or 256 elements and divide the inner size.
// [op.C4] there is a scale and a zero point for each group and row.
// [op.C5] operands are dense.
// [_convert_weight_to_int4pack.C3] there are 2, 4 or 8 tiles. The tiles times 16 divide the inner size, and 8 divides
//                                  the rows.
// [_convert_weight_to_int4pack_for_cpu.C3] 16 divides the rows and 2 divides the columns.
// [_dyn_quant_pack_4bit_weight.C3] a group is a row, or is a multiple of 32 that divides a row.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_packed_weights {

/// Packs i32[n,k] with numbers from 0 to 15 to u8[n,k/2].
inline constexpr Schema kPackForCpu{
    "aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor"};
/// Packs u8[n,k/2] to i32[n/8, k/(16*tiles), 32, tiles/2].
inline constexpr Schema kPack{"aten::_convert_weight_to_int4pack(Tensor self, int innerKTiles) -> Tensor"};
/// self[m,k] times the packed rows[n,k]; scales and zeros are [k/group, n, 2].
inline constexpr Schema kMm{
    "aten::_weight_int4pack_mm{}(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> Tensor"};
/// self[m,k] times rows with 8 numbers in each i32, i32[n,k/8].
inline constexpr Schema kMmWithScales{
    "aten::_weight_int4pack_mm_with_scales_and_zeros(Tensor self, Tensor mat2, int qGroupSize, Tensor qScale, Tensor "
    "qZeros) -> Tensor"};
/// Concatenates weights, scales and bias, in f32.
inline constexpr Schema kDynPack{
    "aten::_dyn_quant_pack_4bit_weight(Tensor weights, Tensor scales_zeros, Tensor? bias, int block_size, int "
    "in_features, int out_features) -> Tensor"};
/// inp[m,in] times the result of `_dyn_quant_pack_4bit_weight`; it has a rule only.
inline constexpr Schema kDynMm{
    "aten::_dyn_quant_matmul_4bit(Tensor inp, Tensor packed_weights, int block_size, int in_features, int "
    "out_features) -> Tensor"};

}  // namespace ersatz::op_packed_weights
