// unique and unique_consecutive on CUDA. Sorts the keys, sets a flag for the first row of each group, and computes the
// results from the flags.
//
// Slices are sorted by one stable sort for each of their elements, the last element first. Each NaN is a group of its
// own.
#include "kernels/indexing/device_places.h"
#include "kernels/sorting/sorted_rows.h"
#include "kernels/sorting/unique_groups.h"

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

/// Kernel that sets flags[i] if row order[i] is the first of its group.
struct BeginsGroup {
  uint8_t* flags;
  int64_t* counts;  // a copy of the flags, which is summed up later
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

int64_t* ints(const Tensor& t) { return t.numel().as_int() == 0 ? nullptr : reinterpret_cast<int64_t*>(t.raw_data()); }

struct DeviceUnique {
  static Groups group(const Tensor& rows, int64_t n, int64_t width, Grouping how) {
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
    cuda_module::launch_each(
        device, n,
        BeginsGroup{flags.as<uint8_t>(), begun, keys.as<uint64_t>(), order, width, is_float(rows.dtype()),
                    bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1});
    const int64_t found = cuda_module::count_flags(device, n, flags.as<uint8_t>());
    const Groups groups{i64_vector(on, found), i64_vector(on, found), i64_vector(on, n)};
    cuda_module::running_sums(device, n, begun, begun + n);
    cuda_module::launch_each(device, n, SpreadGroups{ints(groups.inverse), begun + n, order});
    const cuda_module::DeviceScratch begins(device, found * 8);
    cuda_module::flagged_positions(device, n, flags.as<uint8_t>(), begins.as<int64_t>());
    cuda_module::launch_each(
        device, found, DescribeGroups{begins.as<int64_t>(), order, found, n, ints(groups.first), ints(groups.counts)});
    return groups;
  }
  static void pick_rows(const Tensor& to, const Tensor& from, const Tensor& rows, int64_t width) {
    Places p;
    p.other = to, p.index = known_index(rows), p.target = from;
    p.step = width;
    p.sizes = Strides{rows.numel().as_int(), width};
    p.of_index = Strides{1, 0};
    p.of_other = Strides{width, 1};
    p.of_target = Strides{0, 1};
    pick(p);
  }
};

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach_returns(registry, "aten._unique2.default", elements<DeviceUnique>);
  cuda_module::attach_returns(registry, "aten._unique.default", values_and_inverse<DeviceUnique>);
  cuda_module::attach_returns(registry, "aten.unique_dim.default", slices<DeviceUnique>);
  cuda_module::attach_returns(registry, "aten.unique_consecutive.default", runs<DeviceUnique>);
}

}  // namespace ersatz::op_unique
