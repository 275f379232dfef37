#include "kernels/conv/older_convolutions.h"

#include "kernels/conv/attributes.h"
#include "kernels/conv/convolution_backward.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_older_convolutions {
namespace {

using op_convolution::Attributes;
using op_convolution::convolve;

/// Calls `convolution` with the leading arguments of the call, which have the order of convolution's schema.
void convolution(CompositeCall& call) {
  Values results;
  dispatch(op_entry<"aten.convolution.default">(), call.args.first(op_convolution::kConvolution.count()), results);
  call.returns(std::move(results[0]));
}
void convolution_mode(CompositeCall& call) {
  constexpr Schema k = kMode;
  const TensorMeta &in = call.meta(k["input"]), &weight = call.meta(k["weight"]);
  call.require(in.dim() == weight.dim() && weight.dim() >= 3 && weight.dim() <= 5, "C2",
               "input must be a batch with the rank of the weight: they are {} and {}", in, weight);
  Values results;
  dispatch(op_named(fmt::format("aten.conv{}d.padding", weight.dim() - 2)), call.args, results);
  call.returns(std::move(results[0]));
}

DimVec zeros(size_t n) { return DimVec(n, SymInt(0)); }

template <const Schema& k>
Tensor cudnn_convolve(const CompositeCall& call, const Tensor& bias) {
  const std::span<const SymInt> stride = call.ints(k["stride"]);
  return convolve(call.tensor(k["self"]), call.tensor(k["weight"]), bias,
                  {.stride = DimVec(stride),
                   .padding = DimVec(call.ints(k["padding"])),
                   .dilation = DimVec(call.ints(k["dilation"])),
                   .output_padding = zeros(stride.size()),
                   .groups = call.sym(k["groups"])});
}
void cudnn(CompositeCall& call) { call.returns(cudnn_convolve<kCudnn>(call, Tensor())); }
void cudnn_out(CompositeCall& call) { write_result(call, cudnn_convolve<kCudnn>(call, Tensor()), kCudnn.out()); }
void cudnn_transpose(CompositeCall& call) {
  constexpr Schema k = kCudnnTranspose;
  call.returns(convolve(call.tensor(k["self"]), call.tensor(k["weight"]), Tensor(),
                        {.stride = DimVec(call.ints(k["stride"])),
                         .padding = DimVec(call.ints(k["padding"])),
                         .dilation = DimVec(call.ints(k["dilation"])),
                         .output_padding = DimVec(call.ints(k["output_padding"])),
                         .transposed = true,
                         .groups = call.sym(k["groups"])}));
}
void cudnn_relu(CompositeCall& call) {
  call.returns(ops::relu(cudnn_convolve<kCudnnRelu>(call, call.tensor(kCudnnRelu["bias"]))));
}
void cudnn_add_relu(CompositeCall& call) {
  constexpr Schema k = kCudnnAddRelu;
  const Tensor out = cudnn_convolve<kCudnnAddRelu>(call, call.tensor(k["bias"])), z = call.tensor(k["z"]);
  call.require(z.dim() == out.dim() && check_eq(z.sizes(), out.sizes()) && z.dtype() == out.dtype(), "C3",
               "z must be like the result: they are {} and {}", z.meta(), out.meta());
  call.returns(ops::relu(ops::add(out, z, call.has(k["alpha"]) ? call.scalar(k["alpha"]) : Scalar(1))));
}

/// The operands of an operator with a kernel_size argument. The function `operands` checks [op.C1] and [op.C2].
/// `single` is true if the input had no batch dim.
struct Operands {
  Tensor input, weight, bias;
  DimVec stride, padding;
  size_t spatial;
  bool single = false;
};
Operands operands(const CompositeCall& call, size_t spatial, bool one_image, bool flat_weight) {
  constexpr Schemas k = kWithKernel;
  const std::span<const SymInt> kernel = call.ints(k["kernel_size"]);
  Operands o{call.tensor(k["self"]),         call.tensor(k["weight"]),        call.tensor(k["bias"]),
             DimVec(call.ints(k["stride"])), DimVec(call.ints(k["padding"])), spatial};
  const auto rank = static_cast<int64_t>(spatial) + 2;
  call.require(kernel.size() == spatial, "C1", "kernel_size must have {} numbers: it is {}", spatial, kernel);
  o.single = one_image && o.input.dim() == rank - 1;
  call.require(o.input.dim() == rank || o.single, "C2", "input must have {} dims: it is {}", rank, o.input.meta());
  if (o.single) o.input = ops::unsqueeze(o.input, 0);
  if (flat_weight && o.weight.dim() == 2) {
    DimVec sizes{o.weight.sizes()[0], -1};
    for (const SymInt size : kernel) sizes.push_back(size);
    o.weight = ops::reshape(o.weight, sizes);
  }
  call.require(o.weight.dim() == rank && check_eq(o.weight.sizes().subspan(2), kernel), "C1",
               "kernel_size must be that of the weight: it is {}, weight is {}", kernel, o.weight.meta());
  return o;
}
void answer(CompositeCall& call, const Operands& o, const Tensor& result) {
  call.returns(o.single ? ops::squeeze(result, 0) : result);
}

template <size_t spatial>
Tensor slow(const CompositeCall& call) {
  Operands o = operands(call, spatial, false, true);
  if (spatial == 3) o.input = ops::contiguous(o.input), o.weight = ops::contiguous(o.weight);
  return convolve(o.input, o.weight, o.bias, {o.stride, o.padding, DimVec(spatial, SymInt(1)), zeros(spatial)});
}
template <size_t spatial>
void run_slow(CompositeCall& call) {
  call.returns(slow<spatial>(call));
}
template <size_t spatial>
void run_slow_out(CompositeCall& call) {
  write_result(call, slow<spatial>(call), Position(call.args.size() - 1));
}
template <size_t spatial, bool depthwise>
void dilated(CompositeCall& call) {
  const Operands o = operands(call, spatial, !depthwise, false);
  Attributes a{o.stride, o.padding, DimVec(call.ints(kWithDilation["dilation"])), zeros(spatial)};
  if (depthwise) a.groups = o.input.sizes()[1];
  answer(call, o, convolve(o.input, o.weight, o.bias, a));
}
template <size_t spatial>
void transposed(CompositeCall& call) {
  constexpr Schema k = kTransposed;
  Operands o = operands(call, spatial, true, false);
  if (spatial == 3) o.input = ops::contiguous(o.input), o.weight = ops::contiguous(o.weight);
  const Attributes a{o.stride, o.padding, DimVec(call.ints(k["dilation"])), DimVec(call.ints(k["output_padding"])),
                     true};
  const Tensor out = convolve(o.input, o.weight, o.bias, a);
  // Like in PyTorch, a transposed 2-d convolution of one image without batch dim returns a batch of size 1.
  call.returns(o.single && spatial == 3 ? ops::squeeze(out, 0) : out);
}

void slow_backward(const CompositeCall& call, std::span<const Value> mask, Values& results) {
  constexpr Schemas k = kSlowBackwards;
  const Tensor weight = call.tensor(k["weight"]);
  call.require(weight.dim() == 2 || weight.dim() == 4, "C1", "weight must have 2 or 4 dims: it is {}", weight.meta());
  const DimVec bias{weight.sizes()[0]};
  results = call_op_all<"aten.convolution_backward.default">(call[k["grad_output"]], call[k["self"]], weight, bias,
                                                             call[k["stride"]], call[k["padding"]],
                                                             DimVec(2, SymInt(1)), false, zeros(2), SymInt(1), mask);
}
void run_slow_backward(CompositeCall& call) {
  Values results;
  slow_backward(call, call.list(kSlowBackward["output_mask"]), results);
  for (Value& v : results) call.returns(std::move(v));
}
void run_slow_backward_out(CompositeCall& call) {
  Values results;
  const Value all[] = {true, true, true};
  slow_backward(call, all, results);
  for (size_t i = 0; i < results.size(); ++i)
    put_result(call, results[i].tensor(), Position(kSlowBackwardOut["grad_input"] + i));
}

}  // namespace

void register_ops(Registry& r) {
  const std::string image = "f32[2,3,5,5], f32[4,3,3,3], ", volume = "f32[1,2,4,4,4], f32[3,2,2,2,2], ";
  OpEntry& inner = r.add(kConvolution)
                       .with_composite(convolution)
                       .sample(image + "f32[4], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True, True");
  add_written_apart(r, inner, "out")
      .sample(image + "None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True, True, out=f32[0]");
  r.add(kDeprecated)
      .with_composite(convolution)
      .sample(image + "f32[4], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True");
  r.add(kMode)
      .with_composite(convolution_mode)
      .sample(image + "f32[4], [1, 1], \"same\", [1, 1], 1")
      .refuses("C2", "f32[3,5,5], f32[4,3,3,3], None, [1, 1], \"same\", [1, 1], 1");
  OpEntry& of_cudnn =
      r.add(kCudnn).with_composite(cudnn).sample(image + "[1, 1], [1, 1], [1, 1], 1, False, False, True");
  r.add_out_alike(of_cudnn, "out")
      .with_composite(cudnn_out)
      .sample(image + "[1, 1], [1, 1], [1, 1], 1, False, False, True, out=f32[0]");
  const auto with_out = [&](OpEntry& op, const std::string& sample) {
    add_written_apart(r, op.sample(sample), "out").sample(sample + ", out=f32[0]");
  };
  with_out(r.add(kCudnnTranspose).with_composite(cudnn_transpose),
           "f32[2,4,3,3], f32[4,3,3,3], [1, 1], [0, 0], [1, 1], [1, 1], 1, False, False, True");
  with_out(r.add(kCudnnRelu).with_composite(cudnn_relu), image + "f32[4], [1, 1], [1, 1], [1, 1], 1");
  OpEntry& added = r.add(kCudnnAddRelu).with_composite(cudnn_add_relu);
  with_out(added, image + "f32[2,4,5,5], 0.5, f32[4], [1, 1], [1, 1], [1, 1], 1");
  added.refuses("C3", image + "f32[2,4,5,4], 0.5, None, [1, 1], [1, 1], [1, 1], 1");

  const auto add_slow = [&](const char* name, const char* spatial, bool defaults, CompositeBody body, CompositeBody out,
                            const char* out_overload, const char* out_name, const std::string& sample) {
    const bool cube = *spatial == '3';
    OpEntry& op =
        r.add(defaults ? kSlow.with(name, spatial, cube ? "[1, 1, 1]" : "[1, 1]", cube ? "[0, 0, 0]" : "[0, 0]")
                       : kSlowInner.with(name, spatial))
            .with_composite(body)
            .sample(sample);
    r.add_out_alike(op, out_overload, {out_name})
        .with_composite(out)
        .sample(fmt::format("{}, {}=f32[0]", sample, out_name));
    return &op;
  };
  const std::string two = image + "[3, 3], f32[4], [1, 1], [1, 1]",
                    three = volume + "[2, 2, 2], f32[3], [1, 1, 1], [0, 0, 0]";
  add_slow("thnn_conv2d", "2", true, run_slow<2>, run_slow_out<2>, "out", "out", two)
      ->refuses("C1", image + "[2, 2]")
      .refuses("C2", "f32[3,5,5], f32[4,3,3,3], [3, 3]");
  add_slow("_slow_conv2d_forward", "2", false, run_slow<2>, run_slow_out<2>, "output", "output", two);
  add_slow("slow_conv3d", "3", true, run_slow<3>, run_slow_out<3>, "out", "out", three);
  add_slow("slow_conv3d_forward", "3", false, run_slow<3>, run_slow_out<3>, "output", "output", three);
  with_out(r.add(kDilated.with("slow_conv_dilated2d", "2", "[1, 1]", "[0, 0]")).with_composite(dilated<2, false>),
           "f32[3,6,6], f32[4,3,2,2], [2, 2], f32[4], [1, 1], [0, 0], [2, 2]");
  with_out(r.add(kDilated.with("slow_conv_dilated3d", "3", "[1, 1, 1]", "[0, 0, 0]")).with_composite(dilated<3, false>),
           volume + "[2, 2, 2], f32[3], [1, 1, 1], [0, 0, 0], [2, 2, 2]");
  with_out(r.add(kDepthwise.with("conv_depthwise3d", "3")).with_composite(dilated<3, true>),
           "f32[1,2,4,4,4], f32[2,1,2,2,2], [2, 2, 2], None, [1, 1, 1], [0, 0, 0], [1, 1, 1]");
  with_out(r.add(kDepthwise.with("_conv_depthwise2d", "2")).with_composite(dilated<2, true>),
           "f32[1,2,4,4], f32[4,1,2,2], [2, 2], f32[4], [1, 1], [0, 0], [1, 1]");
  with_out(r.add(kTransposed.with("slow_conv_transpose2d", "2", "[1, 1]", "[0, 0]")).with_composite(transposed<2>),
           "f32[2,4,3,3], f32[4,3,3,3], [3, 3], f32[3], [2, 2], [1, 1], [1, 1]");
  with_out(
      r.add(kTransposed.with("slow_conv_transpose3d", "3", "[1, 1, 1]", "[0, 0, 0]")).with_composite(transposed<3>),
      "f32[2,3,3,3], f32[2,3,2,2,2], [2, 2, 2]");
  OpEntry& back = r.add(kSlowBackward).with_composite(run_slow_backward);
  const std::string gradient = "f32[2,4,3,3], f32[2,3,5,5], f32[4,3,3,3], [3, 3], [1, 1], [0, 0]";
  back.sample(gradient + ", [True, False, True]");
  r.add(kSlowBackwardMaskOut)
      .with_composite([](CompositeCall& call) { write_result(call); })
      .sample(gradient + ", [True, True, True], out0=f32[0], out1=f32[0], out2=f32[0]");
  r.add(kSlowBackwardOut)
      .with_composite(run_slow_backward_out)
      .sample(gradient + ", grad_input=f32[0], grad_weight=f32[0], grad_bias=f32[0]");
}

}  // namespace ersatz::op_older_convolutions
