// unique and unique_consecutive on CUDA: keys in order, where each group begins, and what follows from that.
//
// Slices are ordered by one stable sort for each of their elements, the last one first. A NaN is a group of its own.
#include "kernels/indexing/device_places.h"
#include "kernels/sorting/slice_rows.h"
#include "kernels/sorting/sorted_rows.h"

namespace ersatz::op_unique {
namespace {

using namespace device_index;

struct ColumnKeys {
  uint64_t* to;
  const uint64_t* keys;
  const int64_t* order;
  int64_t width, column;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = keys[order[i] * width + column]; }
};

/// Does row order[i] begin a group?
struct BeginsGroup {
  uint8_t* flags;
  int64_t* counts;  // the same, to be added up
  const uint64_t* keys;
  const int64_t* order;
  int64_t width;
  bool floats;
  uint64_t nan;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    bool begins = i == 0;
    if (!begins) {
      const uint64_t *a = keys + order[i - 1] * width, *b = keys + order[i] * width;
      for (int64_t k = 0; k < width && !begins; ++k) begins = a[k] != b[k] || (floats && b[k] == nan);
    }
    flags[i] = begins;
    counts[i] = begins;
  }
};

struct SpreadGroups {
  int64_t* inverse;
  const int64_t* sums;
  const int64_t* order;
  ERSATZ_DEVICE void operator()(int64_t i) const { inverse[order[i]] = sums[i] - 1; }
};

struct DescribeGroups {
  const int64_t* begins;
  const int64_t* order;
  int64_t groups, n;
  int64_t* first;
  int64_t* counts;
  ERSATZ_DEVICE void operator()(int64_t g) const {
    first[g] = order[begins[g]];
    counts[g] = (g + 1 < groups ? begins[g + 1] : n) - begins[g];
  }
};

Tensor i64_on(Device device, std::span<const SymInt> sizes) {
  return make_real_tensor(TensorMeta(DType::I64, sizes, device));
}
Tensor i64_vector(Device device, int64_t n) {
  const SymInt size[] = {n};
  return i64_on(device, size);
}
int64_t* ints(const Tensor& t) { return t.numel().as_int() == 0 ? nullptr : reinterpret_cast<int64_t*>(t.raw_data()); }

struct Groups {
  Tensor first;  ///< of each group, the position of one of its rows
  Tensor counts, inverse;
};

/// Groups the `n` rows of a dense tensor: equal ones in ascending order, or equal neighbours where they are.
Groups group(const Tensor& rows, int64_t n, int64_t width, Grouping how) {
  const Device on = rows.device();
  const int device = on.index;
  if (n == 0) return {i64_vector(on, 0), i64_vector(on, 0), i64_vector(on, 0)};
  const cuda_module::DeviceScratch keys(device, n * width * 8);
  device_sort::encode(rows, device_sort::RowShape(rows, -1), false, -1, keys.as<uint64_t>());
  const Tensor ordered = i64_vector(on, n);
  int64_t* const order = ints(ordered);
  cuda_module::launch_each(device, n, device_sort::detail::CountUp{order});
  const int bits = static_cast<int>(8 * item_size(rows.dtype()));
  if (how != Grouping::Neighbours) {
    const cuda_module::DeviceScratch column(device, n * 8), sorted(device, n * 8);
    const Tensor next = i64_vector(on, n);
    for (int64_t c = width - 1; c >= 0; --c) {
      cuda_module::launch_each(device, n, ColumnKeys{column.as<uint64_t>(), keys.as<uint64_t>(), order, width, c});
      cuda_module::sort_pairs(device, n, bits, column.as<uint64_t>(), sorted.as<uint64_t>(), order, ints(next));
      copy_elements(ordered, next);
    }
  }
  const cuda_module::DeviceScratch flags(device, n), sums(device, n * 16);
  int64_t* const begun = sums.as<int64_t>();
  cuda_module::launch_each(device, n,
                           BeginsGroup{flags.as<uint8_t>(), begun, keys.as<uint64_t>(), order, width,
                                       is_float(rows.dtype()), bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1});
  const int64_t found = cuda_module::count_flags(device, n, flags.as<uint8_t>());
  Groups groups{i64_vector(on, found), i64_vector(on, found), i64_vector(on, n)};
  cuda_module::running_sums(device, n, begun, begun + n);
  cuda_module::launch_each(device, n, SpreadGroups{ints(groups.inverse), begun + n, order});
  const cuda_module::DeviceScratch begins(device, found * 8);
  cuda_module::flagged_positions(device, n, flags.as<uint8_t>(), begins.as<int64_t>());
  cuda_module::launch_each(
      device, found, DescribeGroups{begins.as<int64_t>(), order, found, n, ints(groups.first), ints(groups.counts)});
  return groups;
}

/// The named rows, `width` elements each.
void pick_rows(const Tensor& to, const Tensor& from, const Tensor& rows, int64_t width) {
  Places p;
  p.other = to, p.index = rows, p.target = from;
  p.step = width;
  p.sizes = Strides{rows.numel().as_int(), width};
  p.of_index = Strides{1, 0};
  p.of_other = Strides{width, 1};
  p.of_target = Strides{0, 1};
  pick(p);
}

Tensor dense_copy(const Tensor& t) {
  const Tensor dense = make_real_tensor(TensorMeta(t.dtype(), t.sizes(), t.device()));
  copy_elements(dense, t);
  return dense;
}

/// Values, inverse and counts of elements; empty where not asked for.
void find_elements(const Tensor& self, Grouping how, bool inverse, bool counts, Values& results) {
  const Tensor dense = dense_input(self);
  const Groups groups = group(dense, self.numel().as_int(), 1, how);
  const Tensor values = make_real_tensor(TensorMeta(self.dtype(), groups.first.sizes(), self.device()));
  pick_rows(values, dense, groups.first, 1);
  results.push_back(values);
  if (inverse) {
    TensorMeta shaped(DType::I64, self.sizes(), self.device());
    results.push_back(make_view(groups.inverse, std::move(shaped)));
  } else {
    results.push_back(i64_vector(self.device(), 0));
  }
  results.push_back(counts ? groups.counts : i64_vector(self.device(), 0));
}

/// The same of the slices of a dim.
void find_slices(const Tensor& self, int64_t given, Grouping how, Values& results) {
  const auto dim = static_cast<size_t>(given < 0 ? given + self.dim() : given);
  const Tensor rows = dense_copy(slices_in_front(self, dim));
  DimVec sizes(rows.sizes());
  int64_t width = 1;
  for (size_t d = 1; d < sizes.size(); ++d) width *= sizes[d].as_int();
  const Groups groups = group(rows, sizes[0].as_int(), width, how);
  sizes[0] = groups.first.numel();
  const Tensor found = make_real_tensor(TensorMeta(self.dtype(), sizes, self.device()));
  pick_rows(found, rows, groups.first, width);
  results.push_back(slices_back(found, dim));
  results.push_back(groups.inverse);
  results.push_back(groups.counts);
}

void elements_cuda(KernelCall& call, Values& results) {
  find_elements(call.tensor(0), Grouping::Elements, call.boolean(2), call.boolean(3), results);
}
void values_and_inverse_cuda(KernelCall& call, Values& results) {
  find_elements(call.tensor(0), Grouping::Elements, call.boolean(2), false, results);
  results.pop_back();
}
void slices_cuda(KernelCall& call, Values& results) {
  find_slices(call.tensor(0), call.integer(1), Grouping::Slices, results);
}
void runs_cuda(KernelCall& call, Values& results) {
  if (runs_of_slices(call)) return find_slices(call.tensor(0), call.integer(3), Grouping::Neighbours, results);
  find_elements(call.tensor(0), Grouping::Neighbours, call.boolean(1), call.boolean(2), results);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach_returns(registry, "aten._unique2.default", elements_cuda);
  cuda_module::attach_returns(registry, "aten._unique.default", values_and_inverse_cuda);
  cuda_module::attach_returns(registry, "aten.unique_dim.default", slices_cuda);
  cuda_module::attach_returns(registry, "aten.unique_consecutive.default", runs_cuda);
}

}  // namespace ersatz::op_unique
