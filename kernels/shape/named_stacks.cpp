#include "kernels/shape/named_stacks.h"

#include "kernels/shape/atleast.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_named_stacks {
namespace {

/// Calls cat(tensors, dim). An `out=` form passes its argument `out` to cat.out.
void join(CompositeCall& call, std::span<const Value> tensors, const Value& dim) {
  if (!call.op.written.empty()) {
    call_op_all<"aten.cat.out">(tensors, dim, call.args.back());
    return call.returns(call.args.back());
  }
  call.returns(call_op<"aten.cat.default">(tensors, dim));
}

void concat(CompositeCall& call) { join(call, call.list(kConcat["tensors"]), call[kConcat["dim"]]); }

using Widen = Tensor (*)(const Tensor&);

std::vector<Value> widened(CompositeCall& call, Widen widen) {
  call.require(!call.list(kNamedStack["tensors"]).empty(), "C1", "expects a tensor at least");
  std::vector<Value> tensors;
  for (const Value& v : call.list(kNamedStack["tensors"])) tensors.push_back(widen(v.tensor()));
  return tensors;
}

Tensor as_column(const Tensor& t) {
  if (t.dim() > 1) return t;
  const SymInt sizes[] = {t.numel(), 1};
  return ops::reshape(t, sizes);
}

void hstack(CompositeCall& call) {
  const std::vector<Value> tensors = widened(call, ops::atleast_1d);
  join(call, tensors, int64_t(tensors[0].tensor_impl()->meta.dim() == 1 ? 0 : 1));
}
template <Widen widen, int64_t dim>
void stack(CompositeCall& call) {
  join(call, widened(call, widen), dim);
}

}  // namespace

void register_ops(Registry& r) {
  for (const char* name : {"concat", "concatenate"}) {
    OpEntry& op = r.add(kConcat.with(name))
                      .with_composite(concat)
                      .sample("[f32[2,3], f32[4,3]]")
                      .sample("[f32[2,3], i64[2,1]], 1");
    r.add_out_alike(op, "out").sample("[f32[2,3], f32[4,3]], out=f64[0]");
  }
  struct Stack {
    const char* name;
    CompositeBody body;
  };
  for (const Stack& s : {Stack{"hstack", hstack}, Stack{"vstack", stack<ops::atleast_2d, 0>},
                         Stack{"row_stack", stack<ops::atleast_2d, 0>}, Stack{"dstack", stack<ops::atleast_3d, 2>},
                         Stack{"column_stack", stack<as_column, 1>}}) {
    OpEntry& op = r.add(kNamedStack.with(s.name))
                      .with_composite(s.body)
                      .sample("[f32[3], f32[3]]")
                      .sample("[f32[2,3], i64[2,3]{1,2}]")
                      .refuses("C1", "[]");
    r.add_out_alike(op, "out").sample("[f32[3], f32[3]], out=f64[0]").refuses("C1", "[], out=f32[0]");
  }
}

}  // namespace ersatz::op_named_stacks
