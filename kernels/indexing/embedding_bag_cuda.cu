// embedding_bag and its gradients on CUDA. In the forward kernel, one thread reduces one feature of one bag. In the
// gradient kernel, one thread sums one feature over all indices of one row. Only the gradient of maxima uses atomics,
// in `combine`.
#include "kernels/compute_type.h"
#include "kernels/indexing/bag_values.h"
#include "kernels/indexing/device_combine.h"
#include "kernels/indexing/embedding_bag.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/quotient.h"
#include "kernels/sorting/sort.h"

namespace ersatz::op_embedding_bag {
namespace {

using namespace device_index;

/// The offsets of the bags, clamped to [0, count], so that no offset leads outside of the indices.
struct Offsets {
  const std::byte* first;  // row-major
  IndexReader read;
  int64_t item, bags, count;
  ERSATZ_DEVICE int64_t begin(int64_t bag) const {
    if (bag == 0) return 0;
    const int64_t offset = read.raw(first + bag * item);
    return offset < 0 ? 0 : offset < count ? offset : count;
  }
  ERSATZ_DEVICE int64_t end(int64_t bag) const { return bag + 1 < bags ? begin(bag + 1) : count; }
};

/// Kernel that sets names[i] to the first bag that ends after index i.
struct NameBags {
  Offsets offsets;
  int64_t* names;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    int64_t bag = 0;
    for (int64_t last = offsets.bags - 1; bag < last;) {
      const int64_t middle = (bag + last) / 2;
      offsets.end(middle) > i ? last = middle : bag = middle + 1;
    }
    names[i] = bag;
  }
};

/// RAISES: an error with `value_failure` if the first offset is not 0, an offset is less than the one before it, or an
/// offset exceeds the number of indices. PyTorch asserts this only on CUDA.
void refuse_offsets(const KernelCall& call, std::span<const int64_t> offsets, int64_t indices) {
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int64_t least = i == 0 ? 0 : offsets[i - 1], most = i == 0 ? 0 : indices;
    if (offsets[i] < least || offsets[i] > most)
      fail_on_value(call, ErrorFamily::Runtime, "offset {} is {}, it must lie in [{}, {}]", i, offsets[i], least, most);
  }
}

/// The checks of `refuse_offsets`, on the device. Sets `flag` for a bad offset. If `flag` is null, records the offset
/// for the host instead.
struct LookAtOffsets {
  const std::byte* first;
  IndexReader read;
  int64_t item, count;
  uint32_t* flag;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t least = i == 0 ? 0 : read.raw(first + (i - 1) * item), most = i == 0 ? 0 : count,
                  offset = read.raw(first + i * item);
    if (offset >= least && offset <= most) return;
    if (flag) return cuda_module::atomic_or(flag, 1);
    read.note.take(static_cast<uint64_t>(offset), reinterpret_cast<uintptr_t>(first + i * item));
  }
};

std::string noted_row_words(const cuda_module::NotedValue& v) {
  return row_words(static_cast<int64_t>(v.value), v.position, v.size);
}
std::string noted_bag_words(const cuda_module::NotedValue& v) {
  return bag_words(static_cast<int64_t>(v.value), v.size);
}
std::string noted_offset_words(const cuda_module::NotedValue& v) {
  return fmt::format("offset {} is {}, it must not be below the one before it, and lie in [0, {}]", v.position,
                     static_cast<int64_t>(v.value), v.position == 0 ? 0 : v.size);
}

/// Returns the error text for offsets that may be in any order. `v.size` is the number of indices plus one.
std::string noted_any_offset_words(const cuda_module::NotedValue& v) {
  return offset_words(static_cast<int64_t>(v.value), v.position, v.size - 1);
}

/// Returns the first `n` elements as a row-major i32 or i64 tensor, which an IndexReader can read.
Tensor readable_numbers(const Tensor& t, int64_t n) {
  const Tensor dense = t.dtype() == DType::I32 ? dense_input(t) : dense_as(t, DType::I64);
  TensorMeta meta = dense.meta();
  meta.sizes = DimVec{SymInt(n)};
  meta.strides = DimVec{SymInt(1)};
  return make_view(dense, std::move(meta));
}

/// Offsets that were checked, or whose bad values are recorded for the host.
class CheckedOffsets {
 public:
  CheckedOffsets(const KernelCall& call, const Tensor& given, int64_t bags, int64_t count)
      : offsets_(readable_numbers(given, given.numel().as_int())),
        to_device{offsets_.raw_data(), {offsets_.dtype() == DType::I64}, item_size(offsets_.dtype()), bags, count} {
    const int64_t n = offsets_.numel().as_int();
    const int device = offsets_.device().index;
    if (n == 0) return;
    const auto look = [&](uint32_t* flag, const cuda_module::FailureNote& note) {
      IndexReader read = to_device.read;
      read.note = note;
      cuda_module::launch_each(device, n, LookAtOffsets{to_device.first, read, to_device.item, count, flag});
    };
    const cuda_module::FailureNote note = checked_or_noted(
        device,
        {.family = ErrorFamily::Runtime,
         .words = noted_offset_words,
         .size = count,
         .first = to_device.first,
         .item = to_device.item},
        [&](uint32_t* flag) { look(flag, {}); },
        [&] { refuse_offsets(call, IndexValues(moved_to(kCPU, offsets_)), count); });
    if (note) look(nullptr, note);
  }

 private:
  Tensor offsets_;

 public:
  const Offsets to_device;
};

/// Returns the first `count` elements of `indices` as row indices. An element outside of [low, rows) raises an error or
/// is recorded for the host.
DeviceIndex checked_rows(const KernelCall& call, const Tensor& indices, int64_t count, int64_t low, int64_t rows) {
  return index_within(readable_numbers(indices, count), call.outputs[0].device(), low, rows, checks_at_once(),
                      {.family = ErrorFamily::Runtime, .words = noted_row_words},
                      [&](const Tensor& host) { check_rows(call, IndexValues(host), rows); });
}

template <class T>
struct FoldBags {
  Offsets offsets;
  const std::byte* indices;  // row-major
  IndexReader read;
  int64_t item, padding, mode, features;
  const T* weight;
  int64_t row_stride, feature_stride;
  const T* samples;  ///< null: all weights are 1
  int64_t sample_stride;
  T* y;
  int64_t* sizes;
  int64_t* best;  ///< null unless the mode is kBagMax

  /// A bag has at least one thread, which also writes the bag's size.
  ERSATZ_DEVICE void operator()(int64_t i) const {
    using C = Compute_t<T>;
    const int64_t across = features > 0 ? features : 1, bag = quotient(i, across), feature = i - bag * across;
    const int64_t end = offsets.end(bag);
    double total = 0;
    int64_t count = 0, largest = -1;
    for (int64_t e = offsets.begin(bag); e < end; ++e) {
      int64_t row;
      if (!read.find(indices + e * item, row) || row == padding) continue;
      ++count;
      if (features == 0) continue;
      const double value = static_cast<double>(C(weight[row * row_stride + feature * feature_stride]));
      if (mode != kBagMax) {
        total += samples ? static_cast<double>(C(samples[e * sample_stride])) * value : value;
      } else if (count == 1 || value > total) {
        total = value;
        largest = row;
      }
    }
    if (feature == 0) sizes[bag] = count;
    if (features == 0) return;
    if (mode == kBagMean && count > 0) total /= static_cast<double>(count);
    y[i] = T(static_cast<C>(total));
    if (best) best[i] = largest;
  }
};

void run_forward_cuda(KernelCall& call) {
  const Tensor weight = plain_input(call.tensor(kForwards["weight"])), indices = call.tensor(kForwards["indices"]);
  const int64_t mode = call.integer(kForwards["mode"]), count = indices.numel().as_int(),
                bags = call.outputs[0].sizes()[0].as_int(), features = weight.sizes()[1].as_int();
  const int device = weight.device().index;
  const DeviceIndex rows = checked_rows(call, indices, count, 0, weight.sizes()[0].as_int());
  if (bags == 0) note_outside(rows);
  const CheckedOffsets offsets(call, call.tensor(kForwards["offsets"]), bags, count);
  const OutputAs names(call.outputs[1], DType::I64), sizes(call.outputs[2], DType::I64),
      best(call.outputs[3], DType::I64);
  cuda_module::launch_each(device, count, NameBags{offsets.to_device, names.data<int64_t>()});
  fill_elements(sizes.tensor, 0);  // with include_last_offset, the last offset begins no bag, and its size is 0
  DenseOutput out(call.outputs[0]);
  const Tensor samples =
      call.has(kForwards["per_sample_weights"]) ? plain_input(call.tensor(kForwards["per_sample_weights"])) : Tensor();
  const auto strides = as_ints(weight.strides());
  dispatch_dtype<kFloats>(weight.dtype(), [&]<class T>() {
    cuda_module::launch_each(
        device, bags * std::max<int64_t>(features, 1),
        FoldBags<T>{offsets.to_device, rows.tensor.raw_data(), rows.read, item_size(rows.tensor.dtype()),
                    call.integer(kForwards["padding_idx"]), mode, features,
                    reinterpret_cast<const T*>(weight.raw_data()), strides[0], strides[1],
                    samples ? reinterpret_cast<const T*>(samples.raw_data()) : nullptr,
                    samples ? samples.strides()[0].as_int() : 0, reinterpret_cast<T*>(out.tensor.raw_data()),
                    sizes.data<int64_t>(), mode == kBagMax ? best.data<int64_t>() : nullptr});
  });
  out.finish();
  names.finish();
  sizes.finish();
  best.finish();
}

/// Returns the bag of each of `count` indices: `given`, the result of the forward operator (which may be longer), or
/// numbers computed from the offsets, which may be in any order.
Tensor names_of_bags(const KernelCall& call, const Tensor& given, const Tensor& offsets, int64_t count) {
  if (count == 0 || given.numel().as_int() > 0) return given;
  const int64_t n = offsets.numel().as_int();
  const DeviceIndex within =
      index_within(readable_numbers(offsets, n), offsets.device(), 0, count + 1, checks_at_once(),
                   {.family = ErrorFamily::Index, .words = noted_any_offset_words},
                   [&](const Tensor& host) { check_offsets(call, IndexValues(host), count); });
  note_outside(within);
  const auto [sorted, places] = ops::sort(within.tensor);
  const SymInt sizes[] = {count};
  const Tensor names = make_real_tensor(TensorMeta(DType::I64, sizes, offsets.device()));
  const Offsets bags{sorted.raw_data(), {sorted.dtype() == DType::I64}, item_size(sorted.dtype()), n, count};
  cuda_module::launch_each(offsets.device().index, count, NameBags{bags, reinterpret_cast<int64_t*>(names.raw_data())});
  return names;
}
DeviceIndex checked_bags(const KernelCall& call, const Tensor& names, int64_t count, int64_t bags) {
  return index_within(readable_numbers(names, count), names.device(), 0, bags, checks_at_once(),
                      {.family = ErrorFamily::Runtime, .words = noted_bag_words},
                      [&](const Tensor& host) { check_bags(call, IndexValues(host), bags); });
}

/// Kernel that adds gradients to rows. Indices are sorted by row; the thread of the first index of a row sums the
/// gradients of the bags of all its indices.
template <class T>
struct SumRuns {
  const uint64_t* rows;
  const int64_t* elements;
  int64_t count, features;
  uint64_t none;
  const std::byte* names;
  IndexReader read;
  int64_t item;
  const T* grad;
  const T* samples;      ///< null: all weights are 1
  const int64_t* sizes;  ///< sizes of the bags, used for means
  bool by_frequency;
  T* to;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    using C = Compute_t<T>;
    const int64_t first = quotient(i, features), feature = i - first * features;
    const uint64_t row = rows[first];
    if ((first > 0 && rows[first - 1] == row) || row == none) return;
    double sum = 0;
    int64_t at = first;
    for (; at < count && rows[at] == row; ++at) {
      int64_t bag;
      const int64_t element = elements[at];
      if (!read.find(names + element * item, bag)) continue;
      double value = static_cast<double>(C(grad[bag * features + feature]));
      if (samples) value *= static_cast<double>(C(samples[element]));
      if (sizes && sizes[bag] != 0) value /= static_cast<double>(sizes[bag]);
      sum += value;
    }
    to[static_cast<int64_t>(row) * features + feature] =
        T(static_cast<C>(by_frequency ? sum / static_cast<double>(at - first) : sum));
  }
};

void sum_bags(KernelCall& call, const Tensor& grad, const Tensor& names_of, const Tensor& out) {
  static constexpr auto& k = kBackward;
  const Tensor indices = call.tensor(k["indices"]);
  const int64_t count = indices.numel().as_int(), bags = grad.sizes()[0].as_int(), rows = out.sizes()[0].as_int(),
                features = out.sizes()[1].as_int();
  const int device = out.device().index;
  const DeviceIndex index = checked_rows(call, indices, count, 0, rows);
  const DeviceIndex names = checked_bags(call, names_of, count, bags);
  if (count == 0 || out.numel().as_int() == 0) {
    note_outside(index);
    return note_outside(names);
  }
  Places p;
  p.sizes = Strides{count};
  p.index = index, p.of_index = Strides{1};
  p.target = out, p.of_target = Strides{0};
  SortedPlaces sorted(device, count);
  sort_places(p, call.integer(k["padding_idx"]), sorted);
  const Tensor samples =
      call.has(k["per_sample_weights"]) ? dense_input(call.tensor(k["per_sample_weights"])) : Tensor();
  const Tensor sizes =
      call.integer(k["mode"]) == kBagMean ? dense_as(call.tensor(k["bag_size"]), DType::I64) : Tensor();
  dispatch_dtype<kFloats>(out.dtype(), [&]<class T>() {
    cuda_module::launch_each(device, count * features,
                             SumRuns<T>{sorted.keys.as<uint64_t>(), sorted.elements.as<int64_t>(), count, features,
                                        static_cast<uint64_t>(sorted.none), names.tensor.raw_data(), names.read,
                                        item_size(names.tensor.dtype()), reinterpret_cast<const T*>(grad.raw_data()),
                                        samples ? reinterpret_cast<const T*>(samples.raw_data()) : nullptr,
                                        sizes ? reinterpret_cast<const int64_t*>(sizes.raw_data()) : nullptr,
                                        call.boolean(k["scale_grad_by_freq"]), reinterpret_cast<T*>(out.raw_data())});
  });
}

/// Adds each element of the gradient to the row that has the bag's maximum. A negative row means that the bag has no
/// maximum.
void add_to_maxima(KernelCall& call, const Tensor& grad, const Tensor& out) {
  static constexpr auto& k = kBackward;
  const int64_t features = out.sizes()[1].as_int(), rows = out.sizes()[0].as_int();
  const DeviceIndex given =
      checked_rows(call, call.tensor(k["maximum_indices"]), grad.numel().as_int(), INT64_MIN, rows);
  note_outside(given);
  if (grad.numel().as_int() == 0 || out.numel().as_int() == 0) return;
  const DType dtype = combined_dtype(out.dtype());
  const OutputAs sums(out, dtype);
  Places p;
  p.sizes = Strides{grad.sizes()[0].as_int(), features};
  p.other = dense_as(grad, dtype), p.of_other = Strides{features, 1};
  p.index = {given.tensor, {given.read.wide, rows}}, p.of_index = Strides{features, 1};
  p.target = sums.tensor, p.of_target = Strides{0, 1}, p.step = features;
  fill_elements(sums.tensor, 0);
  combine(call, p, Reduction::Sum, call.integer(k["padding_idx"]));
  sums.finish();
}

void run_backward_cuda(KernelCall& call) {
  const Tensor grad = dense_input(call.tensor(kBackward["grad"]));
  DenseOutput out(call.outputs[0]);
  fill_elements(out.tensor, 0);
  const Tensor names = names_of_bags(call, call.tensor(kBackward["offset2bag"]), call.tensor(kBackward["offsets"]),
                                     call.tensor(kBackward["indices"]).numel().as_int());
  if (call.integer(kBackward["mode"]) == kBagMax) {
    add_to_maxima(call, grad, out.tensor);
  } else {
    sum_bags(call, grad, names, out.tensor);
  }
  out.finish();
}

struct Add {
  ERSATZ_DEVICE double operator()(double a, double b) const { return a + b; }
};

/// Kernel in which `width` adjacent threads compute the dot product of a row of the weight and a row of the gradient.
template <class T>
struct MultiplyRows {
  int64_t count, features, padding;
  int width;
  const std::byte *indices, *names;  // row-major
  IndexReader read, read_name;
  int64_t item, name_item;
  const T *grad, *weight;
  T* to;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    using C = Compute_t<T>;
    const int64_t i = block.index() * (block.threads() / width) + block.thread() / width;
    const int place = block.thread() % width;
    int64_t row = 0, bag = 0;
    double sum = 0;
    if (i < count && read.find(indices + i * item, row) && read_name.find(names + i * name_item, bag) &&
        row != padding) {
      for (int64_t f = place; f < features; f += width) {
        sum += static_cast<double>(C(grad[bag * features + f])) * static_cast<double>(C(weight[row * features + f]));
      }
    }
    sum = block.reduce(sum, Add(), width);
    if (i < count && place == 0) to[i] = T(static_cast<C>(sum));
  }
};

void run_weights_backward_cuda(KernelCall& call) {
  static constexpr auto& k = kWeightsBackward;
  constexpr int kThreads = 256;
  const Tensor grad = dense_input(call.tensor(k["grad"])), weight = dense_input(call.tensor(k["weight"])),
               indices = call.tensor(k["indices"]);
  const int64_t count = indices.numel().as_int(), features = grad.sizes()[1].as_int();
  const DeviceIndex rows = checked_rows(call, indices, count, 0, weight.sizes()[0].as_int());
  const Tensor names_of = names_of_bags(call, call.tensor(k["offset2bag"]), call.tensor(k["offsets"]), count);
  const DeviceIndex names = checked_bags(call, names_of, count, grad.sizes()[0].as_int());
  int width = 1;
  while (width < cuda_module::Block::kWarp && width < features) width *= 2;
  const int64_t each = kThreads / width;
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(grad.dtype(), [&]<class T>() {
    cuda_module::launch_blocks(
        grad.device().index, (count + each - 1) / each, kThreads, 0,
        MultiplyRows<T>{count, features, call.integer(k["padding_idx"]), width, rows.tensor.raw_data(),
                        names.tensor.raw_data(), rows.read, names.read, item_size(rows.tensor.dtype()),
                        item_size(names.tensor.dtype()), reinterpret_cast<const T*>(grad.raw_data()),
                        reinterpret_cast<const T*>(weight.raw_data()), reinterpret_cast<T*>(out.tensor.raw_data())});
  });
  out.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._embedding_bag.default", run_forward_cuda);
  cuda_module::attach(registry, "aten._embedding_bag_forward_only.default", run_forward_cuda);
  cuda_module::attach(registry, "aten._embedding_bag_backward.default", run_backward_cuda);
  cuda_module::attach(registry, "aten._embedding_bag_per_sample_weights_backward.default", run_weights_backward_cuda);
}

}  // namespace ersatz::op_embedding_bag
