// Gradients of upsampling on CUDA. One thread computes one input element: it sums the element's shares in the outputs
// that read it. Along each dim these outputs are adjacent, because taps are in ascending order. A first kernel finds
// the first and the last of these outputs in the table of taps.
#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/resize/device_taps.h"
#include "kernels/resize/upsample_backward.h"
#include "kernels/resize/upsample_taps.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_upsample_backward {
namespace {

/// The outputs [begin, end) of a dim.
struct OutputSpan {
  int64_t begin, end;
};

/// The outputs that read each input. Input i of dim d is a tap of the outputs in spans[start[d] + i].
struct OutputTable {
  OutputSpan* spans;
  int64_t start[4] = {};
};

template <class Acc>
struct FindOutputs {
  TapTable<Acc> taps;
  OutputTable outputs;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int d = i < outputs.start[1] ? 0 : i < outputs.start[2] ? 1 : 2;
    const int64_t input = i - outputs.start[d];
    const TapSpan* const rows = taps.rows + taps.start[d];
    const int64_t n = taps.start[d + 1] - taps.start[d];
    // Finds the first output whose taps reach `input`, and the first whose taps begin after it.
    OutputSpan span{0, n};
    for (int64_t end = n; span.begin < end;) {
      const int64_t middle = (span.begin + end) / 2;
      rows[middle].first + rows[middle].count > input ? end = middle : span.begin = middle + 1;
    }
    for (int64_t begin = span.begin; begin < span.end;) {
      const int64_t middle = (begin + span.end) / 2;
      rows[middle].first > input ? span.end = middle : begin = middle + 1;
    }
    outputs.spans[i] = span;
  }
};

template <class T, class Acc>
struct SumOutputs {
  ImageOrder order;
  ImageShape in, out;  ///< shapes of the gradients of input and output
  T* to;
  const T* from;
  TapTable<Acc> taps;
  OutputTable outputs;

  /// Returns the weight of `input` in output o of dim d.
  ERSATZ_DEVICE Acc weight(int d, int64_t o, int64_t input) const {
    const int64_t row = taps.start[d] + o;
    return taps.weights_of(row)[input - taps.rows[row].first];
  }
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const ImagePoint p = order.point(i);
    const OutputSpan depth = outputs.spans[outputs.start[0] + p.at[2]],
                     height = outputs.spans[outputs.start[1] + p.at[3]],
                     width = outputs.spans[outputs.start[2] + p.at[4]];
    const T* const plane = from + out.plane(p);
    Acc sum = 0;
    ERSATZ_ROLLED
    for (int64_t s = depth.begin; s < depth.end; ++s) {
      Acc slice = 0;
      ERSATZ_ROLLED
      for (int64_t l = height.begin; l < height.end; ++l) {
        const T* const line = plane + s * out.stride[2] + l * out.stride[3];
        Acc row = 0;
        ERSATZ_ROLLED
        for (int64_t k = width.begin; k < width.end; ++k) row += weight(2, k, p.at[4]) * Acc(line[k * out.stride[4]]);
        slice += weight(1, l, p.at[3]) * row;
      }
      sum += weight(0, s, p.at[2]) * slice;
    }
    to[in.offset(p)] = convert_value<T>(sum);
  }
};

template <class T>
void sum_outputs(KernelCall& call, Interpolation mode, const Tensor& grad) {
  using Acc = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Tensor& out = call.outputs[0];
  const int device = out.device().index, spatial = static_cast<int>(out.dim()) - 2;
  TapRule<Acc> rules[3];
  OutputTable outputs{};
  for (int d = 0; d < 3; ++d) {
    rules[d] = tap_rule<Acc>(call, mode, d, as_ints(out.sizes()), as_ints(grad.sizes()), kPlain["input_size"] + 1);
    outputs.start[d + 1] = outputs.start[d] + rules[d].in;
  }
  const DeviceTaps<Acc> taps(device, rules);
  const cuda_module::DeviceScratch spans(device, outputs.start[3] * int64_t(sizeof(OutputSpan)));
  outputs.spans = spans.as<OutputSpan>();
  cuda_module::launch_each(device, outputs.start[3], FindOutputs<Acc>{taps.table, outputs});
  const ImageShape to(out, spatial);
  const ImageOrder order(to);
  cuda_module::launch_each(
      device, order.count(),
      SumOutputs<T, Acc>{order, to, ImageShape(grad, spatial), reinterpret_cast<T*>(out.raw_data()),
                         reinterpret_cast<const T*>(grad.raw_data()), taps.table, outputs});
}

template <Interpolation mode>
void run_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor grad = plain_input(call.tensor(kPlain["grad_output"]));
  dispatch_dtype<kFloats | DTypeSet{DType::U8}>(grad.dtype(), [&]<class T>() { sum_outputs<T>(call, mode, grad); });
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.upsample_nearest1d_backward.default", "aten.upsample_nearest2d_backward.default",
                           "aten.upsample_nearest3d_backward.default"}) {
    cuda_module::attach(registry, name, run_cuda<Interpolation::Nearest>);
  }
  for (const char* name :
       {"aten._upsample_nearest_exact1d_backward.default", "aten._upsample_nearest_exact2d_backward.default",
        "aten._upsample_nearest_exact3d_backward.default"}) {
    cuda_module::attach(registry, name, run_cuda<Interpolation::NearestExact>);
  }
  for (const char* name : {"aten.upsample_linear1d_backward.default", "aten.upsample_bilinear2d_backward.default",
                           "aten.upsample_trilinear3d_backward.default"}) {
    cuda_module::attach(registry, name, run_cuda<Interpolation::Linear>);
  }
  cuda_module::attach(registry, "aten.upsample_bicubic2d_backward.default", run_cuda<Interpolation::Cubic>);
  cuda_module::attach(registry, "aten._upsample_bilinear2d_aa_backward.default",
                      run_cuda<Interpolation::AntialiasedLinear>);
  cuda_module::attach(registry, "aten._upsample_bicubic2d_aa_backward.default",
                      run_cuda<Interpolation::AntialiasedCubic>);
}

}  // namespace ersatz::op_upsample_backward
