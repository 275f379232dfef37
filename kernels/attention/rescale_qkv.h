// `_transform_bias_rescale_qkv`: adds the bias to a joint projection of queries, keys and values, and splits it by
// heads.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/attention/rescale_qkv.h"

namespace ersatz::op_rescale_qkv {

/// Returns qkv [batch, steps, 3 * dim] plus the bias, split into three tensors [batch, heads, steps, dim / heads]. All
/// three are in one storage, one after the other. The first tensor, the queries, is divided by sqrt(dim / heads).
/// [_transform_bias_rescale_qkv.C1] qkv has three dims, and the first and the last are not 0.
/// [_transform_bias_rescale_qkv.C2] the last dim is three times a multiple of num_heads, and num_heads is positive.
/// [_transform_bias_rescale_qkv.C3] the bias is row-major, has the dtype of qkv and at least one element for each
/// column of qkv. PyTorch does not check this condition and reads the wrong memory.
inline constexpr TypedSchema kRescaleQkv{
    "aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_rescale_qkv
