#include "kernels/shape/roll.h"

#include "kernels/flop_size.h"
#include "kernels/shape/flip.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_roll {

void run_roll(KernelCall& call);
void run_rot90(KernelCall& call);

namespace {

/// A roll joins the two parts of a dim the other way round, and takes the layout that `cat` gives them.
void join_parts(TensorMeta& t, int64_t dim, SymInt shift) {
  const size_t at = static_cast<size_t>(dim);
  const SymInt size = t.sizes[at], start = floor_mod(size - shift, size);
  MemoryFormat format = MemoryFormat::Contiguous;
  if (t.dim() >= 4) {
    TensorMeta tail = t, head = t;
    tail.sizes[at] = size - start;
    head.sizes[at] = start;
    format = suggest_memory_format(tail);
    if (suggest_memory_format(head) != format) format = MemoryFormat::Contiguous;
  }
  t.strides = strides_for(t.sizes, format);
}

void roll_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kRoll["self"]);
  const std::span<const SymInt> shifts = call.ints(kRoll["shifts"]), dims = call.ints(kRoll["dims"]);
  call.require(!shifts.empty(), "C1", "expects a shift at least: self is {}", self);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  if (dims.empty() && shifts.size() == 1) {
    out.strides = contiguous_strides(self.sizes);
    return;
  }
  call.require(shifts.size() == dims.size(), "C2", "expects as many shifts as dims: {} vs {}", shifts, dims);
  out.strides = self.strides;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (guard_eq(self.numel(), 0)) {
      out.strides = preserved_strides(out.sizes, out.strides);
      continue;
    }
    call.require_index(self.dim() > 0, "C3", "a tensor without dims rolls only without dims: got {}", dims);
    join_parts(out, call.wrap_dim(dims[i].guard_int(), self.dim()), shifts[i]);
  }
}

void rot90_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kRot90["self"]);
  const std::span<const SymInt> dims = call.ints(kRot90["dims"]);
  call.require(dims.size() == 2, "C1", "expects two dims, got {}", dims);
  call.require(self.dim() >= 2, "C2", "expects two dims at least: self is {}", self);
  const int64_t d0 = call.wrap_dim(dims[0].guard_int(), self.dim());
  const int64_t d1 = call.wrap_dim(dims[1].guard_int(), self.dim());
  call.require(d0 != d1, "C1", "expects two different dims, got {}: self is {}", dims, self);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  const int64_t turns = ((call.integer(kRot90["k"]) % 4) + 4) % 4;
  out.strides = turns == 0 ? contiguous_strides(self.sizes) : preserved_strides(self.sizes, self.strides);
  if (turns % 2 == 1) {
    std::swap(out.sizes[static_cast<size_t>(d0)], out.sizes[static_cast<size_t>(d1)]);
    std::swap(out.strides[static_cast<size_t>(d0)], out.strides[static_cast<size_t>(d1)]);
  }
}

template <int64_t dim>
void flip_one(CompositeCall& call) {
  static constexpr Schemas kArgs{kFliplr, kFlipud};
  call.require(call.meta(kArgs["self"]).dim() > dim, "C1", "expects {} dims at least: self is {}", dim + 1,
               call.meta(kArgs["self"]));
  const SymInt dims[] = {dim};
  call.returns(ops::flip(call.tensor(kArgs["self"]), dims));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& roll = r.add(kRoll)
                      .with_rule(roll_rule)
                      .count_flops(no_flops)
                      .every_device(run_roll)
                      .sample("f32[2,3], [1], [0]")
                      .sample("i64[2,3,4], [-1, 6], [2, 1]")
                      .sample("f32[2,3]{1,2}, [4]")
                      .refuses("C1", "f32[2], []")
                      .refuses("C2", "f32[2,3], [1, 2], [0]")
                      .refuses("C3", "f32[], [1], [0]");
  r.add_out(roll, "out", kGeneratedForm);
  OpEntry& rot90 = r.add(kRot90)
                       .with_rule(rot90_rule)
                       .count_flops(no_flops)
                       .every_device(run_rot90)
                       .sample("f32[2,3]")
                       .sample("f32[2,3,4], 2, [0, 2]")
                       .sample("i64[2,3], -1, [1, 0]")
                       .sample("i64[2,3]{1,2}, 4")
                       .refuses("C1", "f32[2,3], 1, [0]")
                       .refuses("C2", "f32[2]");
  r.add_out(rot90, "out", kGeneratedForm);
  r.add(kFliplr).with_composite(flip_one<1>).sample("f32[2,3]").refuses("C1", "f32[2]");
  r.add(kFlipud).with_composite(flip_one<0>).sample("f32[2,3]").refuses("C1", "f32[]");
}

}  // namespace ersatz::op_roll

namespace ersatz::ops {

Tensor rot90(const Tensor& self, int64_t k, std::span<const SymInt> dims) {
  const SymInt first_two[] = {0, 1};
  return call_op<"aten.rot90.default">(self, k, dims.empty() ? std::span<const SymInt>(first_two) : dims);
}
}  // namespace ersatz::ops
