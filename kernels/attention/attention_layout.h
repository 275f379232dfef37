// Strides of the results of CUDA's fused attention kernels. The query is [batch, head, position, feature].
#pragma once

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Flash: the query's strides if its dims are in the order batch, position, head. REQUIRES: value and query have
/// equally many features.
DimVec flash_attention_strides(const TensorMeta& query);
/// Memory-efficient: contiguous in the order batch, position, head, feature, for any strides of the query.
DimVec efficient_attention_strides(const TensorMeta& query, SymInt value_features);
/// cuDNN: the query's strides. If the value has another number of features, dense with the dims in the query's order.
DimVec cudnn_attention_strides(const TensorMeta& query, SymInt value_features);

/// `t` with a leading batch dim of size 1, as unsqueeze(0) gives it. REQUIRES: strides without symbols.
TensorMeta with_batch_of_one(const TensorMeta& t);

}  // namespace ersatz
