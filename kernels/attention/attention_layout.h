// Strides of the results of CUDA's fused attention kernels. The query is [batch, head, position, feature].
#pragma once

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Strides of the flash kernel's result. They are those of `empty_like` for the query, viewed as [batch, position,
/// head, feature]. REQUIRES: value and query have equally many features.
DimVec flash_attention_strides(const TensorMeta& query);
/// Strides of the memory-efficient kernel's result: contiguous in the order batch, position, head, feature, for any
/// query.
DimVec efficient_attention_strides(const TensorMeta& query, SymInt value_features);
/// Strides of cuDNN's result: those of the query. If value and query differ in the number of features, the result is
/// dense, and its dims have the order of the query's dims.
DimVec cudnn_attention_strides(const TensorMeta& query, SymInt value_features);

/// Returns the metadata that `t` has after unsqueeze(0): a leading batch dim of size 1. REQUIRES: strides without
/// symbols.
TensorMeta with_batch_of_one(const TensorMeta& t);

}  // namespace ersatz
