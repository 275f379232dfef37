#include "kernels/indexing/masked_scatter_backward.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/masked_select.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"

namespace ersatz::op_masked_scatter_backward {
namespace {

void rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kMaskedScatterBackward["grad_output"]),
                   &mask = call.meta(kMaskedScatterBackward["mask"]);
  call.require(mask.dtype == DType::Bool, "C1", "expects a bool mask: mask is {}", mask);
  const TensorMeta* operands[] = {&grad, &mask};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, sizes, mismatch), "C2", "mask and grad_output must broadcast: {} and {}", mask,
               grad);
  const std::span<const SymInt> wanted = call.ints(kMaskedScatterBackward["sizes"]);
  DimVec result(wanted);
  SymInt *open = nullptr, others = 1;
  for (SymInt& size : result) {
    if (!open && size_eq(size, -1)) {
      open = &size;
      continue;
    }
    call.require(check_le(SymInt(0), size), "C3", "sizes must not be negative, but for one of -1: {}", wanted);
    others *= size;
  }
  if (open) {
    call.require(check_ne(others, 0), "C3", "a size of -1 beside 0 could be any: {}", wanted);
    SymInt most = 1;
    for (const SymInt size : sizes) most *= size;
    const std::optional<SymInt> size = call.size_of_data({.max = floor_div(most, others)});
    if (!size) return;
    *open = *size;
  }
  call.out.fresh(TensorMeta(grad.dtype, result, call.device));
}

Tensor picked(const KernelCall& call) {
  return ops::masked_select(call.tensor(kMaskedScatterBackward["grad_output"]),
                            call.tensor(kMaskedScatterBackward["mask"]));
}
Tensor zeros_like(const Tensor& t, const DimVec& sizes) {
  return ops::zeros(sizes, {.dtype = t.dtype(), .device = t.device()});
}

void run(KernelCall& call) {
  const Tensor elements = picked(call);
  const int64_t n = elements.numel().as_int(), most = call.outputs[0].numel().as_int();
  if (n > most)
    fail_on_value(call, ErrorFamily::Runtime, "{} elements are picked for a result of sizes {}", n,
                  call.outputs[0].sizes());
  const Tensor flat = zeros_like(elements, DimVec{SymInt(most)});
  ops::copy_(ops::slice(flat, 0, SymInt(0), SymInt(n)), elements);
  ops::copy_(call.outputs[0], ops::reshape(flat, call.outputs[0].sizes()));
}

/// The kernel for calls whose `sizes` contain a -1. That size is the number of selected elements divided by the product
/// of the other sizes.
void run_open(KernelCall& call, Values& results) {
  const Tensor elements = picked(call);
  const std::span<const SymInt> wanted = call[kMaskedScatterBackward["sizes"]].as_ints();
  const int64_t n = elements.numel().as_int();
  int64_t others = 1;
  for (const SymInt size : wanted) others *= size.as_int() == -1 ? 1 : size.as_int();
  if (n % others != 0)
    fail_on_value(call, ErrorFamily::Runtime, "{} elements are picked for a result of sizes {}", n, wanted);
  DimVec sizes(wanted);
  for (SymInt& size : sizes) {
    if (size.as_int() == -1) size = n / others;
  }
  const Tensor result = zeros_like(elements, sizes);
  ops::copy_(result, ops::reshape(elements, sizes));
  results.push_back(result);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kMaskedScatterBackward)
      .tag(Tag::FailsOnValues | Tag::DataDependent)
      .with_rule(rule)
      .every_device(run)
      .every_device_returns(run_open)
      .sample("f32[2,3], bool[3], [3,3]", 0, 1)
      .refuses("C1", "f32[2], u8[2], [2]")
      .refuses("C2", "f32[2], bool[3], [3]")
      .refuses("C3", "f32[2], bool[2], [-2]");
}

}  // namespace ersatz::op_masked_scatter_backward
