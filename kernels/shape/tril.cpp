#include "kernels/shape/tril.h"

#include "kernels/no_flops.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_tril {

Kernel tril_cpu, triu_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kTril["self"]);
  call.require(self.dim() >= 2, "C1", "expects matrices: self is {}", self);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  out.strides = contiguous_strides(self.sizes);
}

/// Whether at::tril_ writes into `self` without a temporary copy. It does if self has at most one batch dim, is
/// contiguous, or has packed batch dims. Batch dims are also packed if the first one has stride 0. The strides within a
/// matrix do not matter.
bool written_in_place(const TensorMeta& self) {
  if (self.dim() <= 3 || is_contiguous(self)) return true;
  SymInt step = self.sizes[self.dim() - 2] * self.sizes.back();
  for (int64_t d = self.dim() - 3; d >= 0; --d) {
    if (d == 0 && (size_eq(self.strides[d], 0) || size_eq(self.sizes[d], 1))) continue;
    if (!sym_eq(self.strides[d], step)) return false;
    step *= self.sizes[d];
  }
  return true;
}

/// at::tril_ copies the triangle back unless written_in_place; that copy refuses a `self` whose elements share memory.
void require_writable(const RuleCall& call) {
  const TensorMeta& self = call.meta(kTril["self"]);
  if (internal_overlap(self) != Overlap::Yes || written_in_place(self)) return;
  call.require(false, "overlap", "more than one element of the written-to tensor {} refers to a single memory location",
               self);
}

void inplace_rule(RuleCall& call) {
  call.require(call.meta(kTril["self"]).dim() >= 2, "C1", "expects matrices: self is {}", call.meta(kTril["self"]));
  require_writable(call);
  call.out.same(call.tensor(kTril["self"]));
}

void out_rule(RuleCall& call) {
  derived_out_rule(call);
  if (call.tensor(kTril["self"]) == call.tensor(kTril.out())) require_writable(call);
}

}  // namespace

void register_ops(Registry& r) {
  struct Side {
    const char* name;
    FillKernel kernel;
  };
  for (const Side& side : {Side{"tril", tril_cpu}, Side{"triu", triu_cpu}}) {
    OpEntry& op = r.add(kTril.with(side.name))
                      .with_rule(rule)
                      .count_flops(no_flops)
                      .cpu(side.kernel)
                      .sample("f32[3,4]")
                      .sample("i64[2,3,3], 1")
                      .sample("bool[3,4]{1,3}, -1")
                      .refuses("C1", "f32[3]");
    r.add_inplace(op, WrittenForm())
        .with_rule(inplace_rule)
        .cpu(side.kernel)
        .sample("f32[3,4]{1,3}, -1")
        .refuses("C1", "f32[3]")
        .refuses("overlap", "f32[2,2,2,2]{4,0,2,1}");
    r.add_out(op, "out", WrittenForm{.may_overlap = true}).with_rule(out_rule);
  }
}

}  // namespace ersatz::op_tril
