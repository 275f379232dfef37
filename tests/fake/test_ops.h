// Small ops of namespace `faketest` for the tests of this folder: with rule, without, composite, in place, and so on.
#pragma once

#include "runtime/op/dispatch.h"
#include "tests/raised_error.h"

namespace ersatz {

/// Registers them on the first call and returns the one of that base name.
const OpEntry& test_op(std::string_view name);

/// A boxed call with one tensor result.
inline Tensor call_test_op(std::string_view name, std::initializer_list<Value> args) {
  const Values results = call(test_op(name), std::span<const Value>(args.begin(), args.size()));
  return results[0].tensor();
}

/// Metadata from its spelling; on the cpu where no device is written.
TensorMeta meta_of(std::string text);

/// A real f32 tensor of ones.
Tensor ones_f32(std::initializer_list<int64_t> sizes);

}  // namespace ersatz
