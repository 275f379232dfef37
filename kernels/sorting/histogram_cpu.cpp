#include <algorithm>
#include <cmath>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/sorting/even_bins.h"
#include "kernels/sorting/histogram_range.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/op_entry.h"

namespace ersatz::op_histogram {
namespace {

/// Returns a dense copy in the dtype of the computation: f64 for f64, else f32.
Tensor dense_numbers(const Tensor& t) {
  const Tensor dense = make_real_tensor(TensorMeta(t.dtype() == DType::F64 ? DType::F64 : DType::F32, t.sizes()));
  if (t.numel().as_int() > 0) copy_elements(dense, t);
  return dense;
}

/// Points with `coordinates` numbers each. The numbers of a point are adjacent.
template <class T>
struct Points {
  std::vector<T> numbers;
  size_t coordinates;
  Points(const Tensor& t, size_t coordinates) : coordinates(coordinates) {
    const Tensor dense = dense_numbers(t);
    numbers.assign(dense.data<T>(), dense.data<T>() + dense.numel().as_int());
  }
  size_t count() const { return coordinates == 0 ? 0 : numbers.size() / coordinates; }
};

template <class T>
Range range_of(const Points<T>& points, size_t coordinate) {
  Range range{0, 0};
  for (size_t i = 0; i < points.count(); ++i) {
    const double x = points.numbers[i * points.coordinates + coordinate];
    if (std::isnan(x)) return {x, x};
    if (i == 0 || x < range.low) range.low = x;
    if (i == 0 || x > range.high) range.high = x;
  }
  return range;
}

/// Returns the edges of `bins` equal bins in `range`.
template <class E>
Tensor edges_of(Range range, int64_t bins) {
  using C = Compute_t<E>;
  const SymInt n = bins + 1;
  const Tensor edges = make_real_tensor(TensorMeta(dtype_of<E>, std::span(&n, 1)));
  E* at = bins >= 0 ? reinterpret_cast<E*>(edges.raw_data()) : nullptr;
  const C low = rounded<E>(static_cast<C>(range.low)), high = rounded<E>(static_cast<C>(range.high));
  const C step = bins > 0 ? rounded<E>((high - low) / static_cast<C>(bins)) : C(0);
  for (int64_t i = 0; i <= bins; ++i) {
    const bool from_low = i < (bins + 1) / 2 || bins == 0;
    const C way = rounded<E>(step * static_cast<C>(from_low ? i : bins - i));
    at[i] = E(from_low ? low + way : high - way);
  }
  return edges;
}

// The functions below read arguments outside of templates, because clang 14 accepts no constant argument names in
// templates.

/// Returns the elements of the argument `range`, one Range for each coordinate; empty if `range` is None.
std::vector<Range> given_ranges(const KernelCall& call) {
  std::vector<Range> ranges;
  if (!call.has(kByCount["range"])) return ranges;
  const auto ends = call.list(kByCount["range"]);
  for (size_t i = 0; i + 1 < ends.size(); i += 2) ranges.push_back({ends[i].as_double(), ends[i + 1].as_double()});
  return ranges;
}

/// Returns the edges of the bins, one tensor for each coordinate.
template <class E>
std::vector<Tensor> edges_by_count(const KernelCall& call, const Points<Compute_t<E>>& points,
                                   std::span<const int64_t> bins) {
  const std::vector<Range> ranges = given_ranges(call);
  std::vector<Tensor> edges;
  for (size_t k = 0; k < bins.size(); ++k) {
    Range range{0, 1};
    if (!ranges.empty()) {
      range = ranges[k];
    } else if (points.count() > 0) {
      range = range_of(points, k);
      require_finite(call, range);
    }
    if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
    edges.push_back(edges_of<E>(range, bins[k]));
  }
  return edges;
}

/// Adds the weight of each point to the point's bin. find(k, x) returns the bin of x for coordinate k; a negative
/// number means that x is in no bin.
template <class T, class Find>
void count(const Points<T>& points, const T* weights, std::span<const int64_t> bins, double* counts, Find&& find) {
  for (size_t i = 0; i < points.count(); ++i) {
    int64_t at = 0;
    for (size_t k = 0; k < bins.size() && at >= 0; ++k) {
      const int64_t bin = find(k, points.numbers[i * points.coordinates + k]);
      at = bin < 0 ? -1 : at * bins[k] + bin;
    }
    if (at >= 0) counts[at] += weights ? static_cast<double>(weights[i]) : 1;
  }
}

/// Returns the bin between two edges that contains x; -1 if there is none. The last bin includes its upper edge.
template <class T>
int64_t bin_between(std::span<const T> edges, T x) {
  if (!(x >= edges.front() && x <= edges.back())) return -1;
  const int64_t bin = std::upper_bound(edges.begin(), edges.end(), x) - edges.begin() - 1;
  return std::min(bin, static_cast<int64_t>(edges.size()) - 2);
}

/// Divides each count by the sum of the counts and by the widths of its bin.
template <class T>
void make_density(std::span<double> counts, std::span<const int64_t> bins, const std::vector<Points<T>>& edges) {
  double sum = 0;
  for (double c : counts) sum += c;
  for (size_t i = 0; i < counts.size(); ++i) {
    double volume = 1;
    size_t rest = i;
    for (size_t k = bins.size(); k-- > 0; rest /= static_cast<size_t>(bins[k])) {
      const size_t bin = rest % static_cast<size_t>(bins[k]);
      volume *= static_cast<double>(edges[k].numbers[bin + 1] - edges[k].numbers[bin]);
    }
    counts[i] = counts[i] / sum / volume;
  }
}

struct Request {
  Tensor self, weight;
  bool density = false, has_edges = false;
  std::vector<Tensor> edges;  ///< the edges that are arguments of the call
};

Request request_of(const KernelCall& call) {
  Request r{.self = call.tensor(kBinned["self"])};
  r.has_edges = call.op.schema.arguments[kBinned["bins"]].type.base == BaseType::Tensor;
  r.weight = call.tensor(r.has_edges ? kByEdges["weight"] : kByCount["weight"]);
  r.density = call.boolean(r.has_edges ? kByEdges["density"] : kByCount["density"]);
  if (!r.has_edges) return r;
  if (call[kBinned["bins"]].is_tensor()) {
    r.edges = {call.tensor(kBinned["bins"])};
  } else {
    for (const Value& v : call.list(kBinned["bins"])) r.edges.push_back(v.tensor());
  }
  return r;
}

template <class E>
void run(KernelCall& call, Request r) {
  using T = Compute_t<E>;
  const Tensor& hist = call.outputs[0];
  std::vector<int64_t> bins;
  for (SymInt n : hist.sizes()) bins.push_back(n.as_int());
  const Points<T> points(r.self, bins.size());
  if (!r.has_edges) r.edges = edges_by_count<E>(call, points, bins);
  std::vector<Points<T>> edges;
  for (const Tensor& t : r.edges) edges.emplace_back(t, 1);
  std::vector<T> weights;
  if (r.weight) weights = Points<T>(r.weight, 1).numbers;

  const Tensor counts = make_real_tensor(TensorMeta(DType::F64, hist.sizes()));
  const std::span<double> all(counts.data<double>(), static_cast<size_t>(counts.numel().as_int()));
  std::fill(all.begin(), all.end(), 0);
  count(points, weights.empty() ? nullptr : weights.data(), bins, all.data(),
        [&](size_t k, T x) { return bin_between<T>(edges[k].numbers, x); });
  if (r.density) make_density(all, bins, edges);
  copy_elements(hist, counts);
  if (call.outputs.size() > 1) copy_elements(call.outputs[1], r.edges[0]);
}

template <class E>
void run_histc(KernelCall& call, const Tensor& self, Range range) {
  using T = Compute_t<E>;
  const Points<T> points(self, 1);
  if (range.low == range.high && points.count() > 0) range = range_of(points, 0);
  if (range.low == range.high) range = {range.low - 1, range.high + 1};
  require_finite(call, range);
  const Tensor& hist = call.outputs[0];
  const int64_t bins = hist.numel().as_int();
  const Points<T> edges(edges_of<E>(range, bins), 1);
  const T low = edges.numbers.front(), high = edges.numbers.back();
  const Tensor counts = make_real_tensor(TensorMeta(DType::F64, hist.sizes()));
  std::fill_n(counts.data<double>(), bins, 0.0);
  count(points, static_cast<const T*>(nullptr), std::span(&bins, 1), counts.data<double>(),
        [&](size_t, T x) { return even_bin<E>(x, low, high, bins); });
  copy_elements(hist, counts);
}

}  // namespace

void run_histc_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kHistc["self"]);
  const Range range{call.scalar(kHistc["min"]).to_double(), call.scalar(kHistc["max"]).to_double()};
  dispatch_dtype<kFloats>(self.dtype(), [&]<class E>() { run_histc<E>(call, self, range); });
}
void run_cpu(KernelCall& call) {
  dispatch_dtype<kFloats>(call.outputs[0].dtype(), [&]<class E>() { run<E>(call, request_of(call)); });
}
void run_edges_cpu(KernelCall& call) {
  const auto bins = call.ints(kHistogramddBinEdges["bins"]);
  const Tensor self = call.tensor(kHistogramddBinEdges["self"]);
  dispatch_dtype<kFloats>(self.dtype(), [&]<class E>() {
    const auto edges = edges_by_count<E>(call, Points<Compute_t<E>>(self, bins.size()), bins);
    for (size_t k = 0; k < edges.size(); ++k) {
      if (edges[k].numel().as_int() > 0) copy_elements(call.outputs[k], edges[k]);
    }
  });
}

}  // namespace ersatz::op_histogram
