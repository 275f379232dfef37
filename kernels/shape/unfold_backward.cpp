#include "kernels/shape/unfold_backward.h"

#include "kernels/no_flops.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_unfold_backward {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& grad = call.meta(kUnfoldBackward["grad_in"]);
  const std::span<const SymInt> sizes = call.ints(kUnfoldBackward["input_sizes"]);
  const int64_t size = call.integer(kUnfoldBackward["size"]), step = call.integer(kUnfoldBackward["step"]);
  for (const SymInt& s : sizes) call.require(check_ge(s, 0), "C1", "sizes must not be negative: got {}", sizes);
  const int64_t rank = static_cast<int64_t>(sizes.size()),
                dim = call.wrap_dim(call.integer(kUnfoldBackward["dim"]), rank);
  if (step <= 0 && step < size) call.refuse(ErrorFamily::Value, "C2", "step must be positive: it is {}", step);
  call.require(step > 0 && size >= 0, "C2", "step must be positive and size not negative: they are {} and {}", step,
               size);
  const SymInt whole = rank == 0 ? SymInt(1) : sizes[dim];
  DimVec windows(sizes.begin(), sizes.end());
  bool fits;
  if (step >= size) {
    if (rank > 0) windows[dim] = floor_div(whole - SymInt(size), step) + SymInt(1);
    windows.push_back(size);
    fits = check_le(size, whole) && broadcasts_to(grad.sizes, windows);
  } else {
    fits = grad.dim() == rank + 1;
    if (fits && rank > 0) windows[dim] = grad.sizes[dim];
    // PyTorch's kernel loops over the elements of the result. If the result is empty, grad_in may be empty too.
    const bool reads = std::none_of(sizes.begin(), sizes.end(), [](const SymInt& s) { return size_eq(s, 0); });
    fits = fits && (!reads || size_ne(grad.numel(), 0)) && broadcasts_to({grad.sizes.data(), windows.size()}, windows);
  }
  call.require(fits, "C3", "grad_in must be windows of {} every {} along dim {} of {}: it is {}", size, step, dim,
               sizes, grad);
  // If step equals size, each element is in one window and is copied, which any dtype allows. Otherwise elements are
  // summed.
  call.require_dtype(grad.dtype, step == size ? kEveryDType : kAllDTypes);
  call.out.fresh(TensorMeta(grad.dtype, sizes, call.device));
}

void run(KernelCall& call) {
  const int64_t size = call.integer(kUnfoldBackward["size"]), step = call.integer(kUnfoldBackward["step"]);
  Tensor out = call.outputs[0], grad = call.tensor(kUnfoldBackward["grad_in"]);
  fill_elements(out, 0);
  if (out.dim() == 0) {
    out = ops::unsqueeze(out, 0);
    grad = ops::unsqueeze(grad, 0);
  }
  const int64_t given = call.integer(kUnfoldBackward["dim"]), dim = given < 0 ? given + out.dim() : given;
  const int64_t whole = out.size(dim).as_int();
  if (step >= size) {
    DimVec windows(out.sizes().begin(), out.sizes().end());
    windows[dim] = (whole - size) / step + 1;
    windows.push_back(size);
    grad = broadcast_view(grad, windows);
  }
  const int64_t longest = std::min(size, grad.size(out.dim()).as_int());
  for (int64_t k = 0; k < std::min(longest, whole); ++k) {
    const int64_t n = std::min(grad.size(dim).as_int(), (whole - k - 1) / step + 1);
    const Tensor to = ops::slice(out, dim, SymInt(k), SymInt(k + (n - 1) * step + 1), step);
    const Tensor from = ops::slice(ops::select(grad, -1, k), dim, SymInt(0), SymInt(n));
    if (step >= size) {  // windows do not overlap, so nothing is summed
      copy_elements(to, from);
    } else {
      call_op<"aten.add_.Tensor">(to, from, Scalar(1));
    }
  }
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kUnfoldBackward)
                    .with_rule(rule)
                    .count_flops(no_flops)
                    .every_device(run)
                    .sample("f32[2,2], [7], 0, 2, 3")
                    .sample("f32[2,5,3], [2,7], 1, 3, 1")
                    .refuses("C1", "f32[3,2], [-7], 0, 2, 3")
                    .refuses("C2", "f32[3,2], [7], 0, 2, 0")
                    .refuses("C3", "f32[3,3], [10], 0, 2, 3");
  r.add_out(op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_unfold_backward
