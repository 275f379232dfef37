// Weights of 4 bits, two in a byte, and products with them.
//
// A weight w of a group stands for (w - 8) * scale + zero. The CPU packs rows in blocks of as many as its registers
// hold: 64 with AVX-512, 32 with AVX2. In a full block a row of the first half shares bytes with one of the second.
// Rows that are left over share them with their neighbours. CUDA's packing and products are metadata.
//
// Constraints, where `op` is the op's name:
// [op.C1] operands have the number of dims that the schema's description names, and fit.
// [op.C2] dtypes: weights i32 before and u8 behind the CPU's packing, u8 before and i32 behind CUDA's; others float.
// [op.C3] groups of 32, 64, 128 or 256 elements that divide the inner size.
// [op.C4] a scale and a zero point for each group and row.
// [op.C5] operands are dense.
// [_convert_weight_to_int4pack.C3] 2, 4 or 8 tiles, which divide the inner size in units of 16; 8 divides the rows.
// [_convert_weight_to_int4pack_for_cpu.C3] 16 divides the rows, 2 the columns.
// [_dyn_quant_pack_4bit_weight.C3] a group is a row, or 32 divides it and it divides a row.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_packed_weights {

/// i32[n,k] of numbers from 0 to 15 as u8[n,k/2].
inline constexpr Schema kPackForCpu{
    "aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor"};
/// u8[n,k/2] as i32[n/8, k/(16*tiles), 32, tiles/2].
inline constexpr Schema kPack{"aten::_convert_weight_to_int4pack(Tensor self, int innerKTiles) -> Tensor"};
/// self[m,k] times packed rows[n,k]; scales and zeros are [k/group, n, 2].
inline constexpr Schema kMm{
    "aten::_weight_int4pack_mm{}(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> Tensor"};
/// The same for rows of 8 numbers in an i32, i32[n,k/8].
inline constexpr Schema kMmWithScales{
    "aten::_weight_int4pack_mm_with_scales_and_zeros(Tensor self, Tensor mat2, int qGroupSize, Tensor qScale, Tensor "
    "qZeros) -> Tensor"};
/// Weights, scales and bias one behind the other, in f32.
inline constexpr Schema kDynPack{
    "aten::_dyn_quant_pack_4bit_weight(Tensor weights, Tensor scales_zeros, Tensor? bias, int block_size, int "
    "in_features, int out_features) -> Tensor"};
/// inp[m,in] times what `_dyn_quant_pack_4bit_weight` packed: metadata.
inline constexpr Schema kDynMm{
    "aten::_dyn_quant_matmul_4bit(Tensor inp, Tensor packed_weights, int block_size, int in_features, int "
    "out_features) -> Tensor"};

}  // namespace ersatz::op_packed_weights
