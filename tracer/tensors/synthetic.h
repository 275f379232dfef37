// Fills tensors with synthetic values for weights and inputs whose real values are missing.
//
// `seed` and the tensor's name determine the values, equal on every machine and in any order. A program whose eager run
// has no NaN should get none from them. Weights are uniform with deviation 1/sqrt(fan-in), scales and variances are
// near 1, biases and means are small, and masks are true. Integers are 0, except position tables, which count up.
#pragma once

#include <string_view>

#include "runtime/tensor/tensor.h"

namespace ersatz {

enum class SyntheticRole : uint8_t { Weight, Input, Ones };

/// Fills every element. REQUIRES: a real CPU tensor. An element whose memory others share may be written several times.
void fill_synthetic(const Tensor& tensor, std::string_view name, uint64_t seed, SyntheticRole role);

}  // namespace ersatz
