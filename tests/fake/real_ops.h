// Ops of namespace `realtest` for tests of real-tensor propagation. Their kernels count their runs; some kernels
// contradict their rule or schema.
#pragma once

#include "fake/mode/fake_mode.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

/// Returns the op with this base name. The first call registers all ops.
const OpEntry& real_op(std::string_view name);
/// Calls an op with one tensor result.
inline Tensor call_real_op(std::string_view name, std::initializer_list<Value> args) {
  return call(real_op(name), std::span<const Value>(args.begin(), args.size()))[0].tensor();
}
/// Returns the number of kernel runs of these ops up to now.
int64_t kernel_runs();

/// Returns options with propagate_real.
FakeOptions propagating(int64_t real_bytes = INT64_MAX);

/// Returns the elements of a contiguous f32 tensor, or of the real tensor of a fake. Empty if the fake has none.
std::vector<float> values_of(const Tensor& t);

}  // namespace ersatz
