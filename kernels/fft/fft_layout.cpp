#include "kernels/fft/fft_layout.h"

#include <algorithm>
#include <numeric>

#include "kernels/shape/dim_set.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

/// Sorts `dims` from the largest stride to the smallest. Symbolic strides are compared by their hints.
void sort_by_stride(std::span<int64_t> dims, const TensorMeta& t) {
  std::sort(dims.begin(), dims.end(), [&](int64_t a, int64_t b) {
    return size_gt(t.strides[static_cast<size_t>(a)], t.strides[static_cast<size_t>(b)]);
  });
}

constexpr size_t kCudaPassDims = 3;

/// True if one pass transforms all dims on CUDA (F5 in fft_layout.h).
bool one_cuda_pass(std::span<const int64_t> dims) {
  return dims.size() <= kCudaPassDims && !(dims.size() >= 2 && dims[0] == 0 && dims[1] == 1);
}

}  // namespace

int64_t innermost_dim(const TensorMeta& t) {
  InlineVec<int64_t, 5> all(t.sizes.size(), 0);
  std::iota(all.begin(), all.end(), int64_t(0));
  return dims_by_stride(t, {all.data(), all.size()}, 0).back();
}

TensorMeta as_read(TensorMeta input) {
  if (input.conj || input.neg) input.strides = preserved_strides(input.sizes, input.strides);
  return input;
}

DimVec complex_strides(const TensorMeta& input, std::span<const int64_t> dims) {
  if (dims.empty()) return preserved_strides(input.sizes, input.strides);
  if (size_eq(input.numel(), 0)) return contiguous_strides(input.sizes);
  if (input.device.is_cuda()) return cuda_complex_strides(input, dims);
  return transformed_strides(input, input.sizes, dims_by_stride(input, dims, 0));
}

int64_t real_dim(const TensorMeta& self, std::span<const int64_t> dims) {
  if (dims.back() < self.dim()) return dims.back();
  TensorMeta input = as_read(self);
  if (dims.size() > 1) input.strides = complex_strides(input, dims.first(dims.size() - 1));
  return innermost_dim(input);
}

DimVec cuda_complex_strides(TensorMeta input, std::span<const int64_t> dims) {
  InlineVec<int64_t, 5> left(dims);
  while (!left.empty()) {
    sort_by_stride({left.data(), left.size()}, input);
    const size_t taken = std::min(kCudaPassDims, left.size());
    input.strides = transformed_strides(input, input.sizes, {left.data() + left.size() - taken, taken});
    left.resize(left.size() - taken);
  }
  return input.strides;
}

DimVec cuda_real_input_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims,
                               bool onesided) {
  const size_t last = static_cast<size_t>(dims.back());
  if (!size_eq(floor_mod(input.offset, 2), 0)) {
    DimVec moved(input.sizes);
    moved.erase(last);
    moved.push_back(input.sizes[last]);
    const DimVec steps = contiguous_strides(moved);
    for (size_t d = 0, from = 0; d < steps.size(); ++d) input.strides[d] = d == last ? SymInt(1) : steps[from++];
  }
  if (one_cuda_pass(dims)) return transformed_strides(input, out_sizes, dims);
  DimVec half(input.sizes);
  half[last] = floor_div(half[last], 2) + SymInt(1);
  input.strides = transformed_strides(input, half, {&dims.back(), 1});
  input.sizes = half;
  const bool whole = !onesided && !size_eq(half[last], out_sizes[last]);
  return whole ? contiguous_strides(out_sizes) : cuda_complex_strides(std::move(input), dims.first(dims.size() - 1));
}

DimVec cuda_real_output_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims) {
  if (one_cuda_pass(dims)) {
    input.strides = contiguous_strides(input.sizes);
    return transformed_strides(input, out_sizes, dims);
  }
  input.strides = cuda_complex_strides(input, dims.first(dims.size() - 1));
  return transformed_strides(input, out_sizes, {&dims.back(), 1});
}

InlineVec<int64_t, 5> dims_by_stride(const TensorMeta& input, std::span<const int64_t> dims, size_t keep) {
  InlineVec<int64_t, 5> sorted(dims);
  sort_by_stride({sorted.data(), sorted.size() - keep}, input);
  return sorted;
}

DimVec transformed_strides(const TensorMeta& input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims) {
  DimSet transformed;
  for (int64_t d : dims) transformed.insert(d);
  InlineVec<int64_t, 5> order(out_sizes.size(), 0);
  std::iota(order.begin(), order.end(), int64_t(0));
  int64_t* const batch_end = std::partition(order.begin(), order.end(), [&](int64_t d) { return !transformed.has(d); });
  sort_by_stride({order.begin(), batch_end}, input);
  const size_t batches = static_cast<size_t>(batch_end - order.begin());
  // The result is first laid out as a row-major tensor [batch, transformed dims...], with all batch dims joined to one.
  DimVec collapsed{SymInt(1)}, strides(out_sizes.size(), SymInt(0));
  for (size_t i = 0; i < batches; ++i) collapsed[0] *= out_sizes[static_cast<size_t>(order[i])];
  for (int64_t d : dims) collapsed.push_back(out_sizes[static_cast<size_t>(d)]);
  const DimVec steps = contiguous_strides(collapsed);
  SymInt batch = 1;
  for (size_t i = batches; i-- > 0;) {
    const size_t d = static_cast<size_t>(order[i]);
    strides[d] = batch * steps[0];
    batch *= out_sizes[d];
  }
  for (size_t i = 0; i < dims.size(); ++i) strides[static_cast<size_t>(dims[i])] = steps[i + 1];
  return strides;
}

}  // namespace ersatz
