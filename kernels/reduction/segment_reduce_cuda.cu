// Reductions of segments on CUDA, by a team of threads for each result. If segments are long and their elements
// adjacent, the team is a warp or a block. The order of folding depends only on the segment and on sizes.
#include "kernels/device_check.h"
#include "kernels/indexing/device_index.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/segment_math.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/block.h"

namespace ersatz::op_segment_reduce {
namespace {

using cuda_module::Block;

struct DeviceSegments {
  const int64_t* lengths;  ///< [rows, count]; null if offsets are given
  const int64_t* ends;     ///< running sums of the lengths, [rows, count], or the offsets, [rows, count + 1]
  SegmentPlaces places;

  ERSATZ_DEVICE void read(int64_t segment, int64_t& from, int64_t& to) const {
    if (lengths) {
      to = ends[segment];
      from = to - lengths[segment];
    } else {
      const int64_t at = segment + segment / places.count;
      from = ends[at];
      to = ends[at + 1];
    }
  }
  /// Sets `first` to the place of the segment's first element, and `n` to the segment's number of elements. Both are 0
  /// if the segment is empty or out of bounds.
  ERSATZ_DEVICE void find(int64_t segment, int64_t& first, int64_t& n) const {
    int64_t from, to;
    read(segment, from, to);
    const bool none = places.is_outside(segment, from, to) || to <= from;
    n = none ? 0 : to - from;
    first = none ? 0 : places.element(segment, from);
  }
};

/// Checks one segment. For a wrong segment it sets `flag`. If `flag` is null, it records the failure in the note
/// `outside` or `sum` instead.
struct LookAtSegments {
  DeviceSegments segments;
  bool whole;
  uint32_t* flag;
  cuda_module::FailureNote outside, sum;
  ERSATZ_DEVICE void operator()(int64_t segment) const {
    int64_t from, to;
    segments.read(segment, from, to);
    const int64_t s = segment % segments.places.count;
    const bool bad = segments.places.is_outside(segment, from, to);
    const bool short_of = whole && s + 1 == segments.places.count && to != segments.places.data.size;
    if (!bad && !short_of) return;
    if (flag) return cuda_module::atomic_or(flag, 1);
    (bad ? outside : sum).take(static_cast<uint64_t>(to), static_cast<uint64_t>(s));
  }
};

/// Teams of 2^shift threads; each team computes one result.
struct Teams {
  DeviceSegments segments;
  int64_t results;
  int shift;

  struct Place {
    int64_t result, first, n;  ///< `first` is an index in data; the segment's elements are at distance data.inner
    int member;
    bool works;
  };
  ERSATZ_DEVICE int width() const { return 1 << shift; }
  ERSATZ_DEVICE int64_t step() const { return segments.places.data.inner; }
  ERSATZ_DEVICE Place place(const Block& block) const {
    Place p{};
    const int64_t i = (block.index() * block.threads() + block.thread()) >> shift,
                  inner = segments.places.results.inner;
    p.member = block.thread() & (width() - 1);
    p.works = i < results;
    if (!p.works) return p;
    const int64_t segment = i / inner, column = i - segment * inner;
    segments.find(segment, p.first, p.n);
    p.first += column;
    p.result = segments.places.result(segment) + column;
    return p;
  }
};

template <class C>
struct Joined {
  SegmentReduction how;
  ERSATZ_DEVICE C operator()(C a, C b) const { return joined(how, a, b); }
};
struct Sum {
  ERSATZ_DEVICE int64_t operator()(int64_t a, int64_t b) const { return a + b; }
};

template <class T>
struct ReduceSegments {
  using C = Compute_t<T>;
  static constexpr int kMostThreads = 256;
  Teams teams;
  SegmentReduction how;
  bool has_initial;
  C initial;
  const T* x;
  T* y;

  ERSATZ_DEVICE void operator()(const Block& block) const {
    const Teams::Place p = teams.place(block);
    const int width = teams.width();
    C sum = neutral<C>(how);
    ERSATZ_ROLLED
    for (int64_t j = p.member; j < p.n; j += width) sum = joined(how, sum, C(x[p.first + j * teams.step()]));
    if (width > 1) sum = block.reduce(sum, Joined<C>{how}, width);
    if (!p.works || p.member != 0) return;
    y[p.result] = T(finished(how, has_initial ? joined(how, initial, sum) : sum, p.n, has_initial));
  }
};

template <class T>
struct SlopesOfSegments {
  using C = Compute_t<T>;
  static constexpr int kMostThreads = 256, kFewestBlocks = 2;
  Teams teams;
  SegmentReduction how;
  C initial;
  const T *x, *result, *grad;
  T* dx;

  ERSATZ_DEVICE void operator()(const Block& block) const {
    const Teams::Place p = teams.place(block);
    const int width = teams.width();
    SegmentSlope<T> slope{how, x + p.first, p.n, teams.step(), C(0), C(0), initial};
    if (p.n > 0) {
      slope.result = C(result[p.result]);
      slope.grad = C(grad[p.result]);
    }
    int64_t extremes = 0;
    if (slope.of_extremes()) {
      ERSATZ_ROLLED
      for (int64_t j = p.member; j < p.n; j += width) extremes += slope.is_extreme(j);
      if (width > 1) extremes = block.reduce(extremes, Sum(), width);
    }
    ERSATZ_ROLLED
    for (int64_t j = p.member; j < p.n; j += width) slope.give(j, extremes, dx + p.first);
  }
};

std::string noted_segment_words(const cuda_module::NotedValue& v) {
  return fmt::format("segment {} ends at {}: before it begins, or outside of a dim of size {}", v.position,
                     static_cast<int64_t>(v.value), v.size);
}
std::string noted_sum_words(const cuda_module::NotedValue& v) {
  return sum_words(static_cast<int64_t>(v.value), v.size);
}

std::string noted_slope_words(const cuda_module::NotedValue& v) {
  return fmt::format("segment {}, which ends at {}, is none of data, grad and output", v.position,
                     static_cast<int64_t>(v.value));
}

/// The segments of a call on the device, and the tensors that store them.
struct Found {
  Tensor lengths, ends;
  DeviceSegments segments;

  Found(const GivenSegments& given, const SegmentPlaces& places)
      : ends(device_index::dense_as(given.numbers, DType::I64)), segments{nullptr, nullptr, places} {
    if (!given.by_offsets) {
      lengths = ends;
      ends = ops::cumsum(lengths, -1);
      segments.lengths = reinterpret_cast<const int64_t*>(lengths.raw_data());
    }
    segments.ends = reinterpret_cast<const int64_t*>(ends.raw_data());
  }
  /// Checks the segments. If failures of calls are raised at once and not later, calls `refuse` with the segments on
  /// the host, which raises the error.
  template <class Refuse>
  void look(GivenSegments given, bool whole, std::string (*words)(const cuda_module::NotedValue&), Refuse&& refuse) {
    const int device = ends.device().index;
    const auto launch = [&](uint32_t* flag, const cuda_module::FailureNote& outside,
                            const cuda_module::FailureNote& sum) {
      cuda_module::launch_each(device, looked_at(given, segments.places, whole),
                               LookAtSegments{segments, whole, flag, outside, sum});
    };
    const auto worded = [&](auto* of) {
      return cuda_module::FailureWords{.words = of, .size = segments.places.data.size, .item = 1};
    };
    const cuda_module::FailureNote outside = checked_or_noted(
        device, worded(words), [&](uint32_t* flag) { launch(flag, {}, {}); },
        [&] {
          given.numbers = device_index::moved_to(kCPU, given.numbers);
          refuse(given);
        });
    if (outside) launch(nullptr, outside, whole ? cuda_module::note_for(device, worded(noted_sum_words)) : outside);
  }
};

/// Calls f(teams, blocks, threads), with a team size that fits the mean length of the segments.
template <class F>
void launch_teams(const DeviceSegments& segments, F&& f) {
  const SegmentPlaces& places = segments.places;
  const int64_t mean = places.data.size / places.count;
  Teams teams{segments, places.segments() * places.results.inner, 0};
  if (places.results.inner < Block::kWarp && mean > 8) teams.shift = mean > 1024 ? 8 : 5;
  constexpr int kThreads = 256;
  const int64_t each = kThreads >> teams.shift;
  f(teams, (teams.results + each - 1) / each, kThreads);
}

void run_cuda(KernelCall& call) {
  static constexpr auto& k = kSegmentReduce;
  const Tensor data = dense_input(call.tensor(k["data"]));
  const GivenSegments given(call, k["lengths"], k["offsets"]);
  DenseOutput out(call.outputs[0]);
  const SegmentPlaces places = reduced_places(given, data, out.tensor);
  const bool whole = is_whole(call, given);
  if (looked_at(given, places, whole) == 0) return;
  Found found(given, places);
  found.look(given, whole, noted_segment_words,
             [&](const GivenSegments& here) { require_segments(call, here, places, whole); });
  const SegmentReduction how = *segment_reduction(call[k["reduce"]].as_string());
  const bool has_initial = call.has(k["initial"]);
  const double initial = has_initial ? call.real(k["initial"]) : 0;
  const int device = data.device().index;
  dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
    launch_teams(found.segments, [&](const Teams& teams, int64_t blocks, int threads) {
      cuda_module::launch_blocks(
          device, blocks, threads, 0,
          ReduceSegments<T>{teams, how, has_initial, static_cast<Compute_t<T>>(initial),
                            reinterpret_cast<const T*>(data.raw_data()), reinterpret_cast<T*>(out.tensor.raw_data())});
    });
  });
  out.finish();
}

void run_backward_cuda(KernelCall& call) {
  static constexpr auto& k = kSegmentReduceBackward;
  const Tensor data = dense_input(call.tensor(k["data"])), grad = dense_input(call.tensor(k["grad"])),
               output = dense_input(call.tensor(k["output"]));
  const GivenSegments given(call, k["lengths"], k["offsets"]);
  const SegmentPlaces places = backward_places(given, data, grad, output);
  const SegmentReduction how = *segment_reduction(call[k["reduce"]].as_string());
  const double initial = call.has(k["initial"]) ? call.real(k["initial"]) : 1;
  DenseOutput out(call.outputs[0]);
  const int device = data.device().index;
  if (const int64_t bytes = data.numel().as_int() * item_size(data.dtype()); bytes > 0)
    ERSATZ_CHECK_CUDA(cuda_module::set(out.tensor.raw_data(), 0, bytes, device));  // elements in no segment get 0
  if (places.segments() > 0) {
    Found found(given, places);
    found.look(given, false, noted_slope_words, [&](const GivenSegments& here) { require_slopes(call, here, places); });
    dispatch_dtype<kFloats>(data.dtype(), [&]<class T>() {
      const auto of = [](const Tensor& t) { return reinterpret_cast<const T*>(t.raw_data()); };
      launch_teams(found.segments, [&](const Teams& teams, int64_t blocks, int threads) {
        cuda_module::launch_blocks(
            device, blocks, threads, 0,
            SlopesOfSegments<T>{teams, how, static_cast<Compute_t<T>>(initial), of(data), of(output), of(grad),
                                reinterpret_cast<T*>(out.tensor.raw_data())});
      });
    });
  }
  out.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.segment_reduce.default", run_cuda);
  cuda_module::attach(registry, "aten._segment_reduce_backward.default", run_backward_cuda);
}

}  // namespace ersatz::op_segment_reduce
