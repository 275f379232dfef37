#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/indexing/bag_values.h"
#include "kernels/indexing/embedding_bag.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_embedding_bag {

Kernel run_forward_cpu, run_backward_cpu, run_weights_backward_cpu;

namespace {

std::vector<int64_t> numbers(const Tensor& t) {
  std::vector<int64_t> result(static_cast<size_t>(t ? t.numel().as_int() : 0));
  if (result.empty()) return result;
  const Tensor dense = make_real_tensor(TensorMeta(DType::I64, t.sizes()));
  copy_elements(dense, t);
  std::copy_n(dense.data<int64_t>(), result.size(), result.begin());
  return result;
}
void write_numbers(const Tensor& out, const std::vector<int64_t>& values) {
  if (values.empty() || out.numel().as_int() == 0) return;
  const Tensor dense = make_real_tensor(TensorMeta(DType::I64, out.sizes()));
  std::copy(values.begin(), values.end(), dense.data<int64_t>());
  copy_elements(out, dense);
}

/// The bag of each of `indices` positions, which `n` of the offsets say: the number of those not behind it, less one;
/// before the first offset the first bag.
std::vector<int64_t> bags_of(const KernelCall& call, const std::vector<int64_t>& offsets, size_t n, int64_t indices) {
  std::vector<int64_t> result(static_cast<size_t>(indices) + 1, 0);
  for (size_t i = 0; i < n; ++i) {
    if (offsets[i] < 0 || offsets[i] > indices)
      fail_on_value(call, ErrorFamily::Index, "offset {} is {}, it must lie in [0, {}]", i, offsets[i], indices);
    ++result[static_cast<size_t>(offsets[i])];
  }
  int64_t bag = -1;
  for (int64_t& b : result) b = std::max<int64_t>(0, bag += b);
  result.pop_back();
  return result;
}

/// The positions of each bag, and its size as ATen counts it: the distance of its offset to the next one.
struct Bags {
  std::vector<int64_t> begin, end, sizes, of_index;

  Bags(const KernelCall& call, const std::vector<int64_t>& offsets, size_t bags, int64_t indices, bool bag_by_bag)
      : begin(bags, 0), end(bags, 0), sizes(bags, 0) {
    if (!offsets.empty() && (offsets[0] != 0 || offsets.back() > indices))
      fail_on_value(call, ErrorFamily::Runtime, "offsets must begin with 0 and end within {} indices: they are {}, {}",
                    indices, offsets[0], offsets.back());
    if (bags == 0) {
      of_index.resize(static_cast<size_t>(indices), 0);
      return;
    }
    const bool tells = !bag_by_bag || call.integer(kForwards["mode"]) != kBagSum;
    if (tells) of_index = bags_of(call, offsets, bags, indices);
    for (size_t b = 0; b < bags; ++b) sizes[b] = (b + 1 < bags ? offsets[b + 1] : indices) - offsets[b];
    if (bag_by_bag) {
      for (size_t b = 0; b < bags; ++b) {
        begin[b] = offsets[b];
        end[b] = b + 1 < offsets.size() ? offsets[b + 1] : indices;
        if (begin[b] < end[b] && (begin[b] < 0 || end[b] > indices))
          fail_on_value(call, ErrorFamily::Runtime, "bag {} is [{}, {}), there are {} indices", b, begin[b], end[b],
                        indices);
      }
      return;
    }
    for (int64_t i = 0; i < indices; ++i) {
      const size_t b = static_cast<size_t>(of_index[static_cast<size_t>(i)]);
      if (begin[b] == end[b]) begin[b] = i;
      end[b] = i + 1;
    }
  }
};

/// What the forward op gave, or made here where it went the fast way.
std::vector<int64_t> given_bags(const KernelCall& call, const Tensor& offset2bag, const Tensor& offsets,
                                int64_t indices) {
  std::vector<int64_t> given = numbers(indices == 0 ? Tensor() : offset2bag);
  if (indices > 0 && given.empty()) {
    const std::vector<int64_t> at = numbers(offsets);
    given = bags_of(call, at, at.size(), indices);
  }
  given.resize(static_cast<size_t>(indices));
  return given;
}

}  // namespace

void run_forward_cpu(KernelCall& call) {
  const Tensor weight = dense_input(call.tensor(kForwards["weight"]));
  const std::vector<int64_t> indices = numbers(call.tensor(kForwards["indices"]));
  const int64_t mode = call.integer(kForwards["mode"]), padding = call.integer(kForwards["padding_idx"]);
  const int64_t bags = call.outputs[0].sizes()[0].as_int(), features = weight.sizes()[1].as_int();
  const int64_t rows = weight.sizes()[0].as_int();
  const Tensor samples = call.tensor(kForwards["per_sample_weights"]), weights = dense_input(samples);
  const bool bag_by_bag =
      goes_bag_by_bag(call.tensor(kForwards["weight"]).meta(), samples ? &samples.meta() : nullptr, mode, padding);
  Bags of(call, numbers(call.tensor(kForwards["offsets"])), static_cast<size_t>(bags),
          static_cast<int64_t>(indices.size()), bag_by_bag);
  if (!bag_by_bag) check_rows(call, indices, rows);
  std::vector<int64_t> best(mode == kBagMax ? static_cast<size_t>(bags * features) : 0, 0);
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(weight.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* w = reinterpret_cast<const T*>(weight.raw_data());
    std::vector<double> sums(static_cast<size_t>(bags * features), 0);
    for (size_t b = 0; b < of.sizes.size(); ++b) {
      bool first = true;
      for (int64_t p = of.begin[b]; p < of.end[b]; ++p) {
        const size_t i = static_cast<size_t>(p);
        check_row(call, indices[i], p, rows);
        if (indices[i] == padding) {
          --of.sizes[b];
          continue;
        }
        const double factor = samples ? static_cast<double>(C(reinterpret_cast<const T*>(weights.raw_data())[i])) : 1;
        for (int64_t f = 0; f < features; ++f) {
          const size_t at = b * static_cast<size_t>(features) + static_cast<size_t>(f);
          const double v = static_cast<double>(C(w[indices[i] * features + f]));
          if (mode != kBagMax) {
            sums[at] += v * factor;
          } else if (first || v > sums[at]) {
            sums[at] = v;
            best[at] = indices[i];
          }
        }
        first = false;
      }
    }
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    for (int64_t at = 0; at < bags * features; ++at) {
      const double n = static_cast<double>(std::max<int64_t>(1, of.sizes[static_cast<size_t>(at / features)]));
      const double sum = sums[static_cast<size_t>(at)];
      y[at] = T(static_cast<C>(mode == kBagMean ? sum / n : sum));
    }
  });
  out.finish();
  write_numbers(call.outputs[1], of.of_index);
  if (mode == kBagSum) of.sizes.assign(static_cast<size_t>(call.outputs[2].numel().as_int()), 0);
  write_numbers(call.outputs[2], of.sizes);
  write_numbers(call.outputs[3], mode == kBagMax ? best : of.sizes);
}

void run_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kBackward;
  const Tensor grad = dense_input(call.tensor(k["grad"]));
  const std::vector<int64_t> indices = numbers(call.tensor(k["indices"])), sizes = numbers(call.tensor(k["bag_size"])),
                             best = numbers(call.tensor(k["maximum_indices"]));
  const int64_t mode = call.integer(k["mode"]), padding = call.integer(k["padding_idx"]);
  const int64_t rows = call.outputs[0].sizes()[0].as_int(), bags = grad.sizes()[0].as_int(),
                features = grad.sizes()[1].as_int();
  const std::vector<int64_t> bag_of =
      given_bags(call, call.tensor(k["offset2bag"]), call.tensor(k["offsets"]), static_cast<int64_t>(indices.size()));
  if (mode != kBagMax) check_rows(call, indices, rows);
  std::vector<int64_t> times(static_cast<size_t>(rows), 0);
  for (const int64_t row : indices) {
    if (row >= 0 && row < rows) ++times[static_cast<size_t>(row)];
  }
  if (mode != kBagMax) check_bags(call, bag_of, bags);
  const bool by_frequency = call.boolean(k["scale_grad_by_freq"]);
  const Tensor samples =
      call.has(k["per_sample_weights"]) ? dense_input(call.tensor(k["per_sample_weights"])) : Tensor();
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(grad.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* g = reinterpret_cast<const T*>(grad.raw_data());
    std::vector<double> sums(static_cast<size_t>(rows * features), 0);
    const auto add = [&](int64_t row, int64_t b, int64_t f, double factor) {
      sums[static_cast<size_t>(row * features + f)] += static_cast<double>(C(g[b * features + f])) * factor;
    };
    if (mode == kBagMax) {
      for (int64_t at = 0; at < bags * features; ++at) {
        if (sizes[static_cast<size_t>(at / features)] == 0) continue;
        const int64_t row = best[static_cast<size_t>(at)];
        check_row(call, row, at, rows);
        add(row, at / features, at % features, 1);
      }
    } else {
      for (size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] == padding) continue;
        double factor = samples ? static_cast<double>(C(reinterpret_cast<const T*>(samples.raw_data())[i])) : 1;
        if (by_frequency) factor /= static_cast<double>(times[static_cast<size_t>(indices[i])]);
        const int64_t size = mode == kBagMean ? sizes[static_cast<size_t>(bag_of[i])] : 1;
        if (size != 0) factor /= static_cast<double>(size);
        for (int64_t f = 0; f < features; ++f) add(indices[i], bag_of[i], f, factor);
      }
    }
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    for (int64_t at = 0; at < rows * features; ++at) y[at] = T(static_cast<C>(sums[static_cast<size_t>(at)]));
  });
  out.finish();
}

void run_weights_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kWeightsBackward;
  const Tensor grad = dense_input(call.tensor(k["grad"])), weight = dense_input(call.tensor(k["weight"]));
  const std::vector<int64_t> indices = numbers(call.tensor(k["indices"]));
  check_rows(call, indices, weight.sizes()[0].as_int());
  const int64_t padding = call.integer(k["padding_idx"]), bags = grad.sizes()[0].as_int(),
                features = grad.sizes()[1].as_int();
  const std::vector<int64_t> bag_of =
      given_bags(call, call.tensor(k["offset2bag"]), call.tensor(k["offsets"]), static_cast<int64_t>(indices.size()));
  check_bags(call, bag_of, bags);
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(grad.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T *g = reinterpret_cast<const T*>(grad.raw_data()), *w = reinterpret_cast<const T*>(weight.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    for (size_t i = 0; i < indices.size(); ++i) {
      const int64_t b = bag_of[i];
      double sum = 0;
      for (int64_t f = 0; indices[i] != padding && f < features; ++f)
        sum += static_cast<double>(C(g[b * features + f])) * static_cast<double>(C(w[indices[i] * features + f]));
      y[i] = T(static_cast<C>(sum));
    }
  });
  out.finish();
}

}  // namespace ersatz::op_embedding_bag
