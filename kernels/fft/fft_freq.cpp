#include "kernels/fft/fft_freq.h"

#include "kernels/creation/arange.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_fft_freq {
namespace {

template <bool half>
void rule(RuleCall& call) {
  const int64_t n = call.integer(kFreq["n"]);
  const Position options = kFreq["dtype"];
  const DType dtype = dtype_of_factory(call, options, call.context.default_dtype);
  call.require(is_float(dtype) || is_complex(dtype), "C2", "expects a floating dtype: got {}", name(dtype));
  const SymInt count = half ? n / 2 + 1 : n;
  // fft_rfftfreq: an `out` with that number of elements keeps its shape.
  if (half) {
    answer_vector(call, options, dtype, call.device, count);
  } else {
    answer_sized(call, options, dtype, call.device, {&count, 1}, SharedElements::Refused);
  }
  call.require_dtype(dtype, kFloats);
}

template <bool half>
void run(KernelCall& call) {
  const int64_t n = call.integer(kFreq["n"]);
  const Tensor& out = call.outputs[0];
  const Tensor k = ops::arange(Scalar(half ? n / 2 + 1 : n), {.dtype = out.dtype(), .device = out.device()});
  if (!half) {
    const Tensor negative = ops::slice(k, 0, SymInt((n + 1) / 2));
    ops::copy_(negative, ops::add(negative, Scalar(-n)));
  }
  ops::copy_(out,
             ops::reshape(ops::mul(k, Scalar(1.0 / (static_cast<double>(n) * call.real(kFreq["d"])))), out.sizes()));
}

void add(Registry& r, const char* name, Rule rule, FillKernel kernel) {
  OpEntry& op = r.add(kFreq.with(name))
                    .tag(Tag::Factory)
                    .with_rule(rule)
                    .every_device(kernel)
                    .sample("5, 0.5")
                    .sample("4, dtype=f64")
                    .refuses("C1", "-4")
                    .refuses("C2", "4, dtype=i64");
  r.add_out_alike(op, "out").sample("5, 0.5, out=f32[0]");
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "fft_fftfreq", rule<false>, run<false>);
  add(r, "fft_rfftfreq", rule<true>, run<true>);
}

}  // namespace ersatz::op_fft_freq
