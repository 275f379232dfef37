#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/sorting/unique_groups.h"
#include "runtime/op/copy.h"

namespace ersatz::op_unique {
namespace {

bool is_less(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }
bool is_less(int64_t a, int64_t b) { return a < b; }
bool is_less(uint64_t a, uint64_t b) { return a < b; }

Tensor i64_vector_of(const std::vector<int64_t>& values) {
  const Tensor t = i64_vector(kCPU, static_cast<int64_t>(values.size()));
  if (!values.empty()) std::copy(values.begin(), values.end(), t.data<int64_t>());
  return t;
}

/// Groups equal rows. Like ATen's sort, this sort is not stable, so the order of rows with NaNs depends on the
/// algorithm.
template <class T>
Groups group_rows(const T* data, int64_t n, int64_t width, Grouping how) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  // Elements are compared as in `sort`, with NaN last. Slices are compared only by `<`.
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
  std::vector<int64_t> first, counts;
  const Tensor inverse = i64_vector(kCPU, n);
  int64_t* const group_of = inverse.data<int64_t>();
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !row_equal(order[i - 1], order[i])) {
      first.push_back(order[i]);
      counts.push_back(0);
    }
    ++counts.back();
    group_of[order[i]] = static_cast<int64_t>(first.size()) - 1;
  }
  return {i64_vector_of(first), i64_vector_of(counts), inverse};
}

struct HostUnique {
  /// Groups rows of any real dtype. They are compared as i64 or f64; rows of u64 are compared as u64.
  static Groups group(const Tensor& rows, int64_t n, int64_t width, Grouping how) {
    if (n == 0) return {i64_vector(kCPU, 0), i64_vector(kCPU, 0), i64_vector(kCPU, 0)};
    if (rows.dtype() == DType::U64)
      return group_rows(reinterpret_cast<const uint64_t*>(rows.raw_data()), n, width, how);
    const bool integers = is_integral(rows.dtype());
    const Tensor wide = make_real_tensor(TensorMeta(integers ? DType::I64 : DType::F64, rows.sizes()));
    if (rows.numel().as_int() > 0) copy_elements(wide, rows);
    return integers ? group_rows(wide.data<int64_t>(), n, width, how) : group_rows(wide.data<double>(), n, width, how);
  }
  static void pick_rows(const Tensor& to, const Tensor& from, const Tensor& rows, int64_t width) {
    const int64_t bytes = width * item_size(from.dtype()), n = bytes == 0 ? 0 : rows.numel().as_int();
    for (int64_t i = 0; i < n; ++i) {
      std::memcpy(to.raw_data() + i * bytes, from.raw_data() + rows.data<int64_t>()[i] * bytes,
                  static_cast<size_t>(bytes));
    }
  }
};

}  // namespace

void elements_cpu(KernelCall& call, Values& results) { elements<HostUnique>(call, results); }
void values_and_inverse_cpu(KernelCall& call, Values& results) { values_and_inverse<HostUnique>(call, results); }
void slices_cpu(KernelCall& call, Values& results) { slices<HostUnique>(call, results); }
void runs_cpu(KernelCall& call, Values& results) { runs<HostUnique>(call, results); }

}  // namespace ersatz::op_unique
