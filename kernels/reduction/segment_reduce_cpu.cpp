#include "kernels/creation/full.h"
#include "kernels/reduction/segment_math.h"
#include "runtime/base/context.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_segment_reduce {

Kernel run_cpu, run_backward_cpu;
Tensor count_slopes(std::span<const Value> args);

namespace {

/// The begin and the end of each segment, both as [rows, count].
struct Segments {
  std::vector<int64_t> begin, end;

  explicit Segments(const GivenSegments& given) {
    const Tensor& t = given.numbers;
    const int64_t row = t.sizes()[given.dim].as_int(), n = t.numel().as_int();
    const auto number = [&](int64_t i) {
      return t.dtype() == DType::I32 ? int64_t{t.data<int32_t>()[i]} : t.data<int64_t>()[i];
    };
    for (int64_t first = 0; first < n; first += row) {
      uint64_t at = 0;  // unsigned, so that a sum of any lengths may wrap around
      for (int64_t s = first; s < first + given.count; ++s) {
        begin.push_back(given.by_offsets ? number(s) : static_cast<int64_t>(at));
        at += static_cast<uint64_t>(number(s));
        end.push_back(given.by_offsets ? number(s + 1) : static_cast<int64_t>(at));
      }
    }
  }
};

void check(const KernelCall& call, const Segments& segments, const GivenSegments& given, const SegmentPlaces& places,
           bool whole) {
  for (int64_t i = 0; i < looked_at(given, places, whole); ++i) {
    const int64_t from = segments.begin[static_cast<size_t>(i)], to = segments.end[static_cast<size_t>(i)],
                  s = i % places.count, size = places.data.size;
    if (places.is_outside(i, from, to))
      fail_on_value(call, ErrorFamily::Runtime, "segment {} is [{}, {}) of a dim of size {}", s, from, to, size);
    if (whole && s + 1 == places.count && to != size)
      fail_on_value(call, ErrorFamily::Runtime, "{}", sum_words(to, size));
  }
}
void check_slopes(const KernelCall& call, const Segments& segments, const SegmentPlaces& places) {
  static constexpr auto& k = kSegmentReduceBackward;
  for (int64_t i = 0; i < places.segments(); ++i) {
    const int64_t from = segments.begin[static_cast<size_t>(i)], to = segments.end[static_cast<size_t>(i)];
    if (places.is_outside(i, from, to))
      fail_on_value(call, ErrorFamily::Runtime, "segment {}, [{}, {}), is none of data {}, grad {} and output {}",
                    i % places.count, from, to, call.tensor(k["data"]).meta(), call.tensor(k["grad"]).meta(),
                    call.tensor(k["output"]).meta());
  }
}

}  // namespace

std::string sum_words(int64_t sum, int64_t size) {
  return fmt::format("lengths add up to {}, the dim has size {}", sum, size);
}

void require_segments(const KernelCall& call, const GivenSegments& given, const SegmentPlaces& places, bool whole) {
  check(call, Segments(given), given, places, whole);
}
void require_slopes(const KernelCall& call, const GivenSegments& given, const SegmentPlaces& places) {
  check_slopes(call, Segments(given), places);
}

void run_cpu(KernelCall& call) {
  static constexpr auto& k = kSegmentReduce;
  const Tensor data = dense_input(call.tensor(k["data"]));
  const GivenSegments given(call, k["lengths"], k["offsets"]);
  const Segments segments(given);
  DenseOutput out(call.outputs[0]);
  const SegmentPlaces places = reduced_places(given, data, out.tensor);
  check(call, segments, given, places, is_whole(call, given));
  const SegmentReduction how = *segment_reduction(call[k["reduce"]].as_string());
  const bool has_initial = call.has(k["initial"]);
  const double initial = has_initial ? call.real(k["initial"]) : neutral<double>(how);
  dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const T* x = reinterpret_cast<const T*>(data.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    const int64_t inner = places.data.inner;
    for (int64_t s = 0; s < places.segments(); ++s) {
      const int64_t begin = segments.begin[static_cast<size_t>(s)], n = segments.end[static_cast<size_t>(s)] - begin;
      const int64_t from = places.element(s, begin), to = places.result(s);
      for (int64_t i = 0; i < inner; ++i) {
        C sum = static_cast<C>(initial);
        for (int64_t j = 0; j < n; ++j) sum = joined(how, sum, C(x[from + j * inner + i]));
        y[to + i] = T(finished(how, sum, n, has_initial));
      }
    }
  });
  out.finish();
}

void run_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kSegmentReduceBackward;
  const Tensor data = dense_input(call.tensor(k["data"])), grad = dense_input(call.tensor(k["grad"])),
               output = dense_input(call.tensor(k["output"]));
  const GivenSegments given(call, k["lengths"], k["offsets"]);
  const Segments segments(given);
  const SegmentPlaces places = backward_places(given, data, grad, output);
  check_slopes(call, segments, places);
  const SegmentReduction how = *segment_reduction(call[k["reduce"]].as_string());
  const double initial = call.has(k["initial"]) ? call.real(k["initial"]) : 1;
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
    using C = Compute_t<T>;
    const auto of = [](const Tensor& t) { return reinterpret_cast<const T*>(t.raw_data()); };
    T* dx = reinterpret_cast<T*>(out.tensor.raw_data());
    std::fill_n(dx, places.data.numel, T(0));
    for (int64_t s = 0; s < places.segments(); ++s) {
      const int64_t begin = segments.begin[static_cast<size_t>(s)], n = segments.end[static_cast<size_t>(s)] - begin;
      if (n <= 0) continue;
      for (int64_t i = 0; i < places.results.inner; ++i) {
        const int64_t from = places.element(s, begin) + i, to = places.result(s) + i;
        const SegmentSlope<T> slope{
            how, of(data) + from, n, places.data.inner, C(of(output)[to]), C(of(grad)[to]), static_cast<C>(initial)};
        int64_t extremes = 0;
        for (int64_t j = 0; slope.of_extremes() && j < n; ++j) extremes += slope.is_extreme(j);
        for (int64_t j = 0; j < n; ++j) slope.give(j, extremes, dx + from);
      }
    }
  });
  out.finish();
}

/// Returns for each element of data the number of segments that it is in.
Tensor count_slopes(std::span<const Value> args) {
  static constexpr auto& k = kSegmentReduceBackward;
  const KernelCall call{op_entry<"aten._segment_reduce_backward.default">(), args, {}, rule_context()};
  const GivenSegments given(call, k["lengths"], k["offsets"]);
  const Segments segments(given);
  const SegmentPlaces places =
      backward_places(given, call.tensor(k["data"]), call.tensor(k["grad"]), call.tensor(k["output"]));
  const Tensor counts = ops::zeros(call.tensor(k["data"]).sizes(), {DType::F32, kCPU});
  float* count = counts.data<float>();
  for (int64_t s = 0; s < places.segments(); ++s) {
    const int64_t begin = segments.begin[static_cast<size_t>(s)], end = segments.end[static_cast<size_t>(s)];
    for (int64_t at = begin; at < end; ++at) {
      for (int64_t i = 0; i < places.results.inner; ++i) ++count[places.element(s, at) + i];
    }
  }
  return counts;
}

}  // namespace ersatz::op_segment_reduce
