// A plugin as of the first release of plugin.h: interface 1, and an ErsatzOp without members after its samples. Its
// rule does not set the device of the result, so the device is the CPU.
#include "tests/plugins/interface_1.h"

#include <cstring>

#include "tests/plugins/told_kinds.h"

namespace {

/// Returns the metadata of the argument, row-major and on the CPU.
ErsatzTensor like(const ErsatzCall* call) {
  ErsatzTensor t = *call->arguments[0].as.tensor;
  t.device = {1, 0};
  t.strides = nullptr;
  t.byte_offset = 0;
  t.data = nullptr;
  return t;
}

int rule(const ErsatzCall* call, void*) {
  const ErsatzTensor t = like(call);
  return call->host->add_tensor(call, &t, nullptr, nullptr);
}

/// Predicts two results, although the schema has one.
int rule_of_two(const ErsatzCall* call, void*) {
  rule(call, nullptr);
  return rule(call, nullptr);
}

/// Predicts a number, although the schema has a tensor.
int rule_of_number(const ErsatzCall* call, void*) {
  ErsatzValue v{};
  v.kind = ERSATZ_FLOAT;
  return call->host->add_value(call, &v);
}

int kernel(const ErsatzCall* call, void*) {
  ErsatzTensor t = like(call);
  uint64_t bytes = t.dtype.bits / 8;
  for (int32_t d = 0; d < t.ndim; ++d) bytes *= static_cast<uint64_t>(t.shape[d]);
  t.data = call->host->allocate(call, bytes, t.device);
  if (!t.data) return 1;
  std::memset(t.data, 0, bytes);
  return call->host->add_tensor(call, &t, nullptr, nullptr);
}

int add(const ErsatzHost* host, const char* schema, ErsatzFunction predict, ErsatzFunction cpu = kernel) {
  static const char* const samples[] = {"f32[2,3]", nullptr};
  ErsatzOp op{};
  op.size = sizeof op;
  op.flags = 0;
  op.schema = schema;
  op.state = nullptr;
  op.cpu = cpu;
  op.cuda = nullptr;
  op.rule = predict;
  op.samples = cpu == kernel ? samples : nullptr;
  return host->add_op(host, &op);
}

}  // namespace

extern "C" int ersatz_plugin(const ErsatzHost* host, uint32_t abi) {
  if (abi != 1) return host->refuse_load(host, "it was built for plugin interface 1");
  return add(host, "old::zeros(Tensor x) -> Tensor", rule) || add(host, "old::two(Tensor x) -> Tensor", rule_of_two) ||
         add(host, "old::number(Tensor x) -> Tensor", rule_of_number) ||
         add(host, "old::told(Tensor x, Layout l, MemoryFormat f, Generator? g) -> (int, int, int, int)", nullptr,
             told_kinds);
}
