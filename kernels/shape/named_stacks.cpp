#include "kernels/shape/named_stacks.h"

#include "kernels/shape/atleast.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_named_stacks {
namespace {

/// cat(tensors, dim), into argument `out` of the call if it has one.
void join(CompositeCall& call, std::span<const Value> tensors, const Value& dim, Position out) {
  if (call.args.size() > out) {
    call_op_all<"aten.cat.out">(tensors, dim, call.args[out]);
    return call.returns(call.args[out]);
  }
  call.returns(call_op<"aten.cat.default">(tensors, dim));
}

void concat(CompositeCall& call) {
  static constexpr Schemas kArgs{kConcat, kConcatOut};
  join(call, call.list(kArgs["tensors"]), call[kArgs["dim"]], kConcatOut["out"]);
}

using Widen = Tensor (*)(const Tensor&);

std::vector<Value> widened(CompositeCall& call, Widen widen) {
  static constexpr Schemas kArgs{kNamedStack, kNamedStackOut};
  call.require(!call.list(kArgs["tensors"]).empty(), "C1", "expects a tensor at least");
  std::vector<Value> tensors;
  for (const Value& v : call.list(kArgs["tensors"])) tensors.push_back(widen(v.tensor()));
  return tensors;
}

Tensor as_column(const Tensor& t) {
  if (t.dim() > 1) return t;
  const SymInt sizes[] = {t.numel(), 1};
  return ops::reshape(t, sizes);
}

void hstack(CompositeCall& call) {
  const std::vector<Value> tensors = widened(call, ops::atleast_1d);
  join(call, tensors, int64_t(tensors[0].tensor_impl()->meta.dim() == 1 ? 0 : 1), kNamedStackOut["out"]);
}
template <Widen widen, int64_t dim>
void stack(CompositeCall& call) {
  join(call, widened(call, widen), dim, kNamedStackOut["out"]);
}

Tensor call_list(const OpEntry& op, std::span<const Tensor> tensors) {
  std::vector<Value> list(tensors.begin(), tensors.end());
  return call_op(op, std::span<const Value>(list));
}

}  // namespace

void register_ops(Registry& r) {
  for (const char* name : {"concat", "concatenate"}) {
    r.add(kConcat.with(name)).with_composite(concat).sample("[f32[2,3], f32[4,3]]").sample("[f32[2,3], i64[2,1]], 1");
    r.add(kConcatOut.with(name)).with_composite(concat).sample("[f32[2,3], f32[4,3]], out=f64[0]");
  }
  struct Stack {
    const char* name;
    CompositeBody body;
  };
  for (const Stack& s : {Stack{"hstack", hstack}, Stack{"vstack", stack<ops::atleast_2d, 0>},
                         Stack{"row_stack", stack<ops::atleast_2d, 0>}, Stack{"dstack", stack<ops::atleast_3d, 2>},
                         Stack{"column_stack", stack<as_column, 1>}}) {
    r.add(kNamedStack.with(s.name))
        .with_composite(s.body)
        .sample("[f32[3], f32[3]]")
        .sample("[f32[2,3], i64[2,3]{1,2}]")
        .refuses("C1", "[]");
    r.add(kNamedStackOut.with(s.name))
        .with_composite(s.body)
        .sample("[f32[3], f32[3]], out=f64[0]")
        .refuses("C1", "[], out=f32[0]");
  }
}

}  // namespace ersatz::op_named_stacks

namespace ersatz::ops {

Tensor concat(std::span<const Tensor> tensors, int64_t dim) {
  std::vector<Value> list(tensors.begin(), tensors.end());
  return call_op<"aten.concat.default">(std::span<const Value>(list), dim);
}
Tensor hstack(std::span<const Tensor> tensors) {
  return op_named_stacks::call_list(op_entry<"aten.hstack.default">(), tensors);
}
Tensor vstack(std::span<const Tensor> tensors) {
  return op_named_stacks::call_list(op_entry<"aten.vstack.default">(), tensors);
}
Tensor dstack(std::span<const Tensor> tensors) {
  return op_named_stacks::call_list(op_entry<"aten.dstack.default">(), tensors);
}
Tensor column_stack(std::span<const Tensor> tensors) {
  return op_named_stacks::call_list(op_entry<"aten.column_stack.default">(), tensors);
}

}  // namespace ersatz::ops
