// `_transform_bias_rescale_qkv`: adds the bias to a joint projection of queries, keys and values, and splits it by
// heads.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/attention/rescale_qkv.h"

namespace ersatz::op_rescale_qkv {

/// qkv [batch, steps, 3 * dim] plus the bias, parted into three of [batch, heads, steps, dim / heads] that lie one
/// behind the other in one storage; the first, of the queries, is divided by sqrt(dim / heads).
/// [_transform_bias_rescale_qkv.C1] qkv has three dims, the first and the last are not empty.
/// [_transform_bias_rescale_qkv.C2] the last dim is three times a multiple of num_heads, which is positive.
/// [_transform_bias_rescale_qkv.C3] the bias has the dtype of qkv and at least an element for each of its columns, in
///     row-major order: PyTorch reads memory that is not the bias's where it is shorter, others as if they were such.
inline constexpr TypedSchema kRescaleQkv{
    "aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor)"};

}  // namespace ersatz::op_rescale_qkv
