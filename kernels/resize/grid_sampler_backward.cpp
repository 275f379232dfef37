#include "kernels/resize/grid_sampler_backward.h"

#include "runtime/op/registry.h"
#include "runtime/op/tagged_op.h"

namespace ersatz::op_grid_sampler_backward {

Kernel run_cpu;

namespace {

template <OpName sampler>
void rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kEach["grad_output"]), &in = call.meta(kEach["input"]),
                   &grid = call.meta(kEach["grid"]);
  const Value forward[] = {call[kEach["input"]].borrowed(), call[kEach["grid"]].borrowed(),
                           call.integer(kEach["interpolation_mode"]), call.integer(kEach["padding_mode"]),
                           call.boolean(kEach["align_corners"])};
  RuleResult result;
  RuleCall sampling{op_entry<sampler>(), forward, call.context, call.device, result};
  sampling.op.rule(sampling);
  const TensorMeta& sampled = result.outputs[0].meta;
  if (grad.sizes.size() != sampled.sizes.size() || !check_eq(grad.sizes, sampled.sizes)) {
    call.refuse(ErrorFamily::Value, "C1", "grad_output must have the sizes {} of the sampled image: it is {}",
                sampled.sizes, grad);
  }
  call.require(grad.dtype == in.dtype, "C2", "grad_output must have the dtype of the input: they are {} and {}", grad,
               in);
  if (call.list(kEach["output_mask"])[0].as_bool()) {
    call.out.fresh(TensorMeta(in.dtype, in.sizes, call.device));
  } else {
    call.out.none();
  }
  call.out.fresh(TensorMeta(grid.dtype, grid.sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& image = r.add(kGridSampler2dBackward)
                       .with_rule(rule<"aten.grid_sampler_2d.default">)
                       .cpu(run_cpu)
                       .dtypes(kFloats)
                       .sample("f32[2,3,2,2], f32[2,3,4,5], f32[2,2,2,2], 0, 0, False, [True, True]")
                       .sample("f32[2,3,2,2], f32[2,3,4,5]{60,1,15,3}, f32[2,2,2,2], 2, 1, True, [True, True]")
                       .sample("f64[1,2,4,4], f64[1,2,3,3], f64[1,4,4,2], 1, 2, False, [True, True]")
                       .refuses("C1", "f32[2,3,2,1], f32[2,3,4,5], f32[2,2,2,2], 0, 0, False, [True, True]")
                       .refuses("C2", "f64[2,3,2,2], f32[2,3,4,5], f32[2,2,2,2], 0, 0, False, [True, True]");
  r.add_out(image, "out", kGeneratedForm);
  OpEntry& volume = r.add(kGridSampler3dBackward)
                        .with_rule(rule<"aten.grid_sampler_3d.default">)
                        .cpu(run_cpu)
                        .dtypes(kFloats)
                        .sample("f32[2,3,1,2,2], f32[2,3,2,4,5], f32[2,1,2,2,3], 0, 0, False, [True, True]")
                        .sample("f64[1,2,3,1,4], f64[1,2,2,3,3], f64[1,3,1,4,3], 0, 2, True, [True, True]")
                        .refuses("C1", "f32[2,3,2,2], f32[2,3,2,4,5], f32[2,1,2,2,3], 0, 0, False, [True, True]")
                        .refuses("C2", "f64[2,3,1,2,2], f32[2,3,2,4,5], f32[2,1,2,2,3], 0, 0, False, [True, True]");
  r.add_out(volume, "out", kGeneratedForm);
}

}  // namespace ersatz::op_grid_sampler_backward
