#include "kernels/shape/roll.h"

#include "kernels/dense_operand.h"
#include "kernels/no_flops.h"
#include "kernels/shape/copy_flipped.h"
#include "kernels/shape/flip.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_roll {
namespace {

/// Sets the strides of a roll's result. They are those of `cat` applied to the two parts of the dim in exchanged order.
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
    if (size_eq(self.numel(), 0)) {
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
  DimSet reversed;
  if (turns == 1 || turns == 2) reversed.insert(d1);
  if (turns == 2 || turns == 3) reversed.insert(d0);
  if (turns == 0) return call.require_dtype(self.dtype, kEveryDType);  // self is copied, which any dtype allows
  op_flip::require_reversible(call, self, reversed);
}

template <int64_t dim>
void flip_one(CompositeCall& call) {
  static constexpr Schemas kArgs{kFliplr, kFlipud};
  call.require(call.meta(kArgs["self"]).dim() > dim, "C1", "expects {} dims at least: self is {}", dim + 1,
               call.meta(kArgs["self"]));
  const SymInt dims[] = {dim};
  call.returns(ops::flip(call.tensor(kArgs["self"]), dims));
}

/// Copies a part of `self` to its place in the rolled `out`. `to` and `from` are the metadata of the part in both
/// tensors; dims before `dim` are cut to one block already. The function cuts each later dim in two blocks, where the
/// roll wraps around, and calls itself for each block.
void copy_blocks(const Tensor& out, const Tensor& self, TensorMeta& to, TensorMeta& from,
                 std::span<const int64_t> shifts, size_t dim) {
  if (dim == shifts.size()) return copy_elements(make_view(out, to), make_view(self, from));
  if (shifts[dim] == 0) return copy_blocks(out, self, to, from, shifts, dim + 1);
  const SymInt size = to.sizes[dim], to_offset = to.offset, from_offset = from.offset;
  const SymInt cut = size - SymInt(shifts[dim]);  // elements that do not wrap around
  to.sizes[dim] = from.sizes[dim] = cut;
  to.offset = to_offset + SymInt(shifts[dim]) * to.strides[dim];
  copy_blocks(out, self, to, from, shifts, dim + 1);
  to.sizes[dim] = from.sizes[dim] = size - cut;
  to.offset = to_offset;
  from.offset = from_offset + cut * from.strides[dim];
  copy_blocks(out, self, to, from, shifts, dim + 1);
  to.sizes[dim] = from.sizes[dim] = size;
  from.offset = from_offset;
}

void roll(const Tensor& out, const Tensor& self, std::span<const int64_t> shifts) {
  TensorMeta to = out.meta(), from = self.meta();
  copy_blocks(out, self, to, from, shifts, 0);
}

int64_t wrapped(int64_t v, int64_t size) { return ((v % size) + size) % size; }

Tensor flat(const Tensor& dense) {
  const SymInt n[] = {dense.numel()}, one[] = {1};
  TensorMeta meta = dense.meta();
  meta.sizes = DimVec(n);
  meta.strides = DimVec(one);
  return make_view(dense, std::move(meta));
}

void run_roll(KernelCall& call) {
  const Tensor self = call.tensor(kRoll["self"]);
  const int64_t n = self.numel().as_int();
  if (n == 0) return;
  const std::span<const int64_t> shifts = call.ints(kRoll["shifts"]), dims = call.ints(kRoll["dims"]);
  if (dims.empty()) {
    DenseOutput out(call.outputs[0]);
    const int64_t shift[] = {wrapped(shifts[0], n)};
    roll(flat(out.tensor), flat(dense_input(self)), shift);
    return out.finish();
  }
  InlineVec<int64_t, 8> by(static_cast<size_t>(self.dim()), 0);
  for (size_t i = 0; i < dims.size(); ++i) {
    const size_t d = static_cast<size_t>(dims[i] < 0 ? dims[i] + self.dim() : dims[i]);
    const int64_t size = self.sizes()[d].as_int();
    by[d] = wrapped(by[d] + wrapped(shifts[i], size), size);
  }
  roll(call.outputs[0], self, by);
}

// An odd number of quarter turns is a flip and a transposition: copies the flipped input to the transposed output.
void run_rot90(KernelCall& call) {
  const Tensor self = call.tensor(kRot90["self"]);
  const Tensor& out = call.outputs[0];
  const int64_t turns = wrapped(call.integer(kRot90["k"]), 4);
  const auto dim = [&](size_t i) {
    const int64_t d = call.ints(kRot90["dims"])[i];
    return d < 0 ? d + self.dim() : d;
  };
  DimSet flipped;
  if (turns == 1 || turns == 2) flipped.insert(dim(1));
  if (turns == 2 || turns == 3) flipped.insert(dim(0));
  TensorMeta back = out.meta();
  if (turns % 2 == 1) {
    const size_t d0 = static_cast<size_t>(dim(0)), d1 = static_cast<size_t>(dim(1));
    std::swap(back.sizes[d0], back.sizes[d1]);
    std::swap(back.strides[d0], back.strides[d1]);
  }
  copy_flipped(make_view(out, std::move(back)), self, flipped);
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
