#include "kernels/conv/conv_problem.h"
#include "kernels/conv/convolution.h"

#include "runtime/op/kernel.h"

namespace ersatz {
namespace {

/// Copies the sizes or strides of `spatial` dims to the last of three dims. The leading dims get the value `missing`.
void spread(std::span<const int64_t> from, int spatial, int64_t* to, int64_t missing) {
  for (int d = 0; d < 3; ++d) to[d] = d < 3 - spatial ? missing : from[size_t(d - (3 - spatial))];
}

void spread_param(std::span<const int64_t> v, int spatial, int64_t* to, int64_t missing) {
  for (int d = 0; d < 3; ++d) {
    to[d] = d < 3 - spatial ? missing : v[v.size() == 1 ? 0 : size_t(d - (3 - spatial))];
  }
}

void spread_strides(const Tensor& t, int spatial, int64_t* to) {
  const auto strides = as_ints(t.strides());
  to[0] = strides[0];
  to[1] = strides[1];
  spread(strides.subspan(2), spatial, to + 2, 0);
}

}  // namespace

ConvProblem conv_problem(const Tensor& in, const Tensor& weight, const Tensor& out, const WindowSteps& steps,
                         int64_t groups) {
  const int spatial = int(weight.dim()) - 2;
  ConvProblem p;
  p.dtype = in.dtype();
  p.transposed = p.weight_gradient = false;
  p.spatial = spatial;
  p.groups = groups;
  p.images = out.sizes()[0].as_int();
  p.in_channels = in.sizes()[1].as_int();
  p.out_channels = out.sizes()[1].as_int();
  spread(as_ints(in.sizes()).subspan(2), spatial, p.in, 1);
  spread(as_ints(out.sizes()).subspan(2), spatial, p.out, 1);
  spread(as_ints(weight.sizes()).subspan(2), spatial, p.kernel, 1);
  spread_param(steps.stride, spatial, p.stride, 1);
  spread_param(steps.padding, spatial, p.padding, 0);
  spread_param(steps.dilation, spatial, p.dilation, 1);
  spread_strides(in, spatial, p.input_strides);
  spread_strides(weight, spatial, p.weight_strides);
  spread_strides(out, spatial, p.output_strides);
  p.input = in.raw_data();
  p.weight = weight.raw_data();
  p.bias = nullptr;
  p.bias_stride = 0;
  p.output = out.raw_data();
  return p;
}

ConvProblem conv_problem(const KernelCall& call, const Tensor& in, const Tensor& weight, const Tensor& bias,
                         const Tensor& out) {
  static constexpr auto& k = op_convolution::kConvolution;
  ConvProblem p =
      conv_problem(in, weight, out, {call.ints(k["stride"]), call.ints(k["padding"]), call.ints(k["dilation"])},
                   call.integer(k["groups"]));
  p.transposed = call.boolean(k["transposed"]);
  if (bias) {
    p.bias = bias.raw_data();
    p.bias_stride = bias.strides()[0].as_int();
  }
  return p;
}

}  // namespace ersatz
