#include "kernels/pooling/pool_backward.h"

#include "kernels/indexing/scatter.h"
#include "kernels/kernel_dtype.h"
#include "kernels/pooling/indexed_points.h"
#include "kernels/shape/functional_forms.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_pool_backward {

Kernel run_average2d_cpu, run_average3d_cpu, run_adaptive2d_cpu, run_adaptive3d_cpu;

namespace {

enum class Form : uint8_t {
  Suggested,  ///< suggest_memory_format(self)
  Images,     ///< suggest_memory_format(self) for 4-d tensors, else row-major
  RowMajor
};

struct Pool {
  const Schema& schema;
  OpName forward;  ///< the pool that this operator is the gradient of
  size_t spatial;  ///< number of trailing dims that are pooled
  DTypeSet dtypes;
  bool windowed, indexed;
  Form form;
};

constexpr DTypeSet kAveraged2d = kFloats | DTypeSet{DType::I64}, kAveraged3d{DType::F32, DType::F64, DType::I64};
constexpr Pool kPools[] = {
    {kAverage2d, "aten.avg_pool2d.default", 2, kAveraged2d, true, false, Form::Suggested},
    {kAverage3d, "aten.avg_pool3d.default", 3, kAveraged3d, true, false, Form::RowMajor},
    {kAdaptiveAverage2d, "aten._adaptive_avg_pool2d.default", 2, kFloats, false, false, Form::Suggested},
    {kAdaptiveAverage3d, "aten._adaptive_avg_pool3d.default", 3, kFloats, false, false, Form::RowMajor},
    {kMax2d, "aten.max_pool2d_with_indices.default", 2, kFloats, true, true, Form::Suggested},
    {kMax3d, "aten.max_pool3d_with_indices.default", 3, kFloats, true, true, Form::Suggested},
    {kAdaptiveMax2d, "aten.adaptive_max_pool2d.default", 2, kFloats, false, true, Form::Images},
    {kAdaptiveMax3d, "aten.adaptive_max_pool3d.default", 3, kFloats, false, true, Form::RowMajor},
};

/// The planes that PyTorch's CPU loop iterates over. For OfSelf and OfGradient, PyTorch accepts an incoming gradient
/// with another number of planes than the pool's result.
enum class Planes : uint8_t {
  Each,
  OfSelf,     ///< the planes of `self`: the gradient may have more planes
  OfGradient  ///< the planes of the gradient: it may have fewer planes, and the result is zero in the missing planes
};
Planes planes_of_loop(const RuleCall& call, const Pool& pool, const TensorMeta& grad, const TensorMeta& self) {
  if (pool.windowed || !call.device.is_cpu()) return Planes::Each;
  if (pool.spatial == 3) return Planes::OfSelf;
  // PyTorch's loops for channels-last memory require equally many channels in gradient and self.
  const bool rows = suggest_memory_format(pool.indexed ? self : grad) == MemoryFormat::Contiguous;
  return rows ? Planes::OfGradient : Planes::Each;
}

/// Returns the product of the sizes before the pooled dims.
SymInt planes_of(std::span<const SymInt> sizes, size_t spatial) {
  SymInt planes = 1;
  for (size_t d = 0; d + spatial < sizes.size(); ++d) planes *= sizes[d];
  return planes;
}
/// Returns whether `grad` has the sizes of the pool's result, as far as PyTorch checks these. For max pools of volumes,
/// PyTorch does not check depth, height and width. For average pools of volumes, PyTorch iterates over the images of
/// `self`, so the gradient may have more images.
bool fits_pool(const RuleCall& call, const Pool& pool, const TensorMeta& grad, const TensorMeta& self,
               std::span<const SymInt> expected) {
  const size_t rank = expected.size();
  if (grad.sizes.size() != rank) return false;
  if (pool.spatial == 3 && pool.windowed && pool.indexed)
    return check_eq(std::span(grad.sizes).first(rank - 3), expected.first(rank - 3));
  const bool images = pool.spatial == 3 && pool.windowed && rank == 5;
  const Planes planes = planes_of_loop(call, pool, grad, self);
  for (size_t d = planes == Planes::Each ? 0 : rank - pool.spatial; d < rank; ++d) {
    const bool fits = images && d == 0 ? check_ge(grad.sizes[d], expected[d]) : check_eq(grad.sizes[d], expected[d]);
    if (!fits) return false;
  }
  if (planes == Planes::Each) return true;
  const SymInt given = planes_of(grad.sizes, pool.spatial), wanted = planes_of(expected, pool.spatial);
  return planes == Planes::OfSelf ? check_ge(given, wanted) : check_le(given, wanted);
}

/// Returns the sizes of the pool's result for `self`. For an adaptive pool, the sizes of `grad_output` are its
/// output_size.
DimVec pooled_sizes(const RuleCall& call, const Pool& pool, const OpEntry& forward) {
  const TensorMeta& grad = call.meta(kEach["grad_output"]);
  InlineVec<Value, 8> args;
  args.push_back(call[kEach["self"]].borrowed());
  if (pool.windowed) {
    const size_t end = call.args.size() - (pool.indexed ? 1 : 0);
    for (size_t i = 2; i < end; ++i) args.push_back(call.args[i].borrowed());
  } else {
    const size_t n = std::min(pool.spatial, grad.sizes.size());
    args.push_back(Value(std::span<const SymInt>(grad.sizes.data() + grad.sizes.size() - n, n)));
  }
  RuleResult result;
  RuleCall inner{forward, args, call.context, call.device, result};
  forward.rule(inner);
  return result.outputs[0].meta.sizes;
}

template <size_t i>
void rule(RuleCall& call) {
  constexpr const Pool& pool = kPools[i];
  const TensorMeta &grad = call.meta(kEach["grad_output"]), &self = call.meta(kEach["self"]);
  constexpr bool adaptive_volumes = !pool.windowed && pool.spatial == 3;
  const bool empty = !size_ne(self.numel(), 0);
  const auto require_dtype = [&] {
    if (!call.device.is_meta()) call.require_dtype(self.dtype, call.op.dtypes_on(call.device.type));
  };
  if (adaptive_volumes) require_dtype();
  call.require(grad.dtype == self.dtype || (empty && !adaptive_volumes), "C3",
               "grad_output must have the dtype of self: they are {} and {}", grad, self);
  bool filled = grad.dim() > 0;
  if constexpr (!pool.windowed) {
    for (size_t d = 1; filled && d < grad.sizes.size(); ++d) filled = size_ne(grad.sizes[d], 0);
    call.require(filled, "C4", "grad_output must have no empty dim but the first, it is {}", grad);
  }
  // For an adaptive pool of volumes without elements, PyTorch checks only the rank of the gradient.
  const bool of_any_sizes =
      adaptive_volumes && empty && grad.dim() == self.dim() && (self.dim() == 4 || self.dim() == 5);
  const DimVec expected = of_any_sizes ? grad.sizes : pooled_sizes(call, pool, op_entry<pool.forward>());
  call.require_index(filled, "C4", "grad_output must have dims, it is {}", grad);
  const size_t rank = expected.size();
  call.require(fits_pool(call, pool, grad, self, expected), "C1",
               "grad_output must have the sizes {} of the pool's result: it is {}", expected, grad);
  if constexpr (pool.indexed) {
    const TensorMeta& indices = call.meta(call.args.size() - 1);
    call.require(indices.sizes.size() == rank && check_eq(indices.sizes, grad.sizes), "C2",
                 "indices must have the sizes of grad_output: they are {} and {}", indices, grad);
    call.require(indices.dtype == DType::I64, "C2", "indices must be i64: it is {}", indices);
  }
  TensorMeta out(self.dtype, self.sizes, call.device);
  if (pool.form == Form::Suggested || (pool.form == Form::Images && self.dim() == 4))
    out.strides = strides_for(self.sizes, suggest_memory_format(self));
  call.out.fresh(std::move(out));
  require_dtype();
}

/// Adds each element of the gradient at its index within its plane. This kernel runs on every device.
template <size_t spatial>
void run_indexed(KernelCall& call) {
  scatter_points<"aten.scatter_add_.default">(call.outputs[0], call.tensor(call.args.size() - 1),
                                              call.tensor(kEach["grad_output"]), spatial);
}

void run_adaptive_average_out(CompositeCall& call) {
  constexpr Schema k = kAdaptiveAverage3dOut;
  put_result(call, call_op<"aten._adaptive_avg_pool3d_backward.default">(call[k["grad_output"]], call[k["self"]]),
             Position(k["grad_input"]));
}

template <size_t i>
void add(Registry& r, FillKernel kernel, std::vector<const char*> samples) {
  constexpr const Pool& pool = kPools[i];
  OpEntry& op = r.add(pool.schema).with_rule(rule<i>).dtypes(pool.dtypes);
  if (pool.dtypes != kFloats) op.dtypes_on_cuda(kFloats);
  pool.indexed ? op.tag(Tag::FailsOnValues).every_device(kernel) : op.cpu(kernel);
  for (const char* s : samples) op.sample(s, 0, 1);
  const bool core = i == 0 || i == 2 || i == 4;
  if (core) op.tag(Tag::Core);
  if (i == 2 || i == 3) return;  // ATen has no out= overload of these operators
  r.add_out(op, "grad_input",
            WrittenForm{
                .may_overlap = true, .own_elements = i == 6, .anew_of_rank = i == 5 ? uint16_t(5) : WrittenForm::kNone},
            {"grad_input"});
}

}  // namespace

void register_ops(Registry& r) {
  add<0>(r, run_average2d_cpu,
         {"f32[2,3,4,4], f32[2,3,7,8], [3, 3], [2, 2], [1, 1], False, True, None",
          "f64[3,2,3], f64[3,7,8], [2], [3], [0], False, True, 3"});
  add<1>(r, run_average3d_cpu, {"f32[2,3,2,3,4], f32[2,3,4,7,8], [3, 3, 2], [2, 2, 2], [1, 0, 0], False, True, None"});
  add<2>(r, run_adaptive2d_cpu, {"f32[2,3,3,5], f32[2,3,7,8]", "f32[2,3,1,1], f32[2,3,7,8]{168,1,24,3}"});
  add<3>(r, run_adaptive3d_cpu, {"f32[2,3,2,3,5], f32[2,3,4,7,8]"});
  r.add(kAdaptiveAverage3dOut)
      .made_of(run_adaptive_average_out)
      .sample("f32[2,3,2,3,5], f32[2,3,4,7,8], grad_input=f32[0]")
      .refuses("out_dtype", "f32[2,3,2,3,5], f32[2,3,4,7,8], grad_input=f64[0]");
  add<4>(r, run_indexed<2>, {"f32[2,3,3,4], f32[2,3,6,8], [2], [], [0], [1], False, i64[2,3,3,4]"});
  add<5>(r, run_indexed<3>, {"f32[2,3,2,3,4], f32[2,3,4,6,8], [2], [], [0], [1], False, i64[2,3,2,3,4]"});
  add<6>(r, run_indexed<2>, {"f32[2,3,3,4], f32[2,3,6,8], i64[2,3,3,4]"});
  add<7>(r, run_indexed<3>, {"f32[2,3,2,3,4], f32[2,3,4,6,8], i64[2,3,2,3,4]"});
  const auto refuses = [&](const char* name, const char* label, const char* arguments) {
    r.find_mutable(name)->refuses(label, arguments);
  };
  refuses("aten._adaptive_avg_pool2d_backward.default", "C1", "f32[2,4,3,5], f32[2,3,7,8]");
  refuses("aten._adaptive_avg_pool2d_backward.default", "C3", "f64[2,3,3,5], f32[2,3,7,8]");
  refuses("aten._adaptive_avg_pool2d_backward.default", "C4", "f32[2,3,0,5], f32[2,3,7,8]");
  refuses("aten.avg_pool2d_backward.default", "C4", "f32[], f32[2,3,7,8], [2], [], [0], False, True, None");
  refuses("aten.avg_pool3d_backward.default", "C1",
          "f32[1,3,2,3,4], f32[2,3,4,7,8], [3, 3, 2], [2, 2, 2], [1, 0, 0], False, True, None");
  refuses("aten.adaptive_max_pool2d_backward.default", "C2", "f32[2,3,3,4], f32[2,3,6,8], i64[2,3,3,3]");
}

}  // namespace ersatz::op_pool_backward
