#include "kernels/shape/broadcast.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_view_scatter {
namespace {

/// Copies self to the output, then lets `replace` write src into it; an output that shares memory with an input is
/// written at the end.
template <class F>
void copy_and_replace(KernelCall& call, F&& replace) {
  const Tensor self = call.tensor(0);
  const Tensor& out = call.outputs[0];
  const bool shares = out.shares_storage(self) || out.shares_storage(call.tensor(1));
  const Tensor target = shares ? make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device())) : out;
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

void run_copy(KernelCall& call) {
  copy_and_replace(
      call, [&](const Tensor& target) { copy_elements(target, broadcast_view(call.tensor(1), target.sizes())); });
}
void run_slice(KernelCall& call) { replace_view(call, op_named("aten.slice.Tensor"), 4); }
void run_select(KernelCall& call) { replace_view(call, op_named("aten.select.int"), 2); }
// The view is one of memory laid out as self is, whatever the output's strides are.
void run_as_strided(KernelCall& call) {
  const Tensor self = call.tensor(0);
  const Tensor& out = call.outputs[0];
  TensorMeta base = self.meta();
  if (internal_overlap(base) == Overlap::Yes) {
    base.strides = preserved_strides(base.sizes, base.strides);
    base.offset = 0;
  }
  base.conj = base.neg = false;
  TensorMeta part = base;
  part.sizes = DimVec(call.args[2].as_ints());
  part.strides = DimVec(call.args[3].as_ints());
  if (call.has(4)) part.offset = call.integer(4);
  const SymInt bytes = sym_max(storage_bytes_needed(base), storage_bytes_needed(part));
  const SymInt elements[] = {floor_div(bytes, item_size(base.dtype))};
  const Tensor memory = make_real_tensor(TensorMeta(base.dtype, elements, base.device));
  if (self.numel().as_int() > 0) copy_elements(make_view(memory, base), self);
  if (part.numel().as_int() > 0) copy_elements(make_view(memory, std::move(part)), call.tensor(1));
  if (self.numel().as_int() > 0) copy_elements(out, make_view(memory, std::move(base)));
}
void run_diagonal(KernelCall& call) { replace_view(call, op_named("aten.diagonal.default"), 3); }

}  // namespace ersatz::op_view_scatter
