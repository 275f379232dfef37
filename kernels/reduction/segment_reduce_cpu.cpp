#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/reduction/segment_reduce.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_segment_reduce {

Kernel run_cpu, run_backward_cpu;

namespace {

/// A row-major tensor as [outer, size, inner], where `size` is that of a dim.
struct Around {
  int64_t outer = 1, size, inner = 1, numel;

  Around(const Tensor& t, size_t dim) : size(t.sizes()[dim].as_int()), numel(t.numel().as_int()) {
    for (size_t d = 0; d < t.sizes().size(); ++d) {
      if (d != dim) (d < dim ? outer : inner) *= t.sizes()[d].as_int();
    }
  }
  int64_t place(int64_t row, int64_t at) const { return (row * size + at) * inner; }
};

/// Where the segments of each row begin and end, [rows, count].
struct Segments {
  size_t dim;
  int64_t count;
  std::vector<int64_t> begin, end;

  Segments(const KernelCall& call, Position lengths, Position offsets) {
    const bool by_offsets = call.has(offsets);
    const Tensor given = dense_input(call.tensor(by_offsets ? offsets : lengths));
    dim = given.sizes().size() - 1;
    const int64_t row = given.sizes()[dim].as_int(), n = given.numel().as_int();
    count = std::max<int64_t>(0, by_offsets ? row - 1 : row);
    const auto number = [&](int64_t i) {
      return given.dtype() == DType::I32 ? int64_t{given.data<int32_t>()[i]} : given.data<int64_t>()[i];
    };
    for (int64_t first = 0; first < n; first += row) {
      int64_t at = 0;
      for (int64_t s = first; s < first + count; ++s) {
        begin.push_back(by_offsets ? number(s) : at);
        end.push_back(by_offsets ? number(s + 1) : at += number(s));
      }
    }
  }
};

template <class C>
C neutral(SegmentReduction how) {
  switch (how) {
    case SegmentReduction::Prod:
      return C(1);
    case SegmentReduction::Max:
      return -std::numeric_limits<C>::infinity();
    case SegmentReduction::Min:
      return std::numeric_limits<C>::infinity();
    default:
      return C(0);
  }
}

template <class C>
C joined(SegmentReduction how, C a, C b) {
  switch (how) {
    case SegmentReduction::Prod:
      return a * b;
    case SegmentReduction::Max:
      return std::isnan(b) ? b : std::max(a, b);
    case SegmentReduction::Min:
      return std::isnan(b) ? b : std::min(a, b);
    default:
      return a + b;
  }
}

template <class C>
std::optional<C> initial(const KernelCall& call, Position at) {
  return call.has(at) ? std::optional(static_cast<C>(call.real(at))) : std::nullopt;
}

}  // namespace

void run_cpu(KernelCall& call) {
  static constexpr auto& k = kSegmentReduce;
  const Tensor data = dense_input(call.tensor(k["data"]));
  const Segments segments(call, k["lengths"], k["offsets"]);
  const Around rows(data, segments.dim);
  const bool whole = !call.has(k["offsets"]) && !call.boolean(k["unsafe"]);
  for (size_t i = 0; i < segments.begin.size(); ++i) {
    const int64_t from = segments.begin[i], to = segments.end[i], s = static_cast<int64_t>(i) % segments.count;
    if (from < 0 || to < from || to > rows.size)
      fail_on_value(call, ErrorFamily::Runtime, "segment {} is [{}, {}) of a dim of size {}", s, from, to, rows.size);
    if (whole && s + 1 == segments.count && to != rows.size)
      fail_on_value(call, ErrorFamily::Runtime, "lengths add up to {}, the dim has size {}", to, rows.size);
  }
  const SegmentReduction how = *segment_reduction(call[k["reduce"]].as_string());
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* x = reinterpret_cast<const T*>(data.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    const std::optional<C> first = initial<C>(call, k["initial"]);
    for (int64_t row = 0; row < rows.outer * segments.count; ++row) {
      const size_t r = static_cast<size_t>(row);
      const int64_t n = segments.end[r] - segments.begin[r], from = rows.place(row / segments.count, segments.begin[r]);
      for (int64_t i = 0; i < rows.inner; ++i) {
        C sum = first.value_or(neutral<C>(how));
        for (int64_t j = 0; j < n; ++j) sum = joined(how, sum, C(x[from + j * rows.inner + i]));
        if (how == SegmentReduction::Mean) {
          if (n == 0 && !first) sum = std::numeric_limits<C>::quiet_NaN();
          if (n > 0) sum /= static_cast<C>(n);
        }
        y[row * rows.inner + i] = T(sum);
      }
    }
  });
  out.finish();
}

namespace {

/// One element of a segment's result, and the elements of data that it was made of.
template <class T>
struct Reduced {
  T slope, result;
  const T* data;
  T* gradient;
  int64_t n, step;  ///< elements, and how far apart they lie

  using C = Compute_t<T>;
  C element(int64_t j) const { return C(data[j * step]); }
  bool is_extreme(int64_t j) const { return std::isnan(element(j)) || element(j) == C(result); }

  void go_back(SegmentReduction how, C first) const {
    int64_t extremes = 0;
    for (int64_t j = 0; j < n; ++j) extremes += is_extreme(j);
    for (int64_t j = 0; j < n; ++j) {
      T& d = gradient[j * step];
      switch (how) {
        case SegmentReduction::Sum:
          d = slope;
          break;
        case SegmentReduction::Mean:
          d = T(C(slope) / static_cast<C>(n));
          break;
        case SegmentReduction::Max:
        case SegmentReduction::Min:
          if (is_extreme(j)) d = T(C(slope) / static_cast<C>(extremes));
          break;
        case SegmentReduction::Prod:
          if (const C v = element(j); v != 0 && !std::isnan(v)) {
            d = T(C(slope) * C(result) / v);
            break;
          }
          C others = first;
          for (int64_t i = 0; i < n; ++i) {
            if (i != j) others *= element(i);
          }
          d = T(C(slope) * others);
      }
    }
  }
};

}  // namespace

void run_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kSegmentReduceBackward;
  const Tensor data = dense_input(call.tensor(k["data"])), grad = dense_input(call.tensor(k["grad"])),
               output = dense_input(call.tensor(k["output"]));
  const Segments segments(call, k["lengths"], k["offsets"]);
  const Around rows(data, segments.dim), results(output, segments.dim);
  const SegmentReduction how = *segment_reduction(call[k["reduce"]].as_string());
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
    const auto of = [](const Tensor& t) { return reinterpret_cast<const T*>(t.raw_data()); };
    T* dx = reinterpret_cast<T*>(out.tensor.raw_data());
    std::fill_n(dx, rows.numel, T(0));
    const auto first = initial<Compute_t<T>>(call, k["initial"]).value_or(1);
    for (int64_t row = 0; row < results.outer * segments.count; ++row) {
      const size_t r = static_cast<size_t>(row);
      const int64_t n = segments.end[r] - segments.begin[r], s = row % segments.count,
                    from = rows.place(row / segments.count, segments.begin[r]),
                    to = results.place(row / segments.count, s);
      if (n <= 0) continue;
      if (from < 0 || from + (n - 1) * rows.inner + results.inner > rows.numel ||
          to + results.inner > std::min(results.numel, grad.numel().as_int()))
        fail_on_value(call, ErrorFamily::Runtime, "segment {}, [{}, {}), is none of data {}, grad {} and output {}", s,
                      segments.begin[r], segments.end[r], data.meta(), grad.meta(), output.meta());
      for (int64_t i = 0; i < results.inner; ++i)
        Reduced<T>{of(grad)[to + i], of(output)[to + i], of(data) + from + i, dx + from + i, n, rows.inner}.go_back(
            how, first);
    }
  });
  out.finish();
}

}  // namespace ersatz::op_segment_reduce
