#include <cstring>

#include "kernels/indexing/index_select.h"
#include "kernels/indexing/index_values.h"
#include "kernels/pointwise/copy_engine.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_index_select {
namespace {

/// Returns the metadata of `t` without the dim `dim`.
TensorMeta without_dim(const TensorMeta& t, int64_t dim) {
  TensorMeta slice = t;
  if (t.dim() > 0) {
    slice.sizes.erase(dim);
    slice.strides.erase(dim);
  }
  return slice;
}

/// Copies slice indices[i] of self to slice i of out.
void copy_slices(const Tensor& out, const Tensor& self, int64_t out_dim, int64_t self_dim,
                 std::span<const int64_t> indices) {
  const TensorMeta to = without_dim(out.meta(), out_dim), from = without_dim(self.meta(), self_dim);
  if (to.numel().as_int() == 0) return;
  const int64_t bytes = item_size(to.dtype);
  const int64_t to_step = out.dim() > 0 ? out.strides()[out_dim].as_int() * bytes : 0;
  const int64_t from_step = self.dim() > 0 ? self.strides()[self_dim].as_int() * bytes : 0;
  std::byte* const data = out.raw_data();
  const std::byte* const source = self.raw_data();
  if (is_contiguous(to) && is_contiguous(from)) {
    const int64_t slice = to.numel().as_int() * bytes;
    return parallel_for(static_cast<int64_t>(indices.size()), std::max<int64_t>(1, (1 << 16) / slice),
                        [&](int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end; ++i) {
                            std::memcpy(data + i * to_step, source + indices[static_cast<size_t>(i)] * from_step,
                                        static_cast<size_t>(slice));
                          }
                        });
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    pointwise::copy_strided(as_ints(to.sizes), data + static_cast<int64_t>(i) * to_step, to.dtype, as_ints(to.strides),
                            source + indices[i] * from_step, from.dtype, as_ints(from.strides));
  }
}

template <class Word>
void gather(const Tensor& dense, const Tensor& self, int64_t dim, std::span<const int64_t> indices) {
  Word* out = reinterpret_cast<Word*>(dense.raw_data());
  const Word* from = reinterpret_cast<const Word*>(self.raw_data());
  const int64_t rank = dense.dim();
  const auto sizes = as_ints(dense.sizes());
  const int64_t picked = self.dim() > 0 ? self.strides()[dim].as_int() : 0;
  const auto step_of = [&](int64_t d) { return d == dim || self.dim() == 0 ? 0 : self.strides()[d].as_int(); };
  // The loop runs over rows of the last dim, because the stride of self is constant within a row.
  const int64_t n = rank == 0 ? 1 : sizes[rank - 1], step = rank == 0 ? 0 : step_of(rank - 1);
  const int64_t rows = static_cast<int64_t>(indices.size()) / n;
  parallel_for(rows, std::max<int64_t>(1, (1 << 14) / n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t base = 0, rest = row;  // `base` is the offset in self of the row at index 0 of `dim`
      for (int64_t d = rank - 2; d >= 0; --d) {
        base += rest % sizes[d] * step_of(d);
        rest /= sizes[d];
      }
      const int64_t* const index = indices.data() + row * n;
      Word* const to = out + row * n;
      for (int64_t i = 0; i < n; ++i) to[i] = from[base + i * step + index[i] * picked];
    }
  });
}

}  // namespace

void index_select_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kIndexSelect["self"]);
  int64_t dim = call.integer(kIndexSelect["dim"]);
  if (dim < 0) dim += std::max<int64_t>(self.dim(), 1);
  const int64_t size = self.dim() > 0 ? self.sizes()[dim].as_int() : 1;
  // PyTorch's fast loop raises a RuntimeError for an index out of range, and so does its check for an empty tensor.
  const bool quick = self.dim() > 1 && (self.numel().as_int() == 0 || (dim == 1 && call.outputs[0].is_contiguous()));
  const IndexValues indices = checked_indices(call, call.tensor(kIndexSelect["index"]), size,
                                              quick ? ErrorFamily::Runtime : ErrorFamily::Index);
  copy_slices(call.outputs[0], self, dim, dim, indices);
}

void gather_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kGather["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  int64_t dim = call.integer(kGather["dim"]);
  if (dim < 0) dim += std::max<int64_t>(self.dim(), 1);
  const int64_t size = self.dim() > 0 ? self.sizes()[dim].as_int() : 1;
  const IndexValues indices = checked_indices(call, call.tensor(kGather["index"]), size, ErrorFamily::Runtime);
  const Tensor dense = out.is_contiguous() ? out : make_real_tensor(TensorMeta(out.dtype(), out.sizes()));
  dispatch_item_size(item_size(out.dtype()), [&]<class Word>() { gather<Word>(dense, self, dim, indices); });
  if (!dense.is(out)) copy_elements(out, dense);
}

void embedding_cpu(KernelCall& call) {
  const Tensor weight = call.tensor(kEmbedding["weight"]);
  const Tensor& out = call.outputs[0];
  const IndexValues indices = checked_indices(call, call.tensor(kEmbedding["indices"]), weight.sizes()[0].as_int(),
                                              weight.numel().as_int() == 0 ? ErrorFamily::Runtime : ErrorFamily::Index);
  if (out.is_contiguous()) {
    const DimVec rows{SymInt(static_cast<int64_t>(indices.size())), weight.sizes()[1]};
    TensorMeta flat = out.meta();
    flat.sizes = rows;
    flat.strides = contiguous_strides(rows);
    return copy_slices(make_view(out, std::move(flat)), weight, 0, 0, indices);
  }
  const DimVec rows{SymInt(static_cast<int64_t>(indices.size())), weight.sizes()[1]};
  const Tensor dense = make_real_tensor(TensorMeta(out.dtype(), rows));
  copy_slices(dense, weight, 0, 0, indices);
  TensorMeta shaped(out.dtype(), out.sizes());
  copy_elements(out, make_view(dense, std::move(shaped)));
}

}  // namespace ersatz::op_index_select
