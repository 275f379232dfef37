// Made-up values for weights and inputs whose real ones are not at hand.
//
// Seeded by `seed` and the tensor's name: the same on every machine and in any order. Chosen so that a program whose
// eager run has no NaN gets none here: weights are uniform with the deviation 1/sqrt(fan-in), scales and variances
// are near 1, biases and means small, masks true, integers 0 except position tables, which count up.
#pragma once

#include <string_view>

#include "runtime/tensor/tensor.h"

namespace ersatz {

enum class MadeUpRole : uint8_t { Weight, Input, Ones };

/// Fills every element. REQUIRES: a real CPU tensor. Elements that share memory are written once or more.
void fill_made_up(const Tensor& tensor, std::string_view name, uint64_t seed, MadeUpRole role);

}  // namespace ersatz
