#include "kernels/shape/broadcast.h"
#include "kernels/shape/view_scatter.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_view_scatter {
namespace {

/// Copies self to the output, then lets `replace` write src into it; an output that shares memory with an input is
/// written at the end.
template <class F>
void copy_and_replace(KernelCall& call, F&& replace) {
  static constexpr Schemas kArgs{kCopy, kSliceScatter, kSelectScatter, kDiagonalScatter};
  const Tensor self = call.tensor(kArgs["self"]);
  const Tensor& out = call.outputs[0];
  const bool shares = out.shares_storage(self) || out.shares_storage(call.tensor(kArgs["src"]));
  const Tensor target = shares ? make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device())) : out;
  copy_elements(target, self);
  replace(target);
  if (shares) copy_elements(out, target);
}

/// Writes src where the view op's rule says that of the target and what follows src lies.
void replace_view(KernelCall& call, const OpEntry& view) {
  copy_and_replace(call, [&](const Tensor& target) {
    InlineVec<Value, 6> args;
    args.push_back(Value::borrow(target));
    for (const Value& v : call.args.subspan(kOfViews["src"] + 1)) args.push_back(v.borrowed());
    RuleResult result;
    run_rule(view, args, result);
    copy_elements(make_view(target, std::move(result.outputs[0].meta)), call.tensor(kOfViews["src"]));
  });
}

}  // namespace

void run_copy(KernelCall& call) {
  copy_and_replace(call, [&](const Tensor& target) {
    copy_elements(target, broadcast_view(call.tensor(kCopy["src"]), target.sizes()));
  });
}
void run_slice(KernelCall& call) { replace_view(call, op_named("aten.slice.Tensor")); }
void run_select(KernelCall& call) { replace_view(call, op_named("aten.select.int")); }
// The view is one of memory laid out as self is, whatever the output's strides are.
void run_as_strided(KernelCall& call) {
  const Tensor self = call.tensor(kAsStridedScatter["self"]);
  const Tensor& out = call.outputs[0];
  TensorMeta base = self.meta();
  if (internal_overlap(base) == Overlap::Yes) {
    base.strides = preserved_strides(base.sizes, base.strides);
    base.offset = 0;
  }
  base.conj = base.neg = false;
  TensorMeta part = base;
  part.sizes = DimVec(call[kAsStridedScatter["size"]].as_ints());
  part.strides = DimVec(call[kAsStridedScatter["stride"]].as_ints());
  if (call.has(kAsStridedScatter["storage_offset"])) part.offset = call.integer(kAsStridedScatter["storage_offset"]);
  const SymInt bytes = sym_max(storage_bytes_needed(base), storage_bytes_needed(part));
  const SymInt elements[] = {floor_div(bytes, item_size(base.dtype))};
  const Tensor memory = make_real_tensor(TensorMeta(base.dtype, elements, base.device));
  if (self.numel().as_int() > 0) copy_elements(make_view(memory, base), self);
  if (part.numel().as_int() > 0)
    copy_elements(make_view(memory, std::move(part)), call.tensor(kAsStridedScatter["src"]));
  if (self.numel().as_int() > 0) copy_elements(out, make_view(memory, std::move(base)));
}
void run_diagonal(KernelCall& call) { replace_view(call, op_named("aten.diagonal.default")); }

}  // namespace ersatz::op_view_scatter
