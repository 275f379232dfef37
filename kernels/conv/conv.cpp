#include "kernels/conv/conv.h"

#include "kernels/conv/attributes.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/pad.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/view_dtype.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_conv {
namespace {

using op_convolution::Attributes;
using op_convolution::convolve;

Tensor part(const Tensor& t, int64_t i) { return t ? ops::select(ops::view_as_real(t), -1, i) : Tensor(); }

/// Convolves complex tensors by three real convolutions: (a + bi)(c + di) = (ac - bd) + ((a + b)(c + d) - ac - bd)i.
/// The real part of the bias is added to the real part, and the imaginary part to the imaginary part.
Tensor convolve_complex(const Tensor& input, const Tensor& weight, const Tensor& bias, const Attributes& attributes) {
  const Tensor re = part(input, 0), im = part(input, 1), weight_re = part(weight, 0), weight_im = part(weight, 1);
  const Tensor bias_re = part(bias, 0), bias_im = part(bias, 1);
  const Tensor a = convolve(re, weight_re, bias_re, attributes), b = convolve(im, weight_im, Tensor(), attributes);
  const Tensor c = convolve(ops::add(re, im, 1), ops::add(weight_re, weight_im, 1),
                            bias ? ops::add(bias_re, bias_im, 1) : Tensor(), attributes);
  const Tensor imaginary = ops::sub(ops::sub(c, a, 1), b, 1);
  return ops::add(ops::sub(a, b, 1), ops::mul(imaginary, Scalar(std::complex<double>(0, 1))), 1);
}

Tensor convolve_any(const CompositeCall& call, const Tensor& input, const Attributes& a) {
  const Tensor weight = call.tensor(kEach["weight"]), bias = call.tensor(kEach["bias"]);
  if (!is_complex(input.dtype())) return convolve(input, weight, bias, a);
  call.require(is_complex(weight.dtype()) && (!bias || is_complex(bias.dtype())), "C4",
               "a complex input needs a complex weight and bias: input is {}, weight is {}", input.meta(),
               weight.meta());
  return convolve_complex(input, weight, bias, a);
}

/// Returns the input as a batch. If the input is one image, a batch dim of size 1 is added.
Tensor batch_of(const CompositeCall& call, int64_t spatial) {
  const Tensor input = call.tensor(kEach["input"]);
  call.require(input.dim() == spatial + 1 || input.dim() == spatial + 2, "C1",
               "input must be an image of {} spatial dims or a batch of them, it is {}", spatial, input.meta());
  return input.dim() == spatial + 1 ? ops::unsqueeze(input, 0) : input;
}

void answer(CompositeCall& call, int64_t spatial, const Tensor& result) {
  call.returns(call.meta(kEach["input"]).dim() == spatial + 1 ? ops::squeeze(result, 0) : result);
}

template <int kSpatial>
void conv(CompositeCall& call) {
  call.require(!call.has(kConv["bias"]) || call.meta(kConv["bias"]).dtype == call.meta(kConv["input"]).dtype, "C5",
               "input and bias must have one dtype: input is {}, bias is {}", call.meta(kConv["input"]),
               call.has(kConv["bias"]) ? call.meta(kConv["bias"]) : call.meta(kConv["input"]));
  const Tensor input = batch_of(call, kSpatial);
  Attributes a;
  a.stride = call.ints(kConv["stride"]);
  a.padding = call.ints(kConv["padding"]);
  a.dilation = call.ints(kConv["dilation"]);
  a.output_padding = DimVec(size_t(kSpatial), SymInt(0));
  a.groups = call.sym(kConv["groups"]);
  answer(call, kSpatial, convolve_any(call, input, a));
}

template <int kSpatial>
void conv_transpose(CompositeCall& call) {
  const Tensor input = batch_of(call, kSpatial);
  Attributes a;
  a.stride = call.ints(kConvTranspose["stride"]);
  a.padding = call.ints(kConvTranspose["padding"]);
  a.output_padding = call.ints(kConvTranspose["output_padding"]);
  a.groups = call.sym(kConvTranspose["groups"]);
  a.dilation = call.ints(kConvTranspose["dilation"]);
  a.transposed = true;
  answer(call, kSpatial, convolve_any(call, input, a));
}

/// Computes the padding for padding="same". If a dim needs different padding at its two ends, the input is padded here.
/// RETURNS: the input, padded or not. `a.padding` is set to the padding that `convolution` still has to add.
Tensor pad_to_same(const CompositeCall& call, const Tensor& input, const Tensor& weight, Attributes& a) {
  const size_t spatial = size_t(std::max<int64_t>(weight.dim() - 2, 0));
  call.require(spatial > 0 && input.dim() == weight.dim(), "C1",
               "weight must have the rank of a batch of images: input is {}, weight is {}", input.meta(),
               weight.meta());
  for (const DimVec* v : {&a.stride, &a.dilation}) {
    call.require(v->size() == 1 || v->size() == spatial, "C3",
                 "stride and dilation must have one value or one per spatial dim ({}): stride is {}, dilation is {}",
                 spatial, a.stride, a.dilation);
  }
  for (SymInt s : a.stride) {
    call.require(check_eq(s, 1), "C2", "padding=\"same\" needs a stride of 1, it is {}", a.stride);
  }
  DimVec before, uneven(2 * spatial, SymInt(0));
  bool even = true;
  for (size_t d = 0; d < spatial; ++d) {
    const SymInt total = a.dilation[a.dilation.size() == 1 ? 0 : d] * (weight.sizes()[d + 2] - 1);
    before.push_back(floor_div(total, 2));
    const SymInt more = total - 2 * before.back();
    even = even && size_eq(more, 0);
    uneven[2 * (spatial - 1 - d) + 1] = more;
  }
  a.padding = before;
  a.output_padding = DimVec(spatial, SymInt(0));
  return even ? input : ops::constant_pad_nd(input, uneven, int64_t(0));
}

template <int kSpatial>
void conv_padding(CompositeCall& call) {
  Tensor input = batch_of(call, kSpatial);
  const std::string_view padding = call[kConvPadding["padding"]].as_string();
  Attributes a;
  a.stride = call.ints(kConvPadding["stride"]);
  a.dilation = call.ints(kConvPadding["dilation"]);
  a.groups = call.sym(kConvPadding["groups"]);
  call.require(padding == "same" || padding == "valid", "C2", "padding must be \"valid\" or \"same\", it is \"{}\"",
               padding);
  if (padding == "same") {
    input = pad_to_same(call, input, call.tensor(kConvPadding["weight"]), a);
  } else {
    a.padding = a.output_padding = DimVec{SymInt(0)};
  }
  answer(call, kSpatial, convolve_any(call, input, a));
}

/// Registers the operators with `kSpatial` spatial dims. Their schemas differ only in the lengths of lists.
template <int kSpatial>
void add_ops(Registry& r) {
  auto list = [](int64_t v) {
    std::string text = "[";
    for (int d = 0; d < kSpatial; ++d) text += fmt::format("{}{}", d ? ", " : "", v);
    return text + "]";
  };
  const char* image = kSpatial == 1 ? "7" : kSpatial == 2 ? "7,6" : "4,5,6";
  const char* kernel = kSpatial == 1 ? "3" : kSpatial == 2 ? "3,3" : "2,2,2";
  auto sample = [&](std::string_view text) {
    return fmt::format(fmt::runtime(text), fmt::arg("image", image), fmt::arg("kernel", kernel));
  };
  r.add(kConv.with(kSpatial, list(1), list(0)))
      .with_composite(conv<kSpatial>)
      .dtypes(kNumbers)
      .dtypes_on_cuda(kFloatsAndComplexes)
      .sample(sample("f32[2,3,{image}], f32[4,3,{kernel}], f32[4]"))
      .sample(sample("f32[4,{image}], f32[6,2,{kernel}], None, [2], [1], [1], 2"))
      .sample(sample("c64[2,3,{image}], c64[4,3,{kernel}], c64[4]"))
      .refuses("C1", "f32[3], f32[4,3,3]")
      .refuses("C5", sample("f64[2,3,{image}], f64[4,3,{kernel}], f32[4]"))
      .refuses("C4", sample("c64[2,3,{image}], f32[4,3,{kernel}]"));
  r.add(kConvPadding.with(kSpatial, list(1)))
      .with_composite(conv_padding<kSpatial>)
      .dtypes(kNumbers)
      .dtypes_on_cuda(kFloatsAndComplexes)
      .sample(sample("f32[2,3,{image}], f32[4,3,{kernel}], f32[4], [1], \"same\""))
      .sample(sample("f32[2,3,{image}], f32[4,3,{kernel}], None, [2], \"valid\""))
      .refuses("C1", "f32[3], f32[4,3,3]")
      .refuses("C2", sample("f32[2,3,{image}], f32[4,3,{kernel}], None, [2], \"same\""))
      .refuses("C3", sample("f32[2,3,{image}], f32[4,3,{kernel}], None, [1, 1, 1, 1], \"same\""));
  r.add(kConvTranspose.with(kSpatial, list(1), list(0), kSpatial == 1 ? "" : ".input"))
      .with_composite(conv_transpose<kSpatial>)
      .dtypes(kFloatsAndComplexes | DTypeSet{DType::I64})
      .dtypes_on_cuda(kFloatsAndComplexes)
      .sample(sample("f32[2,3,{image}], f32[3,4,{kernel}], f32[4]"))
      .sample(sample("f32[4,{image}], f32[4,1,{kernel}], None, [2], [1], [1], 2"))
      .refuses("C1", "f32[3], f32[4,3,3]");
}

}  // namespace

void register_ops(Registry& r) {
  add_ops<1>(r);
  add_ops<2>(r);
  add_ops<3>(r);
}

}  // namespace ersatz::op_conv

namespace ersatz::ops {

#define CONV(name)                                                                                           \
  Tensor name(const Tensor& input, const Tensor& weight, const Tensor& bias, std::span<const SymInt> stride, \
              std::string_view padding, std::span<const SymInt> dilation, const SymInt& groups) {            \
    return call_op<"aten." #name ".padding">(input, weight, bias, stride, padding, dilation, groups);        \
  }
CONV(conv1d)
CONV(conv2d)
CONV(conv3d)
#undef CONV

}  // namespace ersatz::ops
