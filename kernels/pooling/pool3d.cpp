#include "kernels/pooling/pool3d.h"

#include "kernels/kernel_dtype.h"
#include "kernels/pooling/pooled_form.h"
#include "kernels/pooling/volume.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_pool3d {

Kernel run_average_cpu, run_max_cpu;

namespace {

void average_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kAvgPool3d["self"]);
  const Window3d w = read_volume_window(call);
  call.require(!call.has(kAvgPool3d["divisor_override"]) || check_ne(call.sym(kAvgPool3d["divisor_override"]), 0), "C2",
               "divisor_override must not be zero");
  const DimVec sizes = pooled_volume(call, w, call.boolean(kAvgPool3d["ceil_mode"]));
  for (size_t d = 0; d < 3; ++d) {
    call.require(check_ge(in.sizes[in.sizes.size() - 3 + d], w.size[d]), "C4",
                 "the input must not be smaller than the kernel, padding left aside: input is {}, kernel size is {} in "
                 "dim {}",
                 in, w.size[d], d);
  }
  require_kernel_dtype(call, in.dtype, call.out.fresh(TensorMeta(in.dtype, sizes, call.device)));
}

/// Returns whether a 4-d input is channels-last in memory and not row-major. REQUIRES: `in` is 4-d.
bool is_channels_last_volume(const TensorMeta& in) {
  DimVec sizes{SymInt(1)}, strides{in.sizes[0] * in.strides[0]};
  for (size_t d = 0; d < 4; ++d) {
    sizes.push_back(in.sizes[d]);
    strides.push_back(in.strides[d]);
  }
  return !is_contiguous(sizes, strides) && is_channels_last_3d(sizes, strides);
}

void max_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kMaxPool3dWithIndices["self"]);
  Window3d w = read_volume_window(call);
  read_triple(call, kMaxPool3dWithIndices["dilation"], w.dilation);
  const DimVec sizes = pooled_volume(call, w, call.boolean(kMaxPool3dWithIndices["ceil_mode"]));
  TensorMeta& out = call.out.fresh(TensorMeta(in.dtype, sizes, call.device));
  const MemoryFormat format = suggest_memory_format(in);
  // at::native::max_pool3d_kernel looks at the memory format before it looks for the kernel of the dtype.
  call.require(in.dim() == 5 || call.device.is_cuda() || format != MemoryFormat::ChannelsLast, "C5",
               "an input without a batch must not look channels-last, it is {}", in);
  if (call.device.is_cpu()) call.require_dtype_first(in.dtype, call.op.dtypes_on(DeviceType::CPU));
  if (in.dim() == 5) {
    out.strides = strides_for(sizes, format);
  } else if (is_channels_last_volume(in)) {
    out.strides = DimVec{SymInt(1), sizes[2] * sizes[3] * sizes[0], sizes[3] * sizes[0], sizes[0]};
  }
  require_kernel_dtype(call, in.dtype, out);
  const size_t first = in.sizes.size() - 3;
  if ((in.dim() == 5 ? format != MemoryFormat::Contiguous : is_channels_last_volume(in)) && size_ne(in.sizes[0], 0)) {
    call.require(!overflows_index(call, in.sizes[first] * in.sizes[first + 1] * in.sizes[first + 2]), "C6",
                 "a channels-last volume may have no more points than its dtype counts: input is {}", in);
  }
  TensorMeta indices = out;
  indices.dtype = DType::I64;
  call.out.fresh(std::move(indices));
}

void max_pool3d(CompositeCall& call) {
  call.returns(std::get<0>(ops::max_pool3d_with_indices(
      call.tensor(kMaxPool3d["self"]), call.ints(kMaxPool3d["kernel_size"]), call.ints(kMaxPool3d["stride"]),
      call.ints(kMaxPool3d["padding"]), call.ints(kMaxPool3d["dilation"]), call.boolean(kMaxPool3d["ceil_mode"]))));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& average = r.add(kAvgPool3d)
                         .tag(Tag::Core)
                         .with_rule(average_rule)
                         .cpu(run_average_cpu)
                         .dtypes({DType::F32, DType::F64, DType::I64})
                         .dtypes_on_cuda(kFloats)
                         .sample("f32[2,3,4,7,8], [3, 3, 2], [2, 2, 1], [1, 1, 0]")
                         .sample("f64[3,4,7,8], [2], [3], [1], True, False")
                         .sample("i64[1,2,4,4,4], [2], [], [0], False, True, 3")
                         .refuses("C1", "f32[2,3,4,7,8], [2, 2]")
                         .refuses("C2", "f32[2,3,4,7,8], [2], [], [0], False, True, 0")
                         .refuses("C3", "f32[4,7,8], [2]")
                         .refuses("C4", "f32[2,3,2,7,8], [3]");
  r.add_out(average, "out", kPooledForm);
  OpEntry& max = r.add(kMaxPool3dWithIndices)
                     .tag(Tag::Core)
                     .with_rule(max_rule)
                     .cpu(run_max_cpu)
                     .dtypes(kReals)
                     .dtypes_on_cuda(kFloats)
                     .sample("f32[2,3,4,7,8], [3, 3, 2], [2, 2, 1], [1, 1, 0]")
                     .sample("i64[3,5,7,8], [2], [1], [0], [2], True")
                     .refuses("C1", "f32[2,3,4,7,8], [2, 2]")
                     .refuses("C2", "f32[2,3,4,7,8], [2], [2], [2]")
                     .refuses("C3", "f32[4,7,8], [2]")
                     .refuses("C4", "f32[2,3,2,7,8], [3]")
                     .refuses("C5", "f32[3,4,5,6]{120,1,24,4}, [2]")
                     .refuses("C6", "u8[1,3,12,12,2]{864,1,72,6,3}, [2]");
  // ATen gives the out arguments the result's strides even if they already have its sizes, except for a row-major input
  // without a batch.
  r.add_out(max, "out", WrittenForm{.may_overlap = true, .anew_of_rank = 5}, {"out", "indices"});
  r.add(kMaxPool3d).with_composite(max_pool3d).dtypes(kReals).dtypes_on_cuda(kFloats).sample("f32[2,3,4,7,8], [2]");
}

}  // namespace ersatz::op_pool3d
