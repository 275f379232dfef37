// Code that kernels of scattering operators share: the tensor that they write to, and a loop over the indexed elements.
#pragma once

#include <vector>

#include "kernels/indexing/scatter.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// The tensor that the kernel writes to, initialised with self. It is the output itself, unless the output shares
/// memory with an operand, has lazy bits, or has another dtype than `dtype`. In these cases it is a row-major copy of
/// self, and `finish` writes that to the output.
class ScatterTarget {
 public:
  explicit ScatterTarget(const KernelCall& call) : ScatterTarget(call, call.outputs[0].dtype()) {}
  /// If `apart`, always uses a copy.
  ScatterTarget(const KernelCall& call, DType dtype, bool apart = false)
      : self_(call.tensor(op_scatter::kScattered["self"])), out_(call.outputs[0]), to_(out_) {
    apart = apart || dtype != out_.dtype() || out_.meta().conj || out_.meta().neg;
    // The operands after self. `indices` may be a list.
    for_each_tensor(call.args.subspan(1),
                    [&](TensorImpl* t) { apart = apart || Tensor(Ref<TensorImpl>(t)).shares_storage(out_); });
    if (apart) to_ = make_real_tensor(TensorMeta(dtype, out_.sizes(), out_.device()));
    if (!to_.is(self_)) copy_elements(to_, self_);
  }
  const Tensor& tensor() const { return to_; }
  void finish() const {
    if (!to_.is(out_)) copy_elements(out_, to_);
  }

 private:
  Tensor self_, out_, to_;
};

/// Calls f(offset in target, offset in src) for each position of the index. `indices` are in row-major order.
template <class F>
void for_each_place(const TensorMeta& target, const TensorMeta& src, std::span<const SymInt> sizes, int64_t dim,
                    std::span<const int64_t> indices, F&& f) {
  const size_t rank = sizes.size();
  const bool flat = target.dim() == 0;
  const int64_t picked = flat ? 0 : target.strides[static_cast<size_t>(dim)].as_int();
  const auto of_target = [&](size_t d) {
    return flat || static_cast<int64_t>(d) == dim ? 0 : target.strides[d].as_int();
  };
  const auto of_src = [&](size_t d) { return src.dim() == 0 ? 0 : src.strides[d].as_int(); };
  // The loop runs over rows of the last dim, because both strides are constant within a row.
  const int64_t n = rank == 0 ? 1 : sizes[rank - 1].as_int();
  const int64_t to_step = rank == 0 ? 0 : of_target(rank - 1), from_step = rank == 0 ? 0 : of_src(rank - 1);
  InlineVec<int64_t, 8> at(rank, 0);
  int64_t to = 0, from = 0;
  for (size_t row = 0; row < indices.size(); row += static_cast<size_t>(n)) {
    const int64_t* const index = indices.data() + row;
    for (int64_t i = 0; i < n; ++i) f(to + i * to_step + index[i] * picked, from + i * from_step);
    for (size_t d = rank - (rank > 0); d-- > 0;) {
      const int64_t size = sizes[d].as_int();
      to += of_target(d), from += of_src(d);
      if (++at[d] < size) break;
      to -= of_target(d) * size, from -= of_src(d) * size;
      at[d] = 0;
    }
  }
}

inline int64_t scatter_dim(const KernelCall& call) {
  const int64_t dim = call.integer(op_scatter::kScattered["dim"]);
  return dim < 0 ? dim + std::max<int64_t>(call.tensor(op_scatter::kScattered["self"]).dim(), 1) : dim;
}
inline int64_t size_of(const Tensor& t, int64_t dim) {
  return t.dim() == 0 ? 1 : t.sizes()[static_cast<size_t>(dim)].as_int();
}

/// Returns the class of the error for an index out of range. PyTorch runs some calls of index_add as scatter_add, which
/// raises a RuntimeError instead of an IndexError.
inline ErrorFamily index_add_family(const KernelCall& call, int64_t dim) {
  const int64_t rank = call.tensor(op_scatter::kIndexAdd["self"]).dim();
  const Scalar alpha = call.scalar(op_scatter::kIndexAdd["alpha"]);
  const bool scatters = rank > 1 && (dim == 0 || dim == rank - 1) &&
                        call.tensor(op_scatter::kIndexAdd["index"]).dtype() == DType::I64 &&
                        alpha.kind() != Scalar::Kind::Bool && alpha.to_complex() == 1.0;
  return scatters ? ErrorFamily::Runtime : ErrorFamily::Index;
}

/// Returns an index for `scatter` that is equivalent to the index of index_add: for each element of `source`, in
/// row-major order, the index of its slice.
inline std::vector<int64_t> spread_over_slices(std::span<const int64_t> named, const Tensor& source, int64_t dim) {
  const int64_t n = source.numel().as_int(), slices = size_of(source, dim);
  std::vector<int64_t> indices(static_cast<size_t>(n));
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < source.dim(); ++d) inner *= source.sizes()[static_cast<size_t>(d)].as_int();
  for (int64_t e = 0; e < n; ++e) indices[static_cast<size_t>(e)] = named[static_cast<size_t>(e / inner % slices)];
  return indices;
}

}  // namespace ersatz
