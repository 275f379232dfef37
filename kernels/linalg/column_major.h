// Matrices in LAPACK's layout: each matrix is column-major, and the batch dims are outside of it, in row-major order.
#pragma once

#include <algorithm>
#include "kernels/kernel_dtype.h"

#include "kernels/pointwise/iterator_layout.h"
#include "runtime/op/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// The dtypes that LAPACK has routines for.
inline constexpr DTypeSet kLapackDTypes = kFloatsAndComplexes.without({DType::F16, DType::BF16});

inline TensorMeta column_major_meta(DType dtype, const DimVec& sizes, Device device) {
  TensorMeta meta(dtype, sizes, device);
  const size_t rank = sizes.size();
  if (rank >= 2) {
    meta.strides[rank - 2] = 1;
    meta.strides[rank - 1] = sym_max(sizes[rank - 2], 1);
  }
  return meta;
}
/// Returns `sizes` without the last `dropped` sizes, or no sizes if `sizes` has fewer.
inline DimVec leading_sizes(std::span<const SymInt> sizes, size_t dropped) {
  DimVec leading;
  for (size_t d = 0; d + dropped < sizes.size(); ++d) leading.push_back(sizes[d]);
  return leading;
}
inline Tensor column_major_copy(const Tensor& t, DType dtype) {
  const Tensor dense = make_real_tensor(column_major_meta(dtype, leading_sizes(t.sizes(), 0), Device()));
  if (dense.numel().as_int() > 0) copy_elements(dense, t);
  return dense;
}
inline Tensor column_major_copy(const Tensor& t) { return column_major_copy(t, t.dtype()); }
/// Returns `out` if `out` is column-major, else a new column-major tensor, which the caller copies to `out` with
/// `give`.
inline Tensor column_major_room(const Tensor& out) {
  TensorMeta meta = column_major_meta(out.dtype(), leading_sizes(out.sizes(), 0), Device());
  return same_sizes(meta.strides, out.strides()) ? out : make_real_tensor(std::move(meta));
}
/// Copies `dense` to `out`, unless `dense` and `out` are one tensor or `out` is empty.
inline void give(const Tensor& out, const Tensor& dense) {
  if (out.numel().as_int() > 0 && !dense.is(out)) copy_elements(out, dense);
}
/// Raises [op.C1] if `a` has fewer than two dims, and [op.C2] if its last two dims differ in size.
inline void require_square(const RuleCall& call, const TensorMeta& a) {
  call.require(a.dim() >= 2, "C1", "expects matrices: it got {}", a);
  const size_t rank = a.sizes.size();
  call.require(check_eq(a.sizes[rank - 2], a.sizes[rank - 1]), "C2", "expects square matrices: it got {}", a);
}
/// Returns the sizes to which the batch sizes `of_a` and `of_b` broadcast. Raises with `label` if they do not
/// broadcast.
inline DimVec broadcast_batches(const RuleCall& call, std::string_view label, const TensorMeta& a, const DimVec& of_a,
                                const TensorMeta& b, const DimVec& of_b) {
  const TensorMeta batch_a(a.dtype, of_a), batch_b(b.dtype, of_b);
  const TensorMeta* const batches[] = {&batch_a, &batch_b};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(batches, sizes, mismatch), label, "the batches do not broadcast: {} and {}", a, b);
  return sizes;
}
/// Rule of `out=` overloads whose kernels write column-major results. The kernel writes to the outputs directly if each
/// output has its result's dtype, and is empty or has its result's layout. An empty output then becomes column-major.
/// Otherwise the results are copied to the outputs, and an output that is resized becomes row-major. A missing kernel
/// is reported before shared memory of an output, because ATen copies after the kernel has run.
inline void column_major_out_rule(RuleCall& call) {
  kernel_first_out_rule(call);
  RuleResult fresh;
  call.ask_functional(fresh);
  const size_t n = call.out.outputs.size();
  bool direct = true;
  for (size_t i = 0; i < n; ++i) {
    const TensorMeta &given = call.meta(call.args.size() - n + i), &result = fresh.outputs[i].meta;
    const bool fits = same_sizes(given.sizes, result.sizes) && same_sizes(given.strides, result.strides);
    direct = direct && given.dtype == result.dtype && (fits || size_eq(given.numel(), 0));
  }
  for (size_t i = 0; i < n; ++i) {
    OutputSpec& out = call.out.outputs[i];
    if (!out.metadata_changed) continue;
    out.meta.strides = direct ? fresh.outputs[i].meta.strides : contiguous_strides(out.meta.sizes);
  }
}
/// Raises if LAPACK has no routine for the dtype of `a`, unless `a` is empty.
inline void require_lapack_dtype(const RuleCall& call, const TensorMeta& a) {
  const SymInt n = a.numel();
  if (!n.is_int() || n.as_int() != 0) call.require_dtype(a.dtype, kLapackDTypes);
}

}  // namespace ersatz
