#include "kernels/sorting/sort.h"

#include "kernels/creation/empty.h"
#include "runtime/op/composite.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_sort {

Kernel run_cpu;

namespace {

// Arguments of the operator: (self, dim, descending) or (self, stable, dim, descending).
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  const auto dim = static_cast<size_t>(call.wrap_dim(call.integer(call.args.size() - 2), self.dim()));
  if (is_complex(self.dtype) && !call.device.is_meta()) {
    call.refuse(ErrorFamily::Type, "C1", "complex numbers have no order: input is {}", self);
  }
  // ATen copies a tensor without dims, or with stride 0 along the dim, instead of sorting it. The copy supports every
  // dtype.
  if (kLimitedDTypes.has(self.dtype) && (self.dim() == 0 || size_eq(self.strides[dim], 0)))
    call.require_dtype(self.dtype, kEveryDType);
  const DimVec strides = preserved_strides(self.sizes, self.strides);
  call.out.fresh(TensorMeta(self.dtype, self.sizes, strides, call.device));
  call.out.fresh(TensorMeta(DType::I64, self.sizes, strides, call.device));
}

const OpEntry& stable_sort() { return op_entry<"aten.sort.stable">(); }

Tensor nothing(const Tensor& like, DType dtype) {
  const SymInt none[] = {0};
  return ops::empty(none, {dtype, like.device()});
}

void argsort(CompositeCall& call) {
  call.returns(call_op_all<"aten.sort.default">(call.tensor(kArgsort["self"]), call[kArgsort["dim"]],
                                                call[kArgsort["descending"]])[1]);
}
// Arguments of the operator: (self, stable, dim, descending).
void argsort_stable(CompositeCall& call) {
  call.returns(call_op_all(stable_sort(), call.tensor(kArgsortStable["self"]), call[kArgsortStable["stable"]],
                           call[kArgsortStable["dim"]], call[kArgsortStable["descending"]])[1]);
}
void argsort_stable_out(CompositeCall& call) {
  call.returns(call_op_all<"aten.sort.values_stable">(
      call.tensor(kArgsortStable["self"]), call[kArgsortStable["stable"]], call[kArgsortStable["dim"]],
      call[kArgsortStable["descending"]],
      nothing(call.tensor(kArgsortStable["self"]), call.tensor(kArgsortStable["self"]).dtype()),
      call.tensor(kArgsortStable.out()))[1]);
}
void msort(CompositeCall& call) { call.returns(ops::sort(call.tensor(kMsort["self"]), 0).values); }
void msort_out(CompositeCall& call) {
  call.returns(call_op_all<"aten.sort.values">(call.tensor(kMsort["self"]), int64_t(0), false,
                                               call.tensor(kMsort.out()),
                                               nothing(call.tensor(kMsort["self"]), DType::I64))[0]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& sort = r.add(kSort)
                      .tag(Tag::Core | kTiesByDevice)
                      .with_rule(rule)
                      .cpu(run_cpu)
                      .dtypes(kReals | kBool)
                      .sample("f32[2,3,4]")
                      .sample("i64[2,3,4]{1,8,2}, 1, True", -2, 2)
                      .sample("bool[5], 0")
                      .sample("bf16[13]")
                      .refuses("C1", "c64[2]");
  r.add_out(sort, "values", std::nullopt, {"values", "indices"});
  OpEntry& stable = r.add(kSortStable)
                        .with_rule(rule)
                        .cpu(run_cpu)
                        .dtypes(kReals | kBool)
                        .sample("f64[3,4], stable=True, dim=0")
                        .sample("u8[12], stable=None, descending=True", 0, 3)
                        .sample("u8[40], stable=True, descending=True", 0, 3)
                        .sample("bf16[300], stable=True")
                        .refuses("C1", "c64[2], stable=False");
  r.add_out(stable, "values_stable", std::nullopt, {"values", "indices"});
  r.add(kArgsort).tag(kTiesByDevice).with_composite(argsort).dtypes(kReals | kBool).sample("f32[2,3,4], 1");
  OpEntry& argsort_stably = r.add(kArgsortStable)
                                .with_composite(argsort_stable)
                                .dtypes(kReals | kBool)
                                .sample("f32[2,3,4], stable=True, descending=True");
  r.add_out_alike(argsort_stably, "stable_out")
      .with_composite(argsort_stable_out)
      .sample("f32[2,3], stable=True, out=i64[2,3]");
  OpEntry& sorted = r.add(kMsort).with_composite(msort).dtypes(kReals | kBool).sample("f32[4,3]");
  r.add_out_alike(sorted, "out").with_composite(msort_out).sample("f32[4,3], out=f32[4,3]");
}

}  // namespace ersatz::op_sort
