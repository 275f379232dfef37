#include "kernels/dense_operand.h"
#include "kernels/resize/upsample.h"
#include "kernels/resize/upsample_taps.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_upsample {
namespace {

/// The taps of three spatial dims (missing leading dims have size 1), and the strides of [n, c, spatial...].
struct Plan {
  DimTaps taps[3];
  int64_t images, channels, out[3];
  int64_t in_strides[5], out_strides[5];
};

void spread(const Tensor& t, int64_t (&strides)[5]) {
  const auto from = as_ints(t.strides());
  const size_t spatial = from.size() - 2;
  strides[0] = from[0];
  strides[1] = from[1];
  for (size_t d = 0; d < 3; ++d) strides[2 + d] = d < 3 - spatial ? 0 : from[2 + d - (3 - spatial)];
}

Plan plan_of(const KernelCall& call, Interpolation mode, const Tensor& in, const Tensor& out) {
  Plan p;
  p.images = in.sizes()[0].as_int();
  p.channels = in.sizes()[1].as_int();
  spread(in, p.in_strides);
  spread(out, p.out_strides);
  for (int d = 0; d < 3; ++d) {
    in.dtype() == DType::F64 ? p.taps[d].add(tap_rule<double>(call, mode, d))
                             : p.taps[d].add(tap_rule<float>(call, mode, d));
    p.out[d] = p.taps[d].outputs();
  }
  return p;
}

template <class T, class Acc>
T rounded(Acc v) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    return T(std::clamp(std::nearbyint(v), Acc(0), Acc(255)));
  } else {
    return T(v);
  }
}

/// Computes one output point of one channel; `in` is the channel's first element.
template <class T, class Acc>
T interpolate(const Plan& p, const T* in, int64_t i, int64_t j, int64_t k) {
  const auto depth = p.taps[0].of(i), height = p.taps[1].of(j), width = p.taps[2].of(k);
  Acc sum = 0;
  for (const Tap& a : depth) {
    Acc plane = 0;
    for (const Tap& b : height) {
      const T* line = in + a.index * p.in_strides[2] + b.index * p.in_strides[3];
      Acc row = 0;
      for (const Tap& c : width) row += Acc(c.weight) * Acc(line[c.index * p.in_strides[4]]);
      plane += Acc(b.weight) * row;
    }
    sum += Acc(a.weight) * plane;
  }
  return rounded<T>(sum);
}

template <class T, bool kCopies>
void run_plan(const Plan& p, const T* in, T* out) {
  using Acc = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const int64_t* s = p.out_strides;
  auto point = [&](int64_t n, int64_t c, int64_t i, int64_t j, int64_t k) {
    const T* from = in + n * p.in_strides[0] + c * p.in_strides[1];
    T& to = out[n * s[0] + c * s[1] + i * s[2] + j * s[3] + k * s[4]];
    if constexpr (kCopies) {
      to = from[p.taps[0].taps[size_t(i)].index * p.in_strides[2] + p.taps[1].taps[size_t(j)].index * p.in_strides[3] +
                p.taps[2].taps[size_t(k)].index * p.in_strides[4]];
    } else {
      to = interpolate<T, Acc>(p, from, i, j, k);
    }
  };
  // If channels are innermost in memory, the innermost loop runs over channels.
  const bool channels_last = s[1] == 1 && p.channels > 1;
  const int64_t rows = p.images * p.out[0] * p.out[1] * (channels_last ? 1 : p.channels);
  parallel_for(rows, 1 + (1 << 12) / (p.out[2] * (channels_last ? p.channels : 1)), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t j = row % p.out[1], i = row / p.out[1] % p.out[0], plane = row / p.out[1] / p.out[0];
      if (channels_last) {
        for (int64_t k = 0; k < p.out[2]; ++k) {
          for (int64_t c = 0; c < p.channels; ++c) point(plane, c, i, j, k);
        }
      } else {
        for (int64_t k = 0; k < p.out[2]; ++k) point(plane / p.channels, plane % p.channels, i, j, k);
      }
    }
  });
}

template <Interpolation kMode>
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor in = call.tensor(kUpsample["self"]);
  const Plan p = plan_of(call, kMode, in, out);
  constexpr bool copies = kMode == Interpolation::Nearest || kMode == Interpolation::NearestExact;
  dispatch_dtype<kFloats | DTypeSet{DType::U8}>(in.dtype(), [&]<class T>() {
    run_plan<T, copies>(p, reinterpret_cast<const T*>(in.raw_data()), reinterpret_cast<T*>(out.raw_data()));
  });
}

}  // namespace

void run_nearest_cpu(KernelCall& call) { run<Interpolation::Nearest>(call); }
void run_nearest_exact_cpu(KernelCall& call) { run<Interpolation::NearestExact>(call); }
void run_linear_cpu(KernelCall& call) { run<Interpolation::Linear>(call); }
void run_cubic_cpu(KernelCall& call) { run<Interpolation::Cubic>(call); }
void run_antialiased_linear_cpu(KernelCall& call) { run<Interpolation::AntialiasedLinear>(call); }
void run_antialiased_cubic_cpu(KernelCall& call) { run<Interpolation::AntialiasedCubic>(call); }
void run_antialiased_lanczos_cpu(KernelCall& call) { run<Interpolation::AntialiasedLanczos>(call); }

}  // namespace ersatz::op_upsample
