#include "kernels/guard/token.h"

#include "kernels/shape/clone.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_token {
namespace {

void make(CompositeCall& call) {
  call.returns(call_op<"aten.zeros.default">(DimVec(), call[kMake["dtype"]], call[kMake["layout"]],
                                             call[kMake["device"]], call[kMake["pin_memory"]]));
}
void assert_async(CompositeCall& call) {
  call_op_all<"aten._assert_async.msg">(call[kAssertAsync["self"]], call[kAssertAsync["assert_msg"]]);
  call.returns(ops::clone(call.tensor(kAssertAsync["dep_token"])));
}
void assert_scalar(CompositeCall& call) {
  call_op_all<"aten._assert_scalar.default">(call[kAssertScalar["self"]], call[kAssertScalar["assert_msg"]]);
  call.returns(ops::clone(call.tensor(kAssertScalar["dep_token"])));
}
template <OpName op>
void constrain(CompositeCall& call) {
  call_op_all<op>(call[kConstrain["size"]], call[kConstrain["min"]], call[kConstrain["max"]]);
  call.returns(ops::clone(call.tensor(kConstrain["dep_token"])));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kMake).tag(Tag::Factory).with_composite(make).sample("").sample("dtype=i32");
  r.add(kAssertAsync).tag(Tag::FailsOnValues).with_composite(assert_async).sample("i64[1], \"zero\", f32[]", 1, 3);
  r.add(kAssertScalar).with_composite(assert_scalar).sample("True, \"ok\", f32[2,3]{1,2}");
  r.add(kConstrain.with("sym_constrain_range"))
      .with_composite(constrain<"aten.sym_constrain_range.default">)
      .sample("5, 1, 8, f32[]");
  r.add(kConstrain.with("sym_constrain_range_for_size"))
      .with_composite(constrain<"aten.sym_constrain_range_for_size.default">)
      .sample("5, None, None, f32[]");
}

}  // namespace ersatz::op_token
