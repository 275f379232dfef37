#include "kernels/dense_operand.h"
#include "kernels/resize/upsample_backward.h"
#include "kernels/resize/upsample_taps.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_upsample_backward {
namespace {

/// For one plane, adds each element of `grad`, times the weights of its taps, to the elements of `sums` at the indices
/// of these taps.
template <class T, class Acc>
void spread(const DimTaps (&taps)[3], const int64_t (&in)[3], const T* grad, Acc* sums) {
  for (int64_t i = 0; i < taps[0].outputs(); ++i) {
    for (int64_t j = 0; j < taps[1].outputs(); ++j) {
      for (int64_t k = 0; k < taps[2].outputs(); ++k) {
        const Acc g = Acc(*grad++);
        for (const Tap& a : taps[0].of(i)) {
          for (const Tap& b : taps[1].of(j)) {
            Acc* const row = sums + (a.index * in[1] + b.index) * in[2];
            for (const Tap& c : taps[2].of(k)) row[c.index] += Acc(a.weight * b.weight * c.weight) * g;
          }
        }
      }
    }
  }
}

template <Interpolation kMode>
void run(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor grad = dense_input(call.tensor(kPlain["grad_output"]));
  DenseOutput out(call.outputs[0]);
  const auto from = as_ints(out.tensor.sizes()), to = as_ints(grad.sizes());
  DimTaps taps[3];
  int64_t in[3] = {1, 1, 1};
  for (int d = 0; d < 3; ++d) {
    const size_t settings = kPlain["input_size"] + 1;
    grad.dtype() == DType::F64 ? taps[d].add(tap_rule<double>(call, kMode, d, from, to, settings))
                               : taps[d].add(tap_rule<float>(call, kMode, d, from, to, settings));
    if (const int missing = 5 - static_cast<int>(from.size()); d >= missing) in[d] = from[size_t(d - missing) + 2];
  }
  const int64_t points = in[0] * in[1] * in[2], planes = from[0] * from[1],
                outputs = taps[0].outputs() * taps[1].outputs() * taps[2].outputs();
  dispatch_dtype<kFloats | DTypeSet{DType::U8}>(grad.dtype(), [&]<class T>() {
    using Acc = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const T* g = reinterpret_cast<const T*>(grad.raw_data());
    T* x = reinterpret_cast<T*>(out.tensor.raw_data());
    parallel_for(planes, 1 + (1 << 12) / (points + outputs), [&](int64_t begin, int64_t end) {
      std::vector<Acc> sums(static_cast<size_t>(points));
      for (int64_t plane = begin; plane < end; ++plane) {
        std::fill(sums.begin(), sums.end(), Acc(0));
        spread(taps, in, g + plane * outputs, sums.data());
        for (int64_t at = 0; at < points; ++at) x[plane * points + at] = T(sums[static_cast<size_t>(at)]);
      }
    });
  });
  out.finish();
}

}  // namespace

void run_nearest_cpu(KernelCall& call) { run<Interpolation::Nearest>(call); }
void run_nearest_exact_cpu(KernelCall& call) { run<Interpolation::NearestExact>(call); }
void run_linear_cpu(KernelCall& call) { run<Interpolation::Linear>(call); }
void run_cubic_cpu(KernelCall& call) { run<Interpolation::Cubic>(call); }
void run_antialiased_linear_cpu(KernelCall& call) { run<Interpolation::AntialiasedLinear>(call); }
void run_antialiased_cubic_cpu(KernelCall& call) { run<Interpolation::AntialiasedCubic>(call); }
void run_antialiased_lanczos_cpu(KernelCall& call) { run<Interpolation::AntialiasedLanczos>(call); }

}  // namespace ersatz::op_upsample_backward
