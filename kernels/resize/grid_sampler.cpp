#include "kernels/resize/grid_sampler.h"

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_grid_sampler {

Kernel run_cpu;

namespace {

template <size_t kSpatial>
void rule(RuleCall& call) {
  constexpr size_t kRank = kSpatial + 2;
  const TensorMeta &in = call.meta(kSampled["input"]), &grid = call.meta(kSampled["grid"]);
  call.require_index(in.dim() > 0 && grid.dim() > 0, "C1", "input and grid must be {}-d: input is {}, grid is {}",
                     kRank, in, grid);
  call.require(in.sizes.size() == kRank && grid.sizes.size() == kRank && check_eq(in.sizes[0], grid.sizes[0]) &&
                   check_eq(grid.sizes[kRank - 1], int64_t(kSpatial)),
               "C1",
               "input and grid must be {}-d batches of one size, the grid of {} numbers each: input is {}, grid is {}",
               kRank, kSpatial, in, grid);
  for (size_t d = 2; d < kRank; ++d) {
    call.require(check_gt(in.sizes[d], 0), "C2", "the input must not be empty but for batch and channels, it is {}",
                 in);
  }
  DimVec sizes{in.sizes[0], in.sizes[1]};
  for (size_t d = 1; d + 1 < kRank; ++d) sizes.push_back(grid.sizes[d]);
  const TensorMeta& out = call.out.fresh(TensorMeta(in.dtype, std::span<const SymInt>(sizes), call.device));
  if (in.dtype == grid.dtype && kFloats.has(in.dtype)) [[likely]]
    return;
  // ATen checks dtypes in its loops. The loop over images checks them only if there are elements. The loop over volumes
  // always checks them.
  const bool nothing = size_eq(out.numel(), 0);
  if (!call.device.is_meta() && (kSpatial == 3 || !nothing)) call.require_dtype(in.dtype, kFloats);
  call.require(nothing || in.dtype == grid.dtype, "C3", "input and grid must have one dtype: input is {}, grid is {}",
               in, grid);
}

void grid_sampler(CompositeCall& call) {
  const int64_t rank = call.meta(kGridSampler["input"]).dim(), of_grid = call.meta(kGridSampler["grid"]).dim();
  call.require_index(rank > 0 && of_grid > 0, "C1", "input and grid must be 4-d or 5-d: input is {}, grid is {}",
                     call.meta(kGridSampler["input"]), call.meta(kGridSampler["grid"]));
  call.require((rank == 4 || rank == 5) && of_grid == rank, "C1",
               "input and grid must both be 4-d or 5-d: input is {}, grid is {}", call.meta(kGridSampler["input"]),
               call.meta(kGridSampler["grid"]));
  const auto sampler = rank == 4 ? ops::grid_sampler_2d : ops::grid_sampler_3d;
  call.returns(sampler(call.tensor(kGridSampler["input"]), call.tensor(kGridSampler["grid"]),
                       call.integer(kGridSampler["interpolation_mode"]), call.integer(kGridSampler["padding_mode"]),
                       call.boolean(kGridSampler["align_corners"])));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kGridSampler2d)
                    .tag(Tag::Core)
                    .with_rule(rule<2>)
                    .cpu(run_cpu)
                    .dtypes(kFloats)
                    .sample("f32[2,3,4,5], f32[2,3,2,2], 0, 0, False")
                    .sample("f32[2,3,4,5]{60,1,15,3}, f32[2,3,2,2], 2, 1, True")
                    .sample("f64[1,2,3,3], f64[1,4,4,2], 1, 2, False")
                    .refuses("C1", "f32[2,3,4,5], f32[1,3,2,2], 0, 0, False")
                    .refuses("C2", "f32[2,3,0,5], f32[2,3,2,2], 0, 0, False")
                    .refuses("C3", "f32[2,3,4,5], f64[2,3,2,2], 0, 0, False");
  r.add_out(op, "out", kGeneratedForm);
  OpEntry& volume = r.add(kGridSampler3d)
                        .with_rule(rule<3>)
                        .cpu(run_cpu)
                        .dtypes(kFloats)
                        .sample("f32[2,3,2,4,5], f32[2,3,2,2,3], 0, 0, False")
                        .sample("f64[1,2,3,3,2]{36,1,12,4,2}, f64[1,4,1,4,3], 1, 2, True")
                        .refuses("C1", "f32[2,3,2,4,5], f32[2,3,2,2,2], 0, 0, False")
                        .refuses("C2", "f32[2,3,2,0,5], f32[2,3,2,2,3], 0, 0, False")
                        .refuses("C3", "f32[2,3,2,4,5], f64[2,3,2,2,3], 0, 0, False");
  r.add_out(volume, "out", kGeneratedForm);
  r.add(kGridSampler)
      .with_composite(grid_sampler)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[2,3,2,2], 0, 0, False")
      .sample("f32[2,3,2,4,5], f32[2,3,2,2,3], 1, 1, False")
      .refuses("C1", "f32[3,4,5], f32[3,2,2], 0, 0, False");
}

}  // namespace ersatz::op_grid_sampler
