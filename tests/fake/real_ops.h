// Ops of namespace `realtest` whose kernels count how often they run, and kernels that do not keep to their rule or
// schema. For the tests of real-tensor propagation.
#pragma once

#include "fake/mode/fake_mode.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

/// Registers them on the first call and returns the one of that base name.
const OpEntry& real_op(std::string_view name);
/// A boxed call with one tensor result.
inline Tensor call_real_op(std::string_view name, std::initializer_list<Value> args) {
  return call(real_op(name), std::span<const Value>(args.begin(), args.size()))[0].tensor();
}
/// How often kernels of these ops ran so far.
int64_t kernel_runs();

/// Options with propagate_real on.
FakeOptions propagating(int64_t real_bytes = INT64_MAX);

/// The elements of a contiguous f32 tensor; of a fake, of its real tensor. Empty: it has none.
std::vector<float> values_of(const Tensor& t);

}  // namespace ersatz
