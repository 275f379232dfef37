#include "kernels/indexing/item.h"

#include "kernels/indexing/tensor_number.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/slice_tags.h"
#include "runtime/sym/sym_value.h"

namespace ersatz::op_item {
namespace {

void rule(RuleCall& call) {
  const SymInt n = call.meta(kLocalScalarDense["self"]).numel();
  call.require(check_ne(n, 0), "C1", "expects an element: self is {}", call.meta(kLocalScalarDense["self"]));
  if (std::optional<Value> number = call.number_of_data(call.tensor(kLocalScalarDense["self"])))
    call.out.number(std::move(*number));
}

void item(CompositeCall& call) {
  call.require(check_eq(call.meta(kItem["self"]).numel(), 1), "C1", "expects one element: self is {}",
               call.meta(kItem["self"]));
  call.returns(call_op_all<"aten._local_scalar_dense.default">(call[kItem["self"]])[0]);
}

void run_cpu(KernelCall& call, Values& results) {
  results.push_back(first_number(call.tensor(kLocalScalarDense["self"])));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kLocalScalarDense)
      .tag(Tag::ScalarRead | Tag::Core)
      .with_rule(rule)
      .cpu_returns(run_cpu)
      .sample("f32[]")
      .sample("i64[1]")
      .refuses("C1", "f32[0]");
  r.add(kItem).tag(Tag::ScalarRead | kItemTag).with_composite(item).sample("f32[]").refuses("C1", "f32[2]");
}

}  // namespace ersatz::op_item

namespace ersatz::ops {

std::vector<Value> tolist(const Tensor& vector) {
  if (vector.dim() != 1) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "tolist: NYI for higher dims: the tensor is {}",
         vector.meta());
  }
  std::vector<Value> elements;
  const int64_t n = vector.size(0).guard_int();
  for (int64_t i = 0; i < n; ++i) {
    const Value v(item(select(vector, 0, i)));
    if (v.is_symbolic_int()) {
      if (settings_of(v.as_int()).tolist_at_least_two && !check_ge(v.as_int(), 2))
        fail_argument("tolist: each element must be 2 at least: element {} is {}", i, v.as_int());
    }
    elements.push_back(v);
  }
  return elements;
}

}  // namespace ersatz::ops
