#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/view_backward.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_view_backward {

void run(KernelCall& call, const OpEntry& view) {
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  InlineVec<Value, 6> args;
  args.push_back(Value::borrow(out));
  for (const Value& v : call.args.subspan(kEach["input_sizes"] + 1)) args.push_back(v.borrowed());
  RuleResult views;
  run_rule(view, args, views);
  const Tensor part = make_view(out, std::move(views.outputs[0].meta));
  copy_elements(part, broadcast_view(call.tensor(kEach["grad_output"]), part.sizes()));
}

}  // namespace ersatz::op_view_backward
