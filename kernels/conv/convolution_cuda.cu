// convolution on CUDA. cuDNN gets operands that are dense in the memory format of convolution_format (copies if
// necessary), and writes its result in that format.
//
// cuDNN adds the bias before it rounds. For transposed convolutions of f16 and bf16, the bias is written first and
// cuDNN accumulates onto it, so results are rounded once, like on the CPU. For wider dtypes, and if cuDNN can do
// neither, a separate pass adds the bias. Some transposed convolutions of f16 and bf16 (3-d, dilated) are then rounded
// twice, which PyTorch does for all of them.
#include <algorithm>
#include <climits>

#include "kernels/conv/conv_problem.h"
#include "kernels/conv/convolution.h"
#include "kernels/dense_operand.h"
#include "kernels/pointwise/long_offsets.h"
#include "kernels/shape/pad.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/dnn.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_convolution {
namespace {

/// Computes data[i] += bias[channel of i] for dense images.
template <class T>
struct AddBias {
  T* data;
  const T* bias;
  /// points: number of adjacent elements of one channel, which is 1 if channels are innermost
  pointwise::LongDivisor channels, points;
  ERSATZ_DEVICE void operator()(int64_t i) const { data[i] = T(data[i] + bias[channels.remainder(points.divide(i))]); }
};

/// True if the tensor has these strides, and the 16-byte alignment that cuDNN's vector instructions need.
bool fits(const Tensor& t, const DimVec& strides) {
  if (t.meta().neg || reinterpret_cast<uintptr_t>(t.raw_data()) % 16 != 0) return false;
  for (size_t d = 0; d < strides.size(); ++d) {
    if (t.sizes()[d].as_int() != 1 && t.strides()[d].as_int() != strides[d].as_int()) return false;
  }
  return true;
}

/// Returns `t` itself if its strides and alignment fit, else a new, uninitialized tensor in the layout of `format`.
Tensor laid_out(const Tensor& t, MemoryFormat format) {
  const DimVec strides = convolution_strides(t.sizes(), format);
  if (fits(t, strides)) return t;
  return make_real_tensor(TensorMeta(t.dtype(), t.sizes(), std::span<const SymInt>(strides), t.device()));
}

Tensor operand(const Tensor& t, MemoryFormat format) {
  Tensor fitting = laid_out(t, format);
  if (!fitting.is(t)) copy_elements(fitting, t);
  return fitting;
}

MemoryFormat planned_format(KernelCall& call, const ConvProblem& p) {
  ConvParams params;
  params.spatial = p.spatial;
  params.transposed = p.transposed;
  params.groups = p.groups;
  return convolution_format(call.tensor(kConvolution["input"]).meta(), call.tensor(kConvolution["weight"]).meta(),
                            params, call.tensor(kConvolution["input"]).device());
}

cuda_module::Convolution described(const KernelCall& call, const ConvProblem& p, bool channels_last) {
  cuda_module::Convolution c;
  c.dtype = p.dtype;
  c.transposed = p.transposed;
  c.channels_last = channels_last;
  c.spatial = std::max(p.spatial, 2);  // cuDNN has no 1-d convolution: a row becomes an image of height 1
  c.groups = p.groups;
  c.in_channels = p.in_channels;
  c.out_channels = p.out_channels;
  std::copy_n(p.in, 3, c.in);
  std::copy_n(p.out, 3, c.out);
  std::copy_n(p.kernel, 3, c.kernel);
  std::copy_n(p.stride, 3, c.stride);
  std::copy_n(p.padding, 3, c.padding);
  std::copy_n(p.dilation, 3, c.dilation);
  c.weight = p.weight;
  c.deterministic = call.context.deterministic;
  c.allow_tf32 = call.context.allow_tf32;
  return c;
}

/// Fills each channel of `out` with the channel's element of `bias`.
void write_bias(const Tensor& out, const Tensor& bias) {
  TensorMeta spread(bias.dtype(), out.sizes(), bias.device());
  for (SymInt& stride : spread.strides) stride = 0;
  spread.strides[1] = 1;
  spread.offset = bias.meta().offset;
  copy_elements(out, make_view(bias, spread));
}

/// The ways in which results get their bias: no bias; cuDNN adds it; it is written first, and cuDNN accumulates onto
/// it; or a kernel adds it after cuDNN.
enum class Bias { None, InOneGo, WrittenFirst, AddedLast };

/// Returns the ways to add the bias that round like the CPU. The preferred way is first.
std::span<const Bias> bias_ways(const KernelCall& call) {
  static constexpr Bias kNone[] = {Bias::None}, kWide[] = {Bias::InOneGo, Bias::AddedLast},
                        kHalf[] = {Bias::InOneGo, Bias::WrittenFirst, Bias::AddedLast};
  if (!call.has(kConvolution["bias"])) return kNone;
  if (is_reduced_float(call.outputs[0].dtype())) return kHalf;
  return kWide;
}

/// The operands of a call to cuDNN, all in one layout.
struct Laid {
  Tensor in, weight, bias, out;
  ConvProblem p;
  bool channels_last;
};

/// Calls cuDNN. RETURNS: false if cuDNN does not support the layout, or this way to add the bias.
bool convolve(const KernelCall& call, const Laid& laid, Bias way) {
  const ConvProblem& p = laid.p;
  const int device = laid.out.device().index;
  cuda_module::Convolution c = described(call, p, laid.channels_last);
  c.accumulates = way == Bias::WrittenFirst;
  if (way == Bias::InOneGo) c.bias = p.bias;
  if (way == Bias::WrittenFirst) write_bias(laid.out, laid.bias);
  // cuDNN counts elements in 32 bits, so images are processed in parts that fit.
  const int64_t in_image = p.in_channels * p.in_points(), out_image = p.out_channels * p.out_points();
  int64_t at_once = std::max<int64_t>(1, INT_MAX / std::max(in_image, out_image));
  if (at_once > 16) at_once -= at_once % 16;  // a multiple of 16 images keeps the later parts aligned
  for (int64_t first = 0; first < p.images; first += at_once) {
    c.images = std::min(at_once, p.images - first);
    c.input = p.input + first * in_image * item_size(p.dtype);
    c.output = p.output + first * out_image * item_size(p.dtype);
    if (!cuda_module::run(device, c)) return false;
  }
  if (way == Bias::AddedLast) {
    dispatch_dtype<kFloats>(p.dtype, [&]<class T>() {
      cuda_module::launch_each(device, p.images * out_image,
                               AddBias<T>{reinterpret_cast<T*>(p.output), reinterpret_cast<const T*>(p.bias),
                                          pointwise::LongDivisor(p.out_channels),
                                          pointwise::LongDivisor(laid.channels_last ? 1 : p.out_points())});
    });
  }
  return true;
}

/// Returns the input, with zeros appended if an output padding is as large as the stride. For cuDNN, a transposed
/// convolution is the gradient of an ordinary one, so its input needs a point for each result of the ordinary one.
Tensor reaching_input(const KernelCall& call) {
  const Tensor in = call.tensor(kConvolution["input"]);
  if (!call.boolean(kConvolution["transposed"])) return in;
  const std::span<const int64_t> more = call.ints(kConvolution["output_padding"]),
                                 stride = call.ints(kConvolution["stride"]);
  const auto of_dim = [](std::span<const int64_t> v, size_t d) { return v[v.size() == 1 ? 0 : d]; };
  DimVec pad;  // padding before and after, last dim first
  bool reaches = false;
  for (size_t d = in.sizes().size() - 2; d-- > 0;) {
    pad.push_back(0);
    pad.push_back(of_dim(more, d) / of_dim(stride, d));
    reaches = reaches || pad.back().as_int() > 0;
  }
  return reaches ? ops::constant_pad_nd(in, pad) : in;
}

/// Runs the convolution with all operands in `format`. RETURNS: false if cuDNN does not support the layout.
bool convolve(KernelCall& call, MemoryFormat format) {
  const Tensor& result = call.outputs[0];
  const Tensor in = operand(reaching_input(call), format),
               weight = operand(call.tensor(kConvolution["weight"]), format);
  const Tensor out = laid_out(result, format), bias = dense_input(call.tensor(kConvolution["bias"]));
  const Laid laid{in, weight, bias, out, conv_problem(call, in, weight, bias, out), format != MemoryFormat::Contiguous};
  for (const Bias way : bias_ways(call)) {
    if (!convolve(call, laid, way)) continue;
    if (!out.is(result)) copy_elements(result, out);
    return true;
  }
  return false;
}

void run_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const MemoryFormat format = planned_format(
      call, conv_problem(call, call.tensor(kConvolution["input"]), call.tensor(kConvolution["weight"]), Tensor(), out));
  for (const MemoryFormat f : {format, MemoryFormat::Contiguous}) {
    if (convolve(call, f)) return;
  }
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
       "cuDNN has no{} algorithm on this GPU for the convolution of {} with {}: the CPU takes it",
       call.context.deterministic ? " deterministic" : "", call.tensor(kConvolution["input"]).meta(),
       call.tensor(kConvolution["weight"]).meta());
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.convolution.default", run_cuda); }

}  // namespace ersatz::op_convolution
