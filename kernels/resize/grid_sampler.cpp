#include "kernels/resize/grid_sampler.h"

#include "runtime/composite.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"

namespace ersatz::op_grid_sampler {

void run_cpu(KernelCall& call);

namespace {

void rule(RuleCall& call) {
  const TensorMeta &in = call.meta(0), &grid = call.meta(1);
  call.require_index(in.dim() > 0 && grid.dim() > 0, "C1", "input and grid must be 4-d: input is {}, grid is {}", in,
                     grid);
  call.require(in.dim() == 4 && grid.dim() == 4 && guard_eq(in.sizes[0], grid.sizes[0]) && guard_eq(grid.sizes[3], 2),
               "C1", "input and grid must be 4-d batches of one size, the grid of pairs: input is {}, grid is {}", in,
               grid);
  call.require(guard_gt(in.sizes[2], 0) && guard_gt(in.sizes[3], 0), "C2",
               "height and width must not be empty: input is {}", in);
  if (!call.device.is_meta()) call.require_dtype(in.dtype, kFloats);
  call.require(in.dtype == grid.dtype, "C3", "input and grid must have one dtype: input is {}, grid is {}", in, grid);
  const SymInt sizes[] = {in.sizes[0], in.sizes[1], grid.sizes[1], grid.sizes[2]};
  call.out.fresh(TensorMeta(in.dtype, sizes, call.device));
}

void grid_sampler(CompositeCall& call) {
  const int64_t rank = call.meta(0).dim();
  call.require_index(rank > 0 && call.meta(1).dim() > 0, "C1", "input and grid must be 4-d: input is {}, grid is {}",
                     call.meta(0), call.meta(1));
  if (rank == 5) call.not_supported("a volume has no sampler here: input is {}", call.meta(0));
  call.require(rank == 4 && call.meta(1).dim() == 4, "C1", "input and grid must be 4-d: input is {}, grid is {}",
               call.meta(0), call.meta(1));
  call.returns(ops::grid_sampler_2d(call.tensor(0), call.tensor(1), call.integer(2), call.integer(3), call.boolean(4)));
}

}  // namespace

void register_ops(Registry& r) {
  const std::string arguments =
      "(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor";
  OpEntry& op = r.add("aten::grid_sampler_2d" + arguments, __FILE__)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kFloats)
                    .sample("f32[2,3,4,5], f32[2,3,2,2], 0, 0, False")
                    .sample("f32[2,3,4,5]{60,1,15,3}, f32[2,3,2,2], 2, 1, True")
                    .sample("f64[1,2,3,3], f64[1,4,4,2], 1, 2, False")
                    .refuses("C1", "f32[2,3,4,5], f32[1,3,2,2], 0, 0, False")
                    .refuses("C2", "f32[2,3,0,5], f32[2,3,2,2], 0, 0, False")
                    .refuses("C3", "f32[2,3,4,5], f64[2,3,2,2], 0, 0, False");
  r.add_out(op, "out", kGeneratedForm);
  r.add("aten::grid_sampler" + arguments, __FILE__)
      .with_composite(grid_sampler)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[2,3,2,2], 0, 0, False")
      .refuses("C1", "f32[3,4,5], f32[3,2,2], 0, 0, False");
}

}  // namespace ersatz::op_grid_sampler

namespace ersatz::ops {

Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners) {
  return call_op<"aten.grid_sampler_2d.default">(input, grid, interpolation_mode, padding_mode, align_corners);
}

}  // namespace ersatz::ops
