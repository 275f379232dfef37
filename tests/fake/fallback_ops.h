// Ops of namespace `fbtest` without rules, for tests of fallback.
#pragma once

#include "fake/mode/fake_mode.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

/// Returns the op with this base name. The first call registers all ops.
const OpEntry& fallback_op(std::string_view name);

/// The input of the last run of the kernel of `look`.
struct SeenInput {
  MetaText text;                 ///< metadata and storage size
  WeakRef<TensorImpl> tensor;    ///< expires when the synthetic input is freed
  std::vector<double> elements;  ///< for dtypes of real numbers, in row-major order
  int runs = 0;                  ///< runs of all kernels in this file
};
SeenInput& seen_input();

/// Returns a mode with fallback policy `zeros` and a fill.
FakeMode falling_back(std::optional<Fill> fill = std::nullopt);

}  // namespace ersatz
