#include "kernels/pointwise/pointwise.h"

#include "runtime/registry.h"

namespace ersatz::ops {

namespace {
/// A binary op has one entry per kind of operand; where a number has none of its own, it stands in the Tensor slot.
const OpEntry& scalar_entry(const char* scalar_name, const char* tensor_name) {
  const OpEntry* op = registry().find(scalar_name);
  return op ? *op : op_named(tensor_name);
}
/// Complete arguments: operands, then `alpha` where there is one.
template <class B>
Tensor call_binary(const OpEntry& op, const Tensor& self, const B& other) {
  return op.schema.arguments.size() > 2 ? call_op(op, self, other, Scalar(1)) : call_op(op, self, other);
}
}  // namespace

#define UNARY(name, ...)                                           \
  Tensor name(const Tensor& self) {                                \
    static const OpEntry& op = op_named("aten." #name ".default"); \
    return call_op(op, self);                                      \
  }
#define BINARY(name, ...)                                                                       \
  Tensor name(const Tensor& self, const Tensor& other) {                                        \
    static const OpEntry& op = scalar_entry("aten." #name ".Tensor", "aten." #name ".default"); \
    return call_binary(op, self, other);                                                        \
  }                                                                                             \
  Tensor name(const Tensor& self, const Scalar& other) {                                        \
    static const OpEntry& op = scalar_entry("aten." #name ".Scalar", "aten." #name ".Tensor");  \
    return call_binary(op, self, other);                                                        \
  }
#include "kernels/pointwise/all_rows.def"

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  static const OpEntry& op = op_named("aten.add.Tensor");
  return call_op(op, self, other, alpha);
}
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  static const OpEntry& op = op_named("aten.sub.Tensor");
  return call_op(op, self, other, alpha);
}

}  // namespace ersatz::ops
