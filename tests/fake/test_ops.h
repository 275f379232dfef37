// Small ops of namespace `faketest` for the tests of this folder: with and without a rule, composite, in-place and
// others.
#pragma once

#include "runtime/op/dispatch.h"
#include "tests/raised_error.h"

namespace ersatz {

/// Returns the op with this base name. The first call registers all ops.
const OpEntry& test_op(std::string_view name);

/// Calls an op with one tensor result.
inline Tensor call_test_op(std::string_view name, std::initializer_list<Value> args) {
  const Values results = call(test_op(name), std::span<const Value>(args.begin(), args.size()));
  return results[0].tensor();
}

/// Parses metadata from text. Without a device in the text, the device is the CPU.
TensorMeta meta_of(std::string text);

/// Returns a real f32 tensor of ones.
Tensor ones_f32(std::initializer_list<int64_t> sizes);

}  // namespace ersatz
