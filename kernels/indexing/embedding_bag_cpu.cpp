#include <algorithm>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/indexing/bag_loops.h"
#include "kernels/indexing/bag_values.h"
#include "kernels/indexing/embedding_bag.h"
#include "kernels/loop_levels.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_embedding_bag {

Kernel run_forward_cpu, run_backward_cpu, run_weights_backward_cpu;

namespace {

/// The elements of an index tensor in row-major order, in its own memory or a copy. Empty for an undefined tensor.
struct Numbers : std::span<const int64_t> {
  explicit Numbers(const Tensor& t) {
    const auto n = static_cast<size_t>(t ? t.numel().as_int() : 0);
    if (n == 0) return;
    dense_ = dense_input(t);
    if (dense_.dtype() != DType::I64) {
      dense_ = make_real_tensor(TensorMeta(DType::I64, t.sizes()));
      copy_elements(dense_, t);
    }
    static_cast<std::span<const int64_t>&>(*this) = {dense_.data<int64_t>(), n};
  }

 private:
  Tensor dense_;
};
void write_numbers(const Tensor& out, const std::vector<int64_t>& values) {
  if (values.empty() || out.numel().as_int() == 0) return;
  const bool direct = out.dtype() == DType::I64 && out.is_contiguous();
  const Tensor dense = direct ? out : make_real_tensor(TensorMeta(DType::I64, out.sizes()));
  std::copy(values.begin(), values.end(), dense.data<int64_t>());
  if (!direct) copy_elements(out, dense);
}

/// Returns the bag of each position in [0, indices). A position's bag is k - 1 if k of the first `n` offsets are not
/// greater than the position. Positions before the first offset belong to bag 0.
std::vector<int64_t> bags_of(const KernelCall& call, std::span<const int64_t> offsets, size_t n, int64_t indices) {
  std::vector<int64_t> result(static_cast<size_t>(indices) + 1, 0);
  check_offsets(call, std::span(offsets).first(n), indices);
  for (size_t i = 0; i < n; ++i) ++result[static_cast<size_t>(offsets[i])];
  int64_t bag = -1;
  for (int64_t& b : result) b = std::max<int64_t>(0, bag += b);
  result.pop_back();
  return result;
}

/// The positions of each bag, and the bag's size as ATen computes it: the next bag's offset minus the bag's offset.
/// Positions before the end of the last bag always belong to a bag.
struct Bags {
  std::vector<int64_t> begin, end, sizes, of_index;

  Bags(const KernelCall& call, std::span<const int64_t> offsets, size_t bags, int64_t indices, bool bag_by_bag)
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
  /// Subtracts from a bag's size its skipped indices. `count` is the number of indices that are not skipped.
  void leave_out(int64_t bag, int64_t count) {
    const auto b = static_cast<size_t>(bag);
    sizes[b] -= std::max<int64_t>(end[b] - begin[b], 0) - count;
  }
  int64_t last() const { return std::max<int64_t>(0, end.empty() ? 0 : *std::max_element(end.begin(), end.end())); }
};

/// Returns the bag of each index: offset2bag, or, if the forward operator used its fast path, computed from the
/// offsets.
std::vector<int64_t> given_bags(const KernelCall& call, const Tensor& offset2bag, const Tensor& offsets,
                                int64_t indices) {
  const Numbers named(indices == 0 ? Tensor() : offset2bag);
  std::vector<int64_t> given(named.begin(), named.end());
  if (indices > 0 && given.empty()) {
    const Numbers at(offsets);
    given = bags_of(call, at, at.size(), indices);
  }
  given.resize(static_cast<size_t>(indices));
  return given;
}

const BagLoopTable& loop_table() {
  static const BagLoopTable table = best_loops<BagLoopTable>(ERSATZ_LEVELS(fill_bag_loops));
  return table;
}
void sum_bags(const BagsOfRows<float>& bags, float* sums, int64_t* counts) {
  loop_table().of_float(bags, sums, counts);
}
void sum_bags(const BagsOfRows<double>& bags, double* sums, int64_t* counts) {
  loop_table().of_double(bags, sums, counts);
}

/// The rows that indices select, each times its sample weight if there are sample weights. Sums are accumulated in
/// Compute_t, as in PyTorch's CPU kernel.
template <class T>
struct Rows {
  using C = Compute_t<T>;
  const T *table, *samples;
  std::span<const int64_t> indices;
  int64_t features, padding;

  const T* row(int64_t i) const { return table + indices[static_cast<size_t>(i)] * features; }
  bool left_out(int64_t i) const { return indices[static_cast<size_t>(i)] == padding; }

  /// Sums the rows for positions `from` to `to`. RETURNS: the number of rows that are not skipped.
  int64_t sum(int64_t from, int64_t to, C* __restrict bag) const {
    std::fill_n(bag, features, C(0));
    int64_t count = 0;
    for (int64_t i = from; i < to; ++i) {
      if (left_out(i)) continue;
      ++count;
      const T* x = row(i);
      const C factor = samples ? C(samples[i]) : C(1);
      for (int64_t f = 0; f < features; ++f) bag[f] += C(x[f]) * factor;
    }
    return count;
  }
  /// Stores the largest element of each column, and the row that has it. RETURNS: the number of rows that are not
  /// skipped.
  int64_t largest(int64_t from, int64_t to, C* bag, int64_t* best) const {
    std::fill_n(bag, features, C(0));
    int64_t count = 0;
    for (int64_t i = from; i < to; ++i) {
      if (left_out(i)) continue;
      const bool first = count++ == 0;
      const T* x = row(i);
      for (int64_t f = 0; f < features; ++f) {
        if (first || C(x[f]) > bag[f]) bag[f] = C(x[f]), best[f] = indices[static_cast<size_t>(i)];
      }
    }
    return count;
  }
};

}  // namespace

void run_forward_cpu(KernelCall& call) {
  const Tensor weight = dense_input(call.tensor(kForwards["weight"]));
  const Numbers indices(call.tensor(kForwards["indices"]));
  const int64_t mode = call.integer(kForwards["mode"]), padding = call.integer(kForwards["padding_idx"]);
  const int64_t bags = call.outputs[0].sizes()[0].as_int(), features = weight.sizes()[1].as_int();
  const int64_t rows = weight.sizes()[0].as_int();
  const Tensor samples = call.tensor(kForwards["per_sample_weights"]), weights = dense_input(samples);
  const bool bag_by_bag =
      goes_bag_by_bag(call.tensor(kForwards["weight"]).meta(), samples ? &samples.meta() : nullptr, mode, padding);
  Bags of(call, Numbers(call.tensor(kForwards["offsets"])), static_cast<size_t>(bags),
          static_cast<int64_t>(indices.size()), bag_by_bag);
  const int64_t read = bag_by_bag ? of.last() : static_cast<int64_t>(indices.size());
  check_rows(call, indices.first(static_cast<size_t>(read)), rows);
  std::vector<int64_t> best(mode == kBagMax ? static_cast<size_t>(bags * features) : 0, 0);
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(weight.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const Rows<T> table{reinterpret_cast<const T*>(weight.raw_data()),
                        samples ? reinterpret_cast<const T*>(weights.raw_data()) : nullptr, indices, features, padding};
    const auto divisor = [&](int64_t b) {
      return static_cast<C>(mode == kBagMean ? std::max<int64_t>(1, of.sizes[static_cast<size_t>(b)]) : 1);
    };
    const int64_t each = static_cast<int64_t>(indices.size()) / std::max<int64_t>(bags, 1) + 1;
    parallel_for(bags, std::max<int64_t>(1, (1 << 14) / (each * features + 1)), [&](int64_t begin, int64_t end) {
      T* const y = reinterpret_cast<T*>(out.tensor.raw_data());
      if constexpr (std::is_same_v<T, C>) {
        if (mode != kBagMax && features > 0) {
          std::vector<int64_t> counts(static_cast<size_t>(end - begin));
          sum_bags({table.table, features, indices.data(), read, padding, table.samples, end - begin,
                    of.begin.data() + begin, of.end.data() + begin},
                   y + begin * features, counts.data());
          for (int64_t b = begin; b < end; ++b) {
            of.leave_out(b, counts[static_cast<size_t>(b - begin)]);
            if (const C n = divisor(b); n != 1) {
              for (int64_t f = 0; f < features; ++f) y[b * features + f] /= n;
            }
          }
          return;
        }
      }
      std::vector<C> bag(static_cast<size_t>(features));
      for (int64_t b = begin; b < end; ++b) {
        const int64_t from = of.begin[static_cast<size_t>(b)], to = of.end[static_cast<size_t>(b)];
        of.leave_out(b, mode == kBagMax ? table.largest(from, to, bag.data(), best.data() + b * features)
                                        : table.sum(from, to, bag.data()));
        const C n = divisor(b);
        for (int64_t f = 0; f < features; ++f) y[b * features + f] = T(bag[static_cast<size_t>(f)] / n);
      }
    });
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
  const Numbers indices(call.tensor(k["indices"])), sizes(call.tensor(k["bag_size"])),
      best(call.tensor(k["maximum_indices"]));
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
  const Numbers indices(call.tensor(k["indices"]));
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
