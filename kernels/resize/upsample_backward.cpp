#include "kernels/resize/upsample_backward.h"

#include "kernels/resize/taps.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_upsample_backward {

Kernel run_nearest_cpu, run_nearest_exact_cpu, run_linear_cpu, run_cubic_cpu, run_antialiased_linear_cpu,
    run_antialiased_cubic_cpu, run_antialiased_lanczos_cpu;

namespace {

template <size_t kSpatial, bool kRowMajor>
void rule(RuleCall& call) {
  const TensorMeta& grad = call.meta(kPlain["grad_output"]);
  const auto to = call.ints(kPlain["output_size"]), from = call.ints(kPlain["input_size"]);
  if (kSpatial == 1 && call.op.schema.arguments.size() == 4)  // true for operators without align_corners
    call.require_index(grad.dim() > 0, "C1", "the gradient must have 3 dims, it is {}", grad);
  call.require(to.size() == kSpatial && from.size() == kSpatial + 2 && grad.dim() == kSpatial + 2, "C1",
               "output_size must have {} numbers, input_size and the gradient's sizes {}: they are {}, {} and {}",
               kSpatial, kSpatial + 2, to, from, grad);
  bool fits = check_eq(grad.sizes[0], from[0]) && check_eq(grad.sizes[1], from[1]);
  for (size_t d = 0; d < kSpatial; ++d) {
    call.require(check_gt(from[d + 2], 0) && check_gt(to[d], 0), "C2",
                 "sizes of images must be positive: input_size is {}, output_size is {}", from, to);
    fits = fits && check_eq(grad.sizes[d + 2], to[d]);
  }
  call.require(fits, "C3", "the gradient must have the batch and channels of input_size {} and the sizes {}: it is {}",
               from, to, grad);
  TensorMeta& out = call.out.fresh(TensorMeta(grad.dtype, from, call.device));
  if (!kRowMajor) out.strides = strides_for(out.sizes, suggest_memory_format(grad));
  if (!call.device.is_meta()) call.require_dtype(grad.dtype, call.op.dtypes_on(call.device.type));
}

constexpr DTypeSet kWide{DType::F32, DType::F64};

struct Family {
  const char* name;
  int spatial;
  bool aligns;
  FillKernel kernel;
  DTypeSet dtypes = kFloats;
  bool row_major = false;  ///< true: the result is row-major for any memory format of grad_output
};

void add_op(Registry& r, const Family& f) {
  const std::string scales = f.spatial == 1   ? "float? scales=None"
                             : f.spatial == 2 ? "float? scales_h=None, float? scales_w=None"
                                              : "float? scales_d=None, float? scales_h=None, float? scales_w=None";
  const std::string to = f.spatial == 1   ? "7"
                         : f.spatial == 2 ? "7,5"
                                          : "7,5,2",
                    from = f.spatial == 1   ? "4"
                           : f.spatial == 2 ? "4,6"
                                            : "4,6,2",
                    corners = f.aligns ? ", False" : "";
  const auto call = [&](const std::string& grad) {
    return "f32[" + grad + to + "], [" + to + "], [2, 3, " + from + "]" + corners;
  };
  constexpr Rule rules[] = {rule<1, true>, rule<2, false>, rule<3, false>, rule<2, true>, rule<3, true>};
  OpEntry& op = r.add((f.aligns ? kAligned : kPlain).with(f.name, f.spatial, f.spatial + 2, scales))
                    .with_rule(rules[f.spatial - 1 + (f.row_major ? 2 : 0)])
                    .cpu(f.kernel)
                    .dtypes(f.dtypes)
                    .sample(call("2,3,"))
                    .refuses("C1", call("3,"))
                    .refuses("C2", "f32[2,3," + to + "], [" + to + "], [2, 3, 0" + from.substr(1) + "]" + corners)
                    .refuses("C3", call("2,2,"));
  if (f.dtypes == kWide) op.dtypes_on_cuda(kFloats);
  r.add_out(op, "grad_input", WrittenForm{.may_overlap = f.row_major && f.aligns && f.dtypes != kWide}, {"grad_input"});
}

}  // namespace

void register_ops(Registry& r) {
  const DTypeSet bytes = kFloats | DTypeSet{DType::U8};
  for (const Family& f :
       {Family{"upsample_nearest1d", 1, false, run_nearest_cpu, bytes},
        Family{"upsample_nearest2d", 2, false, run_nearest_cpu, bytes},
        Family{"upsample_nearest3d", 3, false, run_nearest_cpu, bytes, true},
        Family{"_upsample_nearest_exact1d", 1, false, run_nearest_exact_cpu, bytes},
        Family{"_upsample_nearest_exact2d", 2, false, run_nearest_exact_cpu, bytes},
        Family{"_upsample_nearest_exact3d", 3, false, run_nearest_exact_cpu, bytes, true},
        Family{"upsample_linear1d", 1, true, run_linear_cpu}, Family{"upsample_bilinear2d", 2, true, run_linear_cpu},
        Family{"upsample_trilinear3d", 3, true, run_linear_cpu},
        Family{"upsample_bicubic2d", 2, true, run_cubic_cpu, kFloats, true},
        Family{"_upsample_bilinear2d_aa", 2, true, run_antialiased_linear_cpu, kWide},
        Family{"_upsample_bicubic2d_aa", 2, true, run_antialiased_cubic_cpu, kWide, true},
        Family{"_upsample_lanczos2d_aa", 2, true, run_antialiased_lanczos_cpu, kWide}}) {
    add_op(r, f);
  }
}

}  // namespace ersatz::op_upsample_backward
