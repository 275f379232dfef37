#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/indexing/embedding_bag.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_embedding_bag {

Kernel run_forward_cpu, run_backward_cpu, run_weights_backward_cpu;

namespace {

std::vector<int64_t> numbers(const Tensor& t) {
  std::vector<int64_t> result(static_cast<size_t>(t.numel().as_int()));
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

/// The bag of each index, which offsets say.
std::vector<int64_t> bags_of(const KernelCall& call, const std::vector<int64_t>& offsets, int64_t bags,
                             int64_t indices) {
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int64_t least = i == 0 ? 0 : offsets[i - 1], most = i == 0 ? 0 : indices;
    if (offsets[i] < least || offsets[i] > most)
      fail_on_value(call, ErrorFamily::Runtime, "offset {} is {}, it must lie in [{}, {}]", i, offsets[i], least, most);
  }
  std::vector<int64_t> result;
  for (int64_t b = 0; b < bags; ++b) {
    const size_t next = static_cast<size_t>(b) + 1;
    // The last bag goes to the end of the indices, whatever the last offset says.
    const int64_t end = b + 1 < bags ? offsets[next] : indices;
    if (end > static_cast<int64_t>(result.size())) result.resize(static_cast<size_t>(end), b);
  }
  result.resize(static_cast<size_t>(indices), std::max<int64_t>(0, bags - 1));
  return result;
}
void check_rows(const KernelCall& call, const std::vector<int64_t>& indices, int64_t rows) {
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= rows)
      fail_on_value(call, ErrorFamily::Runtime, "index {} at position {} is none of {} rows", indices[i], i, rows);
  }
}
/// What the forward op gave, or made here where it went the fast way.
std::vector<int64_t> given_bags(const KernelCall& call, const Tensor& offset2bag, const Tensor& offsets,
                                int64_t indices) {
  if (indices == 0 || offset2bag.numel().as_int() > 0) return numbers(offset2bag);
  return bags_of(call, numbers(offsets), offsets.numel().as_int(), indices);
}

}  // namespace

void run_forward_cpu(KernelCall& call) {
  const Tensor weight = dense_input(call.tensor(kForwards["weight"]));
  const std::vector<int64_t> indices = numbers(call.tensor(kForwards["indices"]));
  const int64_t mode = call.integer(kForwards["mode"]), padding = call.integer(kForwards["padding_idx"]);
  const int64_t bags = call.outputs[0].sizes()[0].as_int(), features = weight.sizes()[1].as_int();
  check_rows(call, indices, weight.sizes()[0].as_int());
  const std::vector<int64_t> bag_of =
      bags_of(call, numbers(call.tensor(kForwards["offsets"])), bags, static_cast<int64_t>(indices.size()));
  const Tensor samples =
      call.has(kForwards["per_sample_weights"]) ? dense_input(call.tensor(kForwards["per_sample_weights"])) : Tensor();
  std::vector<int64_t> counts(static_cast<size_t>(bags), 0),
      best(mode == kBagMax ? static_cast<size_t>(bags * features) : 0, 0);
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(weight.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* w = reinterpret_cast<const T*>(weight.raw_data());
    std::vector<double> sums(static_cast<size_t>(bags * features), 0);
    for (size_t i = 0; bags > 0 && i < indices.size(); ++i) {
      if (indices[i] == padding) continue;
      const int64_t b = bag_of[i];
      const bool first = counts[static_cast<size_t>(b)]++ == 0;
      const double factor = samples ? static_cast<double>(C(reinterpret_cast<const T*>(samples.raw_data())[i])) : 1;
      for (int64_t f = 0; f < features; ++f) {
        const size_t at = static_cast<size_t>(b * features + f);
        const double v = static_cast<double>(C(w[indices[i] * features + f]));
        if (mode != kBagMax) {
          sums[at] += v * factor;
        } else if (first || v > sums[at]) {
          sums[at] = v;
          best[at] = indices[i];
        }
      }
    }
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    for (int64_t at = 0; at < bags * features; ++at) {
      const double n = static_cast<double>(counts[static_cast<size_t>(at / features)]);
      const double sum = sums[static_cast<size_t>(at)];
      y[at] = T(static_cast<C>(mode == kBagMean && n > 0 ? sum / n : sum));
    }
  });
  out.finish();
  write_numbers(call.outputs[1], bag_of);
  if (mode == kBagSum) counts.assign(static_cast<size_t>(call.outputs[2].numel().as_int()), 0);
  write_numbers(call.outputs[2], counts);
  write_numbers(call.outputs[3], mode == kBagMax ? best : counts);
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
  if (mode == kBagMax ? static_cast<int64_t>(best.size()) < bags * features || static_cast<int64_t>(sizes.size()) < bags
                      : mode == kBagMean && static_cast<int64_t>(sizes.size()) < bags)
    fail_on_value(call, ErrorFamily::Runtime, "bag_size and maximum_indices are too small for {} bags", bags);
  check_rows(call, mode == kBagMax ? best : indices, rows);
  std::vector<int64_t> times(static_cast<size_t>(rows), 0);
  for (const int64_t row : indices) {
    if (row >= 0 && row < rows) ++times[static_cast<size_t>(row)];
  }
  for (const int64_t b : bag_of) {
    if (b < 0 || b >= bags) fail_on_value(call, ErrorFamily::Runtime, "bag {} is none of {}", b, bags);
  }
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
        if (sizes[static_cast<size_t>(at / features)] != 0)
          add(best[static_cast<size_t>(at)], at / features, at % features, 1);
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
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(grad.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T *g = reinterpret_cast<const T*>(grad.raw_data()), *w = reinterpret_cast<const T*>(weight.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    for (size_t i = 0; i < indices.size(); ++i) {
      const int64_t b = bag_of[i];
      if (b < 0 || b >= bags) fail_on_value(call, ErrorFamily::Runtime, "bag {} is none of {}", b, bags);
      double sum = 0;
      for (int64_t f = 0; indices[i] != padding && f < features; ++f)
        sum += static_cast<double>(C(g[b * features + f])) * static_cast<double>(C(w[indices[i] * features + f]));
      y[i] = T(static_cast<C>(sum));
    }
  });
  out.finish();
}

}  // namespace ersatz::op_embedding_bag
