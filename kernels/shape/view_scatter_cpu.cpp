#include "kernels/shape/broadcast.h"
#include "runtime/copy.h"
#include "runtime/dispatch.h"

namespace ersatz::op_view_scatter {
namespace {

/// Copies self to the output, then lets `replace` write src into it; an output that shares memory with an input is
/// written at the end.
template <class F>
void copy_and_replace(KernelCall& call, F&& replace) {
  const Tensor self = call.tensor(0);
  const Tensor& out = call.outputs[0];
  const bool shares = out.shares_storage(self) || out.shares_storage(call.tensor(1));
  const Tensor target = shares ? make_real_tensor(TensorMeta(out.dtype(), out.sizes())) : out;
  copy_elements(target, self);
  replace(target);
  if (shares) copy_elements(out, target);
}

/// Writes src where the view op's rule says that (target, attributes...) lies.
void replace_view(KernelCall& call, const OpEntry& view, size_t attributes) {
  copy_and_replace(call, [&](const Tensor& target) {
    InlineVec<Value, 6> args;
    args.push_back(Value::borrow(target));
    for (size_t i = 2; i < 2 + attributes; ++i) args.push_back(call.args[i].borrowed());
    RuleResult result;
    run_rule(view, args, result);
    copy_elements(make_view(target, std::move(result.outputs[0].meta)), call.tensor(1));
  });
}

}  // namespace

void copy_cpu(KernelCall& call) {
  copy_and_replace(
      call, [&](const Tensor& target) { copy_elements(target, broadcast_view(call.tensor(1), target.sizes())); });
}
void slice_cpu(KernelCall& call) { replace_view(call, op_named("aten.slice.Tensor"), 4); }
void select_cpu(KernelCall& call) { replace_view(call, op_named("aten.select.int"), 2); }
void diagonal_cpu(KernelCall& call) { replace_view(call, op_named("aten.diagonal.default"), 3); }

}  // namespace ersatz::op_view_scatter
