#include "kernels/dense_operand.h"
#include "kernels/shape/copy_flipped.h"
#include "kernels/shape/roll.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_roll {
namespace {

/// Copies the block that starts at `to` and `from` and has those sizes in the dims before `dim`; dims from there on are
/// cut where they wrap.
void copy_blocks(const Tensor& out, const Tensor& self, TensorMeta& to, TensorMeta& from,
                 std::span<const int64_t> shifts, size_t dim) {
  if (dim == shifts.size()) return copy_elements(make_view(out, to), make_view(self, from));
  if (shifts[dim] == 0) return copy_blocks(out, self, to, from, shifts, dim + 1);
  const SymInt size = to.sizes[dim], to_offset = to.offset, from_offset = from.offset;
  const SymInt cut = size - SymInt(shifts[dim]);  // what moves up, and what comes round
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

}  // namespace

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

// A turn is a flip and a transpose: the output, transposed back, gets the flipped input.
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

}  // namespace ersatz::op_roll
