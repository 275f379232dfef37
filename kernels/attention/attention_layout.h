// Strides that CUDA's fused attention kernels give their results: query [batch, head, position, feature].
#pragma once

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Flash: like the query where batch, position, head are the order of its dims; value and query have as many features.
DimVec flash_attention_strides(const TensorMeta& query);
/// Memory-efficient: dense batch, position, head, feature, whatever the query looks like.
DimVec efficient_attention_strides(const TensorMeta& query, SymInt value_features);
/// cuDNN: like the query; where the value has other features, dense with the dims in the query's order.
DimVec cudnn_attention_strides(const TensorMeta& query, SymInt value_features);

/// With a leading batch of one, as `unsqueeze(0)` gives. REQUIRES: plain strides.
TensorMeta with_batch_of_one(const TensorMeta& t);

}  // namespace ersatz
