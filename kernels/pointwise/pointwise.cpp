#include "kernels/pointwise/pointwise.h"

#include "runtime/op/registry.h"

namespace ersatz::ops {

namespace {
/// Returns the first op of `names` that is registered. Overloads for a number come before the Tensor overload, which
/// accepts a number too.
const OpEntry& first_of(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const OpEntry* op = registry().find(name)) return *op;
  }
  return op_named(*names.begin());
}
/// Calls `op` with both operands, and with alpha = 1 if `op` has a third argument.
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
#define BINARY(name, ...)                                                                                 \
  Tensor name(const Tensor& self, const Tensor& other) {                                                  \
    static const OpEntry& op =                                                                            \
        first_of({"aten." #name ".Tensor", "aten." #name ".Tensor_Tensor", "aten." #name ".default"});    \
    return call_binary(op, self, other);                                                                  \
  }                                                                                                       \
  Tensor name(const Tensor& self, const Scalar& other) {                                                  \
    static const OpEntry& op =                                                                            \
        first_of({"aten." #name ".Tensor_Scalar", "aten." #name ".Scalar_Other", "aten." #name ".Scalar", \
                  "aten." #name ".other_scalar", "aten." #name ".n_scalar", "aten." #name ".Tensor",      \
                  "aten." #name ".default"});                                                             \
    return call_binary(op, self, other);                                                                  \
  }
#include "kernels/pointwise/all_rows.def"

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return call_op<"aten.add.Tensor">(self, other, alpha);
}
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return call_op<"aten.sub.Tensor">(self, other, alpha);
}

}  // namespace ersatz::ops
