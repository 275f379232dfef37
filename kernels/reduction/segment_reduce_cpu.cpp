#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/reduction/segment_reduce.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_segment_reduce {

Kernel run_cpu, run_backward_cpu;

namespace {

/// data as [outer, size, inner], and the segments of each outer row along its middle dim.
struct Segments {
  int64_t outer = 1, size, inner = 1, count;
  std::vector<int64_t> begin, end;  ///< [outer, count]

  Segments(const KernelCall& call, const Tensor& data, Position lengths, Position offsets, int64_t axis, bool whole) {
    const bool by_offsets = call.has(offsets);
    const Tensor given = dense_input(call.tensor(by_offsets ? offsets : lengths));
    const auto sizes = as_ints(data.sizes());
    const size_t dim = static_cast<size_t>(axis < 0 ? axis + data.dim() : axis);
    size = sizes[dim];
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (d != dim) (d < dim ? outer : inner) *= sizes[d];
    }
    const int64_t row = given.sizes()[dim].as_int();
    count = by_offsets ? row - 1 : row;
    const auto number = [&](int64_t i) {
      return given.dtype() == DType::I32 ? int64_t{given.data<int32_t>()[i]} : given.data<int64_t>()[i];
    };
    for (int64_t o = 0; o < outer; ++o) {
      int64_t at = 0;
      for (int64_t s = 0; s < count; ++s) {
        const int64_t from = by_offsets ? number(o * row + s) : at;
        const int64_t to = by_offsets ? number(o * row + s + 1) : at + number(o * row + s);
        if (from < 0 || to < from || to > size)
          fail_on_value(call, ErrorFamily::Runtime, "segment {} is [{}, {}) of a dim of size {}", s, from, to, size);
        begin.push_back(from);
        end.push_back(at = to);
      }
      if (whole && !by_offsets && at != size)
        fail_on_value(call, ErrorFamily::Runtime, "lengths add up to {}, the dim has size {}", at, size);
    }
  }
  /// f(place of the segment's result, places of its elements begin at, their number); places are `inner` apart.
  template <class F>
  void for_each(F&& f) const {
    for (int64_t row = 0; row < outer * count; ++row) {
      const size_t r = static_cast<size_t>(row);
      for (int64_t i = 0; i < inner; ++i)
        f(row * inner + i, (row / count * size + begin[r]) * inner + i, end[r] - begin[r]);
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
  const Tensor data = dense_input(call.tensor(kSegmentReduce["data"]));
  const Segments segments(call, data, kSegmentReduce["lengths"], kSegmentReduce["offsets"],
                          call.integer(kSegmentReduce["axis"]), !call.boolean(kSegmentReduce["unsafe"]));
  const SegmentReduction how = *segment_reduction(call[kSegmentReduce["reduce"]].as_string());
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* x = reinterpret_cast<const T*>(data.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    const std::optional<C> first = initial<C>(call, kSegmentReduce["initial"]);
    segments.for_each([&](int64_t at, int64_t from, int64_t n) {
      C sum = first.value_or(neutral<C>(how));
      for (int64_t j = 0; j < n; ++j) sum = joined(how, sum, C(x[from + j * segments.inner]));
      if (how == SegmentReduction::Mean) {
        if (n == 0 && !first) sum = std::numeric_limits<C>::quiet_NaN();
        if (n > 0) sum /= static_cast<C>(n);
      }
      y[at] = T(sum);
    });
  });
  out.finish();
}

void run_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kSegmentReduceBackward;
  const Tensor data = dense_input(call.tensor(k["data"])), grad = dense_input(call.tensor(k["grad"])),
               output = dense_input(call.tensor(k["output"]));
  const Segments segments(call, data, k["lengths"], k["offsets"], call.integer(k["axis"]), false);
  const SegmentReduction how = *segment_reduction(call[k["reduce"]].as_string());
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const auto of = [](const Tensor& t) { return reinterpret_cast<const T*>(t.raw_data()); };
    const T *x = of(data), *g = of(grad), *y = of(output);
    T* dx = reinterpret_cast<T*>(out.tensor.raw_data());
    std::fill_n(dx, data.numel().as_int(), T(0));
    const C first = initial<C>(call, k["initial"]).value_or(C(1));
    segments.for_each([&](int64_t at, int64_t from, int64_t n) {
      const auto place = [&](int64_t j) { return from + j * segments.inner; };
      const C slope = C(g[at]);
      const auto is_extreme = [&](int64_t j) { return std::isnan(C(x[place(j)])) || C(x[place(j)]) == C(y[at]); };
      int64_t extremes = 0;
      for (int64_t j = 0; j < n; ++j) extremes += is_extreme(j);
      for (int64_t j = 0; j < n; ++j) {
        switch (how) {
          case SegmentReduction::Sum:
            dx[place(j)] = g[at];
            break;
          case SegmentReduction::Mean:
            dx[place(j)] = T(slope / static_cast<C>(n));
            break;
          case SegmentReduction::Max:
          case SegmentReduction::Min:
            if (is_extreme(j)) dx[place(j)] = T(slope / static_cast<C>(extremes));
            break;
          case SegmentReduction::Prod:
            if (const C v = C(x[place(j)]); v != 0 && !std::isnan(v)) {
              dx[place(j)] = T(slope * C(y[at]) / v);
              break;
            }
            C others = first;
            for (int64_t i = 0; i < n; ++i) {
              if (i != j) others *= C(x[place(i)]);
            }
            dx[place(j)] = T(slope * others);
        }
      }
    });
  });
  out.finish();
}

}  // namespace ersatz::op_segment_reduce
