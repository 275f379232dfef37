#include "kernels/conv/convolution.h"

#include "kernels/conv/plan.h"
#include "kernels/no_flops.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_convolution {

Kernel run_cpu;

namespace {

/// Reads an attribute, which has one value for each spatial dim or one for all, into `to`. Raises [convolution.C2] for
/// a wrong number of values, and [convolution.C3] if a value is less than `least`.
void read_param(const RuleCall& call, Position argument, int spatial, int64_t (&to)[3], int64_t least) {
  const auto v = call.ints(argument);
  call.require(v.size() == 1 || v.size() == size_t(spatial), "C2",
               "{} must have one value or one per spatial dim ({}), it has {}", call.op.schema.arguments[argument].name,
               spatial, v.size());
  for (int d = 0; d < spatial; ++d) {
    to[d] = v[v.size() == 1 ? 0 : size_t(d)].guard_int();
    call.require(to[d] >= least, "C3", "{} must be at least {}, it is {}", call.op.schema.arguments[argument].name,
                 least, v);
  }
}

/// True if the call accepts dilation 0 in spatial dim d. It does so if there are no images. oneDNN's transposed 1-d and
/// 2-d convolutions also ignore the dilation of a kernel dim of size 1, if no other dim of the kernel is dilated.
bool takes_no_dilation(const RuleCall& call, const ConvParams& p, int d) {
  const TensorMeta &in = call.meta(kConvolution["input"]), &weight = call.meta(kConvolution["weight"]);
  if (size_eq(in.sizes[0], 0)) return true;
  if (!call.device.is_cpu() || !p.transposed || p.spatial == 3) return false;
  if (!size_eq(weight.sizes[size_t(d) + 2], 1)) return false;
  if (in.dtype == DType::F16)
    call.not_modelled("the machine decides whether a convolution of f16 takes the dilation 0: the input is {}", in);
  for (int e = 0; e < p.spatial; ++e) {
    if (p.dilation[e] != 1 && !size_eq(weight.sizes[size_t(e) + 2], 1)) return false;
  }
  return onednn_takes(in, weight, p);
}

ConvParams read_params(const RuleCall& call, int spatial) {
  ConvParams p;
  p.spatial = spatial;
  p.transposed = call.boolean(kConvolution["transposed"]);
  p.groups = call.integer(kConvolution["groups"]);
  call.require(p.groups > 0, "C3", "groups must be positive, it is {}", p.groups);
  read_param(call, kConvolution["stride"], spatial, p.stride, 1);
  read_param(call, kConvolution["padding"], spatial, p.padding, 0);
  read_param(call, kConvolution["output_padding"], spatial, p.output_padding, 0);
  read_param(call, kConvolution["dilation"], spatial, p.dilation, 0);
  for (int d = 0; d < spatial; ++d) {
    call.require(p.dilation[d] > 0 || takes_no_dilation(call, p, d), "C3", "dilation must be at least 1, it is {}",
                 call.ints(kConvolution["dilation"]));
  }
  return p;
}

void require_channels(const RuleCall& call, const TensorMeta& in, const TensorMeta& weight, const ConvParams& p) {
  call.require(check_ge(weight.sizes[0], p.groups), "C4", "weight must have at least {} rows, one per group: it is {}",
               p.groups, weight);
  call.require(check_eq(floor_mod(weight.sizes[0], p.groups), 0), "C4",
               "the first dim of weight must be divisible by groups: weight is {}, groups is {}", weight, p.groups);
  const SymInt expected = p.transposed ? weight.sizes[0] : weight.sizes[1] * p.groups;
  call.require(check_eq(in.sizes[1], expected), "C4",
               "input channels must fit the weight: input is {}, weight is {}, groups is {} ({} vs {})", in, weight,
               p.groups, in.sizes[1], expected);
}

/// True if the input has no images or no channels.
bool is_empty(const TensorMeta& in) { return size_eq(in.sizes[0], 0) || size_eq(in.sizes[1], 0); }

/// Returns the dtype of the result for an empty input. ATen computes input times weight plus bias. It uses the first
/// element of the weight, or the whole weight if there are no channels.
DType empty_dtype(const RuleCall& call, const TensorMeta& in, const TensorMeta& weight) {
  const auto first_of = [&](const TensorMeta& t) { return TensorMeta(t.dtype, std::span<const SymInt>(), t.device); };
  const bool whole = size_eq(in.sizes[1], 0);
  call.require_index(whole || check_ne(weight.numel(), 0), "C4",
                     "weight must have an element beside an empty input: it is {}", weight);
  ResultType product(call.context.default_dtype);
  product.add(in);
  product.add(whole ? weight : first_of(weight));
  const DType dtype = product.result();
  if (!call.has(kConvolution["bias"])) return dtype;
  TensorMeta result = in;
  result.dtype = dtype;
  ResultType sum(call.context.default_dtype);
  sum.add(result);
  sum.add(first_of(call.meta(kConvolution["bias"])));
  call.require(can_cast(sum.result(), dtype), "C5", "a bias cannot be added to a result of dtype {}: it is {}",
               name(dtype), call.meta(kConvolution["bias"]));
  return dtype;
}

/// True if the kernel converts a bias whose dtype differs from the input's.
bool converts_bias(const RuleCall& call, const TensorMeta& in, const TensorMeta& weight, const ConvParams& p) {
  if (call.device.is_cuda() || onednn_takes(in, weight, p)) return false;
  const DType bias = call.meta(kConvolution["bias"]).dtype;
  if (!p.transposed) return !is_packed(bias);
  // ATen adds the bias in a later step, with a cast
  return p.spatial < 3 && !(kFloat8s | kFloat4s).has(bias) && can_cast(bias, in.dtype);
}

/// True if ATen replaces oneDNN by its own loop when it runs on one thread. ATen does so for small batches and 1x1
/// filters.
bool goes_by_threads(const TensorMeta& in, const TensorMeta& weight, const ConvParams& p) {
  bool one = in.dtype == DType::F32 && !size_gt(in.sizes[0], 15);
  for (int d = 0; d < p.spatial; ++d) {
    const bool filter = d + 2 >= p.spatial ? size_eq(weight.sizes[size_t(d) + 2], 1) : true;
    one = one && filter && p.stride[d] == 1 && p.dilation[d] == 1;
  }
  return one;
}

void require_dtypes(const RuleCall& call, const TensorMeta& in, const TensorMeta& weight, const ConvParams& p) {
  if (!call.device.is_meta() && !is_float(in.dtype)) {
    bool plain = !p.transposed;
    for (int d = 0; d < p.spatial; ++d) plain = plain && p.dilation[d] == 1;
    // ATen's CPU loops for dilated and transposed convolutions accept i64 as their only integer dtype.
    call.require_dtype(in.dtype, call.device.is_cuda() ? kFloats : plain ? kReals : kFloats | DTypeSet{DType::I64});
  }
  if (kFloat8s.has(in.dtype)) call.require_dtype(in.dtype, kFloats);
  call.require(weight.dtype == in.dtype, "C5", "input and weight must have one dtype: input is {}, weight is {}", in,
               weight);
  if (call.has(kConvolution["bias"]) && call.meta(kConvolution["bias"]).dtype != in.dtype) {
    if (call.device.is_cpu() && in.dtype == DType::F16)
      call.not_modelled("the machine decides whether a convolution of f16 takes a bias of another dtype: it is {}",
                        call.meta(kConvolution["bias"]));
    const bool open = call.device.is_cpu() && goes_by_threads(in, weight, p);
    call.require(converts_bias(call, in, weight, p), open ? "C5.or_any" : "C5",
                 "input and bias must have one dtype: input is {}, bias is {}", in, call.meta(kConvolution["bias"]));
    if (!kLimitedDTypes.has(in.dtype)) call.require_dtype(in.dtype, kAllDTypes);  // the bias may have any dtype
  }
}

/// Returns the output size of spatial dim d. Raises [convolution.C7] or [convolution.C8] if the sizes do not fit.
SymInt spatial_size(const RuleCall& call, const TensorMeta& in, const TensorMeta& weight, const ConvParams& p, int d) {
  const SymInt size = in.sizes[size_t(d) + 2], kernel = weight.sizes[size_t(d) + 2];
  const bool empty = is_empty(in);
  call.require(empty || check_gt(kernel, 0), "C7", "the kernel must not be empty: weight is {}", weight);
  const SymInt reach = p.dilation[d] * (kernel - 1);
  SymInt out;
  if (p.transposed) {
    out = (size - 1) * p.stride[d] - 2 * p.padding[d] + reach + p.output_padding[d] + 1;
    call.require(p.output_padding[d] < p.stride[d] || p.output_padding[d] < p.dilation[d] || empty, "C8",
                 "output_padding must be smaller than stride or dilation: it is {} in dim {} (stride {}, dilation {})",
                 p.output_padding[d], d, p.stride[d], p.dilation[d]);
    // oneDNN may return an empty output. For a symbolic size, oneDNN is not considered: the size is assumed to be at
    // least 1, because a check for oneDNN would add guards on other sizes.
    const bool is_none = out.is_int() && out.as_int() == 0;
    const bool by_onednn = is_none && call.device.is_cpu() && onednn_takes(in, weight, p);
    call.require(!by_onednn || empty || !goes_by_threads(in, weight, p), "C7.or_any",
                 "the number of threads decides whether an empty output is made: input is {}, weight is {}", in,
                 weight);
    const bool may_be_empty = empty || by_onednn;
    call.require(check_ge(out, may_be_empty ? 0 : 1), "C7",
                 "the output would be empty: input is {}, weight is {} ({} in dim {})", in, weight, out, d);
  } else {
    const SymInt padded = size + 2 * p.padding[d];
    call.require(check_gt(padded, reach), "C7",
                 "the kernel must not be larger than the padded input: input is {}, weight is {} ({} vs {} in dim {})",
                 in, weight, reach + 1, padded, d);
    out = p.stride[d] == 1 ? padded - reach : floor_div(padded - reach - 1, p.stride[d]) + 1;
  }
  return out;
}

void rule(RuleCall& call) {
  const TensorMeta &in = call.meta(kConvolution["input"]), &weight = call.meta(kConvolution["weight"]);
  const int64_t rank = weight.dim();
  call.require(rank >= 3 && rank <= 5, "C1", "weight must be 3-d to 5-d, it is {}", weight);
  call.require(in.dim() == rank, "C1", "the input must have the weight's rank: input is {}, weight is {}", in, weight);
  const ConvParams p = read_params(call, int(rank) - 2);
  require_channels(call, in, weight, p);
  const SymInt channels = p.transposed ? weight.sizes[1] * p.groups : weight.sizes[0];
  if (call.has(kConvolution["bias"])) {
    const TensorMeta& bias = call.meta(kConvolution["bias"]);
    call.require(bias.dim() == 1 && check_eq(bias.sizes[0], channels), "C6",
                 "bias must have one element per output channel ({}), it is {}", channels, bias);
  }
  const bool empty = is_empty(in);
  if (!empty) {
    call.require(check_ne(channels, 0), "C4", "weight must have an output channel at least: it is {}", weight);
  }

  TensorMeta& out = call.out.fresh(TensorMeta());
  out.dtype = empty ? empty_dtype(call, in, weight) : in.dtype;
  out.device = call.device;
  out.sizes.push_back(in.sizes[0]);
  out.sizes.push_back(channels);
  for (int d = 0; d < p.spatial; ++d) out.sizes.push_back(spatial_size(call, in, weight, p, d));
  if (size_eq(in.sizes[1], 0)) out.sizes[1] = 0;
  for (size_t d = 1; d < in.sizes.size() && !empty; ++d) {
    call.require(check_ne(in.sizes[d], 0), "C9", "an empty input must be empty in its batch or channels: it is {}", in);
  }
  if (!empty) require_dtypes(call, in, weight, p);
  const MemoryFormat format = empty ? MemoryFormat::Contiguous : convolution_format(in, weight, p, call.device);
  out.strides = convolution_strides(out.sizes, format);
  call.out.outputs.back().unknown_layout = !empty && format_is_of_machine(in, weight, p, call.device);
}

/// Counts two FLOPs per multiplication. Each output element (input element, if transposed) is multiplied with a kernel
/// of in/groups channels.
std::optional<SymInt> flops(RuleCall& call, const RuleResult& result) {
  const TensorMeta& weight = call.meta(kConvolution["weight"]);
  SymInt n = 2;
  for (SymInt s :
       call.boolean(kConvolution["transposed"]) ? call.meta(kConvolution["input"]).sizes : result.outputs[0].meta.sizes)
    n *= s;
  for (size_t d = 1; d < weight.sizes.size(); ++d) n *= weight.sizes[d];
  return n;
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kConvolution)
                    .tag(Tag::Core | Tag::LayoutByLibrary)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .count_flops(flops)
                    .dtypes(kReals)
                    .dtypes_on_cuda(kFloats)
                    .sample("f32[2,3,7,8], f32[4,3,3,3], f32[4], [1, 1], [1, 1], [1, 1], False, [0, 0], 1")
                    .sample("f32[2,4,7,8]{224,1,32,4}, f32[6,2,3,2], None, [2, 1], [0, 1], [1, 2], False, [0, 0], 2")
                    .sample("f32[2,4,5], f32[4,3,3], f32[3], [2], [1], [1], True, [1], 1")
                    .sample("f64[1,2,4,5,6], f64[3,2,2,2,2], f64[3], [1], [0], [1], False, [0], 1")
                    .sample("bf16[1,4,6,6], bf16[4,1,3,3], bf16[4], [1, 1], [1, 1], [1, 1], False, [0, 0], 4")
                    .sample("i64[1,2,4,4], i64[3,2,2,2], None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1")
                    .refuses("C1", "f32[2,3,7], f32[4,3,3,3], None, [1], [0], [1], False, [0], 1")
                    .refuses("C2", "f32[2,3,7,8], f32[4,3,3,3], None, [1, 1, 1], [0], [1], False, [0], 1")
                    .refuses("C3", "f32[2,3,7,8], f32[4,3,3,3], None, [0], [0], [1], False, [0], 1")
                    .refuses("C4", "f32[2,4,7,8], f32[4,3,3,3], None, [1], [0], [1], False, [0], 1")
                    .refuses("C5", "f32[2,3,7,8], f64[4,3,3,3], None, [1], [0], [1], False, [0], 1")
                    .refuses("C6", "f32[2,3,7,8], f32[4,3,3,3], f32[3], [1], [0], [1], False, [0], 1")
                    .refuses("C7", "f32[2,3,2,8], f32[4,3,3,3], None, [1], [0], [1], False, [0], 1")
                    .refuses("C8", "f32[2,4,5], f32[4,3,3], None, [1], [0], [1], True, [1], 1")
                    .refuses("C9", "f32[2,3,0,8], f32[4,3,3,3], None, [1], [2], [1], False, [0], 1");
  r.add_out(op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_convolution
