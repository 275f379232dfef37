#include "kernels/shape/border_pad_backward.h"

#include "kernels/kernel_dtype.h"
#include "kernels/no_flops.h"
#include "kernels/shape/border_sizes.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_border_pad_backward {

Kernel reflect_cpu, replicate_cpu;

namespace {

/// Returns `Some` for replication_pad2d and 3d, which refuse an empty channel dim. Returns `MayBeNone` for all other
/// pads.
constexpr Channels channels_of(int spatial, bool reflect) {
  return reflect || spatial == 1 ? Channels::MayBeNone : Channels::Some;
}

template <int kSpatial, bool kReflect>
void rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kBorderPadBackward["grad_output"]), &in = call.meta(kBorderPadBackward["self"]);
  if (kSpatial < (kReflect ? 3 : 2)) call.require_index(in.dim() > 0, "C2", "the input must be an image: it is {}", in);
  // PyTorch computes nothing for an empty input and does not check its dtype, except in reflection_pad2d_backward.
  const auto computed = [&] { return (kReflect && kSpatial == 2) || size_ne(in.numel(), 0); };
  if (grad.dtype != in.dtype && computed()) {
    if (!call.device.is_meta()) call.require_dtype(grad.dtype, call.op.dtypes_on(call.device.type));
    call.require(false, "C5", "the gradient must have the input's dtype: it is {}, input is {}", grad, in);
  }
  const DimVec sizes = padded_sizes(call, in, call.ints(kBorderPadBackward["padding"]), kSpatial, kReflect,
                                    channels_of(kSpatial, kReflect));
  if (!call.op.dtypes_on(call.device.type).has(in.dtype) && computed()) require_kernel_dtype(call, in.dtype, in);
  // PyTorch compares the spatial sizes from the last dim on. If two sizes differ, PyTorch's error message reads all
  // dims of the result from the gradient. If the gradient has fewer dims, an index error is raised.
  if (kSpatial < (kReflect ? 2 : 3) && grad.dim() > 0 && grad.dim() < in.dim()) {
    for (size_t k = 1; k <= std::min<size_t>(kSpatial, grad.sizes.size()); ++k) {
      call.require_index(check_eq(grad.sizes.end()[-static_cast<int64_t>(k)], sizes.end()[-static_cast<int64_t>(k)]),
                         "C5", "the gradient must have the result's dims: it is {}, the result is {}", grad, sizes);
    }
  }
  bool fits = grad.sizes.size() == sizes.size();
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    const bool images = d == 0 && in.dim() == kSpatial + 2;
    fits = images ? check_ge(grad.sizes[d], sizes[d]) : check_eq(grad.sizes[d], sizes[d]);
  }
  call.require(fits, "C5", "the gradient must have the result's sizes {}: it is {}, input is {}", sizes, grad, in);
  TensorMeta& out = call.out.fresh(TensorMeta(in.dtype, in.sizes, call.device));
  if (kSpatial > 1 && !call.device.is_cuda()) out.strides = strides_for(out.sizes, suggest_memory_format(in));
}

/// On the CPU, the `grad_input` form for images accepts any dtype of self, because PyTorch reads only self's sizes.
/// Returns the arguments with self in the gradient's dtype, or an empty vector if self has this dtype.
template <class Call>
std::vector<Value> with_dtype_of_gradient(const Call& call) {
  const TensorImpl* self = call[kBorderPadBackward["self"]].tensor_impl();
  const DType t = call[kBorderPadBackward["grad_output"]].tensor_impl()->meta.dtype;
  if (self->meta.dtype == t || self->meta.device.is_cuda()) return {};
  std::vector<Value> args(call.args.begin(), call.args.end());
  TensorMeta meta = self->meta;
  meta.dtype = t;
  args[kBorderPadBackward["self"]] = Value(Tensor(std::move(meta), self->storage));
  return args;
}

template <int kSpatial>
void run_written(KernelCall& call) {
  const std::vector<Value> args = kSpatial == 2 ? with_dtype_of_gradient(call) : std::vector<Value>();
  KernelCall converted{call.op, args.empty() ? call.args : std::span<const Value>(args), call.outputs, call.context};
  derived_kernel(converted);
}

/// On the CPU, PyTorch sets the strides of the argument `grad_input` even if its sizes fit already.
template <int kSpatial>
void restrided_out_rule(RuleCall& call) {
  const std::vector<Value> args = kSpatial == 2 ? with_dtype_of_gradient(call) : std::vector<Value>();
  RuleCall converted = call.with(args.empty() ? call.args : std::span<const Value>(args), call.out);
  derived_out_rule(converted);
  call.out.dtype_asked |= !args.empty();
  if (call.device.is_cuda()) return;
  OutputSpec& out = call.out.outputs[0];
  out.meta.strides = strides_for(out.meta.sizes, suggest_memory_format(call.meta(kBorderPadBackward["self"])));
  out.metadata_changed = true;
}

template <int kSpatial, bool kReflect>
void add_op(Registry& r) {
  const std::string sizes = kSpatial == 1 ? "4]" : kSpatial == 2 ? "4,5]" : "4,5,3]";
  const std::string padded = kSpatial == 1 ? "7]" : kSpatial == 2 ? "6,8]" : "7,7,6]";
  const std::string zeros = kSpatial == 1 ? "]" : kSpatial == 2 ? ", 2, 0]" : ", 2, 0, 1, 2]";
  const std::string operands = "f32[2,3," + padded + ", f32[2,3," + sizes;
  OpEntry& op = r.add(kBorderPadBackward.with(
                          fmt::format("{}_pad{}d", kReflect ? "reflection" : "replication", kSpatial), 2 * kSpatial))
                    .with_rule(rule<kSpatial, kReflect>)
                    .cpu(kReflect ? reflect_cpu : replicate_cpu)
                    .count_flops(no_flops)
                    .dtypes(kFloatsAndComplexes)
                    .sample(operands + ", [1, 2" + zeros)
                    .sample("f64[3," + padded + ", f64[3," + sizes + ", [1, 2" + zeros)
                    .refuses("C1", operands + ", [1]")
                    .refuses("C2", "f32[1,2,3," + padded + ", f32[1,2,3," + sizes + ", [1, 2" + zeros)
                    .refuses("C4", operands + ", [-9, 0" + zeros)
                    .refuses("C5", operands + ", [1, 1" + zeros);
  if (kReflect) op.refuses("C3", operands + ", [9, 0" + zeros);
  OpEntry& out = r.add_out(op, "grad_input", WrittenForm{.may_overlap = true, .own_elements = true}, {"grad_input"});
  if (kSpatial > 1) out.with_rule(restrided_out_rule<kSpatial>).cpu(run_written<kSpatial>);
}

}  // namespace

void register_ops(Registry& r) {
  add_op<1, true>(r);
  add_op<2, true>(r);
  add_op<3, true>(r);
  add_op<1, false>(r);
  add_op<2, false>(r);
  add_op<3, false>(r);
}

}  // namespace ersatz::op_border_pad_backward
