// The values of an index tensor, read once as int64 in row-major order, each checked against a dim.
#pragma once

#include <vector>

#include "runtime/kernel.h"

namespace ersatz {

/// Row-major values of an i32 or i64 CPU tensor. Raises a value failure of that family for one outside [0, size).
std::vector<int64_t> checked_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family);
/// The same where negative ones count from the end: they are in [-size, size), and answered in [0, size).
std::vector<int64_t> wrapped_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family);

}  // namespace ersatz
