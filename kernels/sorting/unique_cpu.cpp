#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/sorting/slice_rows.h"
#include "runtime/copy.h"
#include "runtime/kernel.h"
#include "runtime/layout.h"

namespace ersatz::op_unique {
namespace {

bool is_less(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }
bool is_less(int64_t a, int64_t b) { return a < b; }

struct Groups {
  std::vector<int64_t> first;    ///< of each different row, one that has it
  std::vector<int64_t> inverse;  ///< of each row
  std::vector<int64_t> counts;
};

/// Groups `n` rows of `width` numbers: equal ones in ascending order, or equal neighbours where they are. Where NaNs
/// make the order depend on the sort, it is that of ATen's sorts, which are not stable.
template <class T>
Groups group_rows(const T* data, int64_t n, int64_t width, Grouping how) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  // Elements in the order of `sort`, NaN last; slices by `<` alone.
  const auto row_less = [&](int64_t a, int64_t b) {
    if (how == Grouping::Elements) return is_less(data[a], data[b]);
    for (int64_t k = 0; k < width; ++k) {
      const T x = data[a * width + k], y = data[b * width + k];
      if (x < y) return true;
      if (y < x) return false;
    }
    return false;
  };
  const auto row_equal = [&](int64_t a, int64_t b) {
    return std::equal(data + a * width, data + (a + 1) * width, data + b * width);
  };
  if (how != Grouping::Neighbours) std::sort(order.begin(), order.end(), row_less);
  Groups groups;
  groups.inverse.resize(static_cast<size_t>(n));
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !row_equal(order[i - 1], order[i])) {
      groups.first.push_back(order[i]);
      groups.counts.push_back(0);
    }
    ++groups.counts.back();
    groups.inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(groups.first.size()) - 1;
  }
  return groups;
}

/// Rows of a dense tensor of any real dtype, compared as i64 or f64, which hold them all.
Groups group(const Tensor& dense, int64_t n, int64_t width, Grouping how) {
  const bool integers = is_integral(dense.dtype());
  const Tensor wide = make_real_tensor(TensorMeta(integers ? DType::I64 : DType::F64, dense.sizes()));
  if (dense.numel().as_int() > 0) copy_elements(wide, dense);
  if (n == 0) return {};
  return integers ? group_rows(wide.data<int64_t>(), n, width, how) : group_rows(wide.data<double>(), n, width, how);
}

Tensor i64_tensor(std::span<const int64_t> values, std::span<const SymInt> sizes) {
  const Tensor t = make_real_tensor(TensorMeta(DType::I64, sizes));
  if (!values.empty()) std::copy(values.begin(), values.end(), t.data<int64_t>());
  return t;
}
Tensor i64_vector(std::span<const int64_t> values) {
  const SymInt size[] = {static_cast<int64_t>(values.size())};
  return i64_tensor(values, size);
}

/// The named rows of `bytes` bytes each.
void copy_rows(const Tensor& to, const Tensor& from, std::span<const int64_t> rows, int64_t bytes) {
  for (size_t i = 0; i < rows.size() && bytes > 0; ++i) {
    std::memcpy(to.raw_data() + static_cast<int64_t>(i) * bytes, from.raw_data() + rows[i] * bytes,
                static_cast<size_t>(bytes));
  }
}

Tensor dense_copy(const Tensor& t) {
  const Tensor dense = make_real_tensor(TensorMeta(t.dtype(), t.sizes()));
  if (t.numel().as_int() > 0) copy_elements(dense, t);
  return dense;
}

/// Values, inverse and counts of elements; empty where not asked for.
void find_elements(const Tensor& self, Grouping how, bool inverse, bool counts, Values& results) {
  const Tensor dense = dense_copy(self);
  const Groups groups = group(dense, self.numel().as_int(), 1, how);
  const SymInt found[] = {static_cast<int64_t>(groups.first.size())};
  const Tensor values = make_real_tensor(TensorMeta(self.dtype(), found));
  copy_rows(values, dense, groups.first, item_size(self.dtype()));
  results.push_back(values);
  results.push_back(inverse ? i64_tensor(groups.inverse, self.sizes()) : i64_vector({}));
  results.push_back(i64_vector(counts ? std::span<const int64_t>(groups.counts) : std::span<const int64_t>()));
}

/// The same of the slices of a dim.
void find_slices(const Tensor& self, int64_t given, Grouping how, Values& results) {
  const auto dim = static_cast<size_t>(given < 0 ? given + self.dim() : given);
  const Tensor rows = dense_copy(slices_in_front(self, dim));
  DimVec sizes(rows.sizes());
  int64_t width = 1;
  for (size_t d = 1; d < sizes.size(); ++d) width *= sizes[d].as_int();
  const Groups groups = group(rows, sizes[0].as_int(), width, how);
  sizes[0] = static_cast<int64_t>(groups.first.size());
  const Tensor found = make_real_tensor(TensorMeta(self.dtype(), sizes));
  copy_rows(found, rows, groups.first, width * item_size(self.dtype()));
  results.push_back(slices_back(found, dim));
  results.push_back(i64_vector(groups.inverse));
  results.push_back(i64_vector(groups.counts));
}

}  // namespace

void elements_cpu(KernelCall& call, Values& results) {
  find_elements(call.tensor(0), Grouping::Elements, call.boolean(2), call.boolean(3), results);
}
void values_and_inverse_cpu(KernelCall& call, Values& results) {
  find_elements(call.tensor(0), Grouping::Elements, call.boolean(2), false, results);
  results.pop_back();
}
void slices_cpu(KernelCall& call, Values& results) {
  find_slices(call.tensor(0), call.integer(1), Grouping::Slices, results);
}
void runs_cpu(KernelCall& call, Values& results) {
  if (runs_of_slices(call)) {
    find_slices(call.tensor(0), call.integer(3), Grouping::Neighbours, results);
  } else {
    find_elements(call.tensor(0), Grouping::Neighbours, call.boolean(1), call.boolean(2), results);
  }
}

}  // namespace ersatz::op_unique
