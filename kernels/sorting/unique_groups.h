// The kernels of unique and unique_consecutive, which all devices share. An `Engine` has two functions. `group` groups
// the n rows of a row-major tensor; a row has `width` elements. `pick_rows` copies the rows whose indices are in an i64
// vector.
//   static Groups group(const Tensor& rows, int64_t n, int64_t width, Grouping how);
//   static void pick_rows(const Tensor& to, const Tensor& from, const Tensor& rows, int64_t width);
#pragma once

#include "kernels/dense_operand.h"
#include "kernels/sorting/unique.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_unique {

/// How rows are grouped. Elements and Slices: a group has all equal rows, and the groups are in ascending order.
/// Neighbours: a group has equal adjacent rows, and the groups are in the order of the rows.
enum class Grouping { Elements, Slices, Neighbours };

/// Groups of equal rows, as i64 vectors on the rows' device.
struct Groups {
  Tensor first;    ///< index of one row of each group
  Tensor counts;   ///< number of rows in each group
  Tensor inverse;  ///< for each row, the number of its group
};

inline Tensor i64_vector(Device device, int64_t n) {
  const SymInt size[] = {n};
  return make_real_tensor(TensorMeta(DType::I64, size, device));
}

/// Returns a view of `self` with `dim` moved to the front. REQUIRES: `self` has dims.
inline Tensor slices_in_front(const Tensor& self, size_t dim) {
  TensorMeta front = self.meta();
  DimVec sizes{front.sizes[dim]}, strides{front.strides[dim]};
  for (size_t d = 0; d < front.sizes.size(); ++d) {
    if (d == dim) continue;
    sizes.push_back(front.sizes[d]);
    strides.push_back(front.strides[d]);
  }
  front.sizes = sizes;
  front.strides = strides;
  return make_view(self, std::move(front));
}

/// Returns a view of `rows` with dim 0 moved to position `dim`.
inline Tensor slices_back(const Tensor& rows, size_t dim) {
  TensorMeta back = rows.meta();
  DimVec sizes, strides;
  for (size_t d = 0; d < back.sizes.size(); ++d) {
    const size_t from = d == dim ? 0 : d < dim ? d + 1 : d;
    sizes.push_back(back.sizes[from]);
    strides.push_back(back.strides[from]);
  }
  back.sizes = sizes;
  back.strides = strides;
  return make_view(rows, std::move(back));
}

/// Computes values, inverse and counts for unique elements. Results that are not requested are empty.
template <class Engine>
void find_elements(const Tensor& self, Grouping how, bool inverse, bool counts, Values& results) {
  const Tensor dense = dense_input(self);
  const Groups groups = Engine::group(dense, self.numel().as_int(), 1, how);
  const Tensor values = make_real_tensor(TensorMeta(self.dtype(), groups.first.sizes(), self.device()));
  Engine::pick_rows(values, dense, groups.first, 1);
  results.push_back(values);
  if (inverse) {
    results.push_back(make_view(groups.inverse, TensorMeta(DType::I64, self.sizes(), self.device())));
  } else {
    results.push_back(i64_vector(self.device(), 0));
  }
  results.push_back(counts ? groups.counts : i64_vector(self.device(), 0));
}

/// Computes values, inverse and counts for unique slices along the dim `given`.
template <class Engine>
void find_slices(const Tensor& self, int64_t given, Grouping how, Values& results) {
  const auto dim = static_cast<size_t>(given < 0 ? given + self.dim() : given);
  const Tensor rows = dense_input(slices_in_front(self, dim));
  DimVec sizes(rows.sizes());
  int64_t width = 1;
  for (size_t d = 1; d < sizes.size(); ++d) width *= sizes[d].as_int();
  const Groups groups = Engine::group(rows, sizes[0].as_int(), width, how);
  sizes[0] = groups.first.numel();
  const Tensor found = make_real_tensor(TensorMeta(self.dtype(), sizes, self.device()));
  Engine::pick_rows(found, rows, groups.first, width);
  results.push_back(slices_back(found, dim));
  results.push_back(groups.inverse);
  results.push_back(groups.counts);
}

/// Arguments of the operator: (self, sorted, return_inverse, return_counts).
template <class Engine>
void elements(KernelCall& call, Values& results) {
  find_elements<Engine>(call.tensor(kUnique2["self"]), Grouping::Elements, call.boolean(kUnique2["return_inverse"]),
                        call.boolean(kUnique2["return_counts"]), results);
}
/// Arguments of the operator: (self, sorted, return_inverse).
template <class Engine>
void values_and_inverse(KernelCall& call, Values& results) {
  find_elements<Engine>(call.tensor(kUnique["self"]), Grouping::Elements, call.boolean(kUnique["return_inverse"]),
                        false, results);
  results.pop_back();
}
/// Arguments of the operator: (self, dim, ...).
template <class Engine>
void slices(KernelCall& call, Values& results) {
  find_slices<Engine>(call.tensor(kUniqueDim["self"]), call.integer(kUniqueDim["dim"]), Grouping::Slices, results);
}
/// Arguments of the operator: (self, return_inverse, return_counts, dim). The slices of a vector along dim 0 are its
/// elements. With dim -1, the kernel computes the results for slices.
template <class Engine>
void runs(KernelCall& call, Values& results) {
  const Tensor self = call.tensor(kUniqueConsecutive["self"]);
  if (call.has(kUniqueConsecutive["dim"]) && !(call.integer(kUniqueConsecutive["dim"]) == 0 && self.dim() == 1)) {
    find_slices<Engine>(self, call.integer(kUniqueConsecutive["dim"]), Grouping::Neighbours, results);
  } else {
    find_elements<Engine>(self, Grouping::Neighbours, call.boolean(kUniqueConsecutive["return_inverse"]),
                          call.boolean(kUniqueConsecutive["return_counts"]), results);
  }
}

}  // namespace ersatz::op_unique
