// Fills tensors with synthetic values, for weights and inputs whose real values are missing.
//
// The values depend only on `seed` and the tensor's name, so they are equal on every machine and in any order. If a
// program's eager run has no NaN, its run on these values should have none either. Weights are uniform with deviation
// 1/sqrt(fan-in), scales and variances are near 1, biases and means are small, and masks are true. Integers are 0,
// except in position tables, which count up.
#pragma once

#include <string_view>

#include "runtime/tensor/tensor.h"

namespace ersatz {

enum class SyntheticRole : uint8_t { Weight, Input, Ones };

/// Fills every element. REQUIRES: `tensor` is a real CPU tensor. If elements share memory, it is written several times.
void fill_synthetic(const Tensor& tensor, std::string_view name, uint64_t seed, SyntheticRole role);

}  // namespace ersatz
