// Ops of namespace `fbtest`, without rules, for the tests of fallback.
#pragma once

#include "fake/mode/fake_mode.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

/// Registers them on the first call and returns the one of that base name.
const OpEntry& fallback_op(std::string_view name);

/// What the kernel of `look` last saw.
struct SeenInput {
  MetaText text;                 ///< metadata and storage size
  WeakRef<TensorImpl> tensor;    ///< expires with the made-up input
  std::vector<double> elements;  ///< of a dtype that holds real numbers, in row-major order
  int runs = 0;                  ///< of any kernel of this file
};
SeenInput& seen_input();

/// A mode with policy zeros and a fill.
FakeMode falling_back(std::optional<Fill> fill = std::nullopt);

}  // namespace ersatz
