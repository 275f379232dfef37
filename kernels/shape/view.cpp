#include "kernels/shape/view.h"

#include "kernels/shape/infer_size.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_view {
namespace {

// Computes strides like at::detail::computeStride, for sizes without symbols, from the last dim to the first. Old dims
// that are contiguous to each other form a run. Returns false if a new dim would need elements of two runs.
bool view_of_runs(std::span<const int64_t> sizes, std::span<const int64_t> strides, std::span<const int64_t> wanted,
                  int64_t* result) {
  int64_t d = static_cast<int64_t>(wanted.size()) - 1;
  int64_t base = strides.back();
  int64_t run = 1, taken = 1;
  for (int64_t i = static_cast<int64_t>(sizes.size()) - 1; i >= 0; --i) {
    run *= sizes[i];
    if (i != 0 && (sizes[i - 1] == 1 || strides[i - 1] == run * base)) continue;
    while (d >= 0 && (taken < run || wanted[d] == 1)) {
      result[d] = taken * base;
      taken *= wanted[d--];
    }
    if (taken != run) return false;
    if (i > 0) base = strides[i - 1], run = taken = 1;
  }
  return d == -1;
}

void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kView, kUnsafeView};
  TensorImpl* self = call.tensor(kArgs["self"]);
  const TensorMeta& from = self->meta;
  const std::span<const SymInt> asked = call.ints(kArgs["size"]);
  TensorMeta& out = start_view(call, self);
  const SymInt numel = from.numel();
  infer_size(call, asked, numel, from, out.sizes);

  if (numel.is_int() && numel.as_int() > 0 && !from.sizes.empty() && all_int(from.sizes) && all_int(from.strides) &&
      all_int(out.sizes)) {
    int64_t strides[8];
    if (out.sizes.size() <= 8) {
      call.require(view_of_runs(as_ints(from.sizes), as_ints(from.strides), as_ints(out.sizes), strides), "C3",
                   "strides do not allow sizes {} without a copy, use reshape: self is {}", asked, from);
      out.strides.append(strides, strides + out.sizes.size());
      return;
    }
  }
  std::optional<DimVec> strides = view_strides(from.sizes, from.strides, out.sizes);
  call.require(strides.has_value(), "C3", "strides do not allow sizes {} without a copy, use reshape: self is {}",
               asked, from);
  out.strides = std::move(*strides);
}

void view_as(CompositeCall& call) {
  call.returns(ops::view(call.tensor(kViewAs["self"]), call[kViewAs["other"]].tensor_impl()->meta.sizes));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kView)
      .tag(Tag::View | Tag::Core)
      .with_rule(rule)
      .sample("f32[2,3], [3, 2]")
      .sample("f32[4,6]{1,4}, [2, 2, -1]")
      .sample("f32[0,3], [3, 0]")
      .refuses("C1", "f32[2,3], [-1, -1]")
      .refuses("C1", "f32[2,3], [-2]")
      .refuses("C2", "f32[2,3], [4]")
      .refuses("C3", "f32[2,3]{1,2}, [6]");
  r.add(kUnsafeView).tag(Tag::View).with_rule(rule).sample("f32[2,3], [3, 2]").refuses("C3", "f32[2,3]{1,2}, [6]");
  r.add(kViewAs).tag(Tag::View).with_composite(view_as).sample("f32[2,3], i64[3,2]");
}

}  // namespace ersatz::op_view

namespace ersatz::ops {

Tensor unsafe_view(const Tensor& self, std::span<const SymInt> size) {
  return call_op<"aten._unsafe_view.default">(self, size);
}

}  // namespace ersatz::ops
