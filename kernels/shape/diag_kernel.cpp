#include "kernels/shape/diag.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_diag {
namespace {

/// `t` without its two dims, and the diagonal as the last one.
TensorMeta diagonal_of(const TensorMeta& t, size_t dim1, size_t dim2, int64_t offset, SymInt length) {
  TensorMeta out = t;
  out.sizes.clear();
  out.strides.clear();
  for (size_t d = 0; d < t.sizes.size(); ++d) {
    if (d == dim1 || d == dim2) continue;
    out.sizes.push_back(t.sizes[d]);
    out.strides.push_back(t.strides[d]);
  }
  out.sizes.push_back(length);
  out.strides.push_back(t.strides[dim1] + t.strides[dim2]);
  out.offset += offset > 0 ? SymInt(offset) * t.strides[dim2] : SymInt(-offset) * t.strides[dim1];
  return out;
}

}  // namespace

void run_embed(KernelCall& call) {
  const Tensor self = call.tensor(kDiagEmbed["self"]);
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  if (self.numel().as_int() == 0) return;
  const auto dim = [&](size_t i) {
    const int64_t d = call.integer(i);
    return static_cast<size_t>(d < 0 ? d + out.dim() : d);
  };
  const TensorMeta to =
      diagonal_of(out.meta(), dim(2), dim(3), call.integer(kDiagEmbed["offset"]), self.sizes().back());
  copy_elements(make_view(out, to), self);
}

void run_block_diag(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  SymInt row = 0, column = 0;
  for (const Value& v : call.list(kBlockDiag["tensors"])) {
    const Tensor t = v.tensor();
    const int64_t rank = t.dim();
    const SymInt rows = rank == 2 ? t.sizes()[0] : SymInt(1), columns = rank == 0 ? SymInt(1) : t.sizes().back();
    if (t.numel().as_int() > 0) {
      TensorMeta block = out.meta(), from = t.meta();
      block.offset += row * block.strides[0] + column * block.strides[1];
      block.sizes = from.sizes;
      if (rank < 2) block.strides.erase(0);
      if (rank < 1) block.strides.erase(0);
      copy_elements(make_view(out, std::move(block)), t);
    }
    row += rows;
    column += columns;
  }
}

}  // namespace ersatz::op_diag
