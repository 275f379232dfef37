// Parameters of normalisations for tests.
#pragma once

#include "tests/ops/op_values.h"

namespace ersatz {
namespace norm_operands {

/// A 1-d f32 tensor with these values.
inline Tensor vec(std::initializer_list<double> v) {
  const SymInt n = int64_t(v.size());
  return tensor_from_values(DType::F32, std::span(v.begin(), v.size()), std::span(&n, 1));
}

}  // namespace norm_operands
}  // namespace ersatz
