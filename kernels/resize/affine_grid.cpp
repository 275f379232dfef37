#include "kernels/resize/affine_grid.h"

#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/creation/linspace.h"
#include "kernels/linalg/bmm.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/transpose.h"
#include "kernels/shape/view.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_affine_grid {
namespace {

/// Returns the sizes [N, D, H, W] or [N, H, W] of the grid.
DimVec grid_sizes(const CompositeCall& call) {
  const std::span<const SymInt> size = call.ints(kEach["size"]);
  call.require(size.size() == 4 || size.size() == 5, "C1", "size must have four or five numbers: it is {}", size);
  DimVec grid{size[0]};
  for (const SymInt& s : size.subspan(2)) grid.push_back(s);
  return grid;
}
SymInt count(const DimVec& grid) {
  SymInt points = 1;
  for (size_t d = 1; d < grid.size(); ++d) points *= grid[d];
  return points;
}

/// Returns the `steps` coordinates of the elements along one dim, between -1 and 1.
Tensor places(const CompositeCall& call, const Tensor& like, int64_t steps) {
  const FactoryOptions alike{.dtype = like.dtype(), .device = like.device()};
  if (steps <= 1) {  // PyTorch then uses a scalar tensor operator that has no CPU kernel for bool, f16 and bf16
    if (like.device().is_cpu())
      call.require_dtype(like.dtype(), kAllDTypes.without({DType::Bool, DType::F16, DType::BF16}));
    return ops::zeros(DimVec{SymInt(steps)}, alike);
  }
  const Tensor range = ops::linspace(Scalar(-1), Scalar(1), steps, alike);
  return call.boolean(kEach["align_corners"]) ? range : ops::div(ops::mul(range, Scalar(steps - 1)), Scalar(steps));
}

/// Returns the homogeneous coordinates of each element: [N, D*H*W, 4] or [N, H*W, 3].
Tensor places_of(const CompositeCall& call, const Tensor& like, const DimVec& grid) {
  const int64_t spatial = static_cast<int64_t>(grid.size()) - 1;
  DimVec sizes = grid;
  sizes.push_back(spatial + 1);
  const Tensor base = ops::new_empty(like, sizes);
  for (int64_t axis = 0; axis < spatial; ++axis) {
    // x runs along the last dim of the grid, y along the one before it.
    const SymInt steps = grid[static_cast<size_t>(spatial - axis)];
    DimVec column(static_cast<size_t>(axis) + 1, SymInt(1));
    column[0] = steps;
    const Tensor along = places(call, like, steps.guard_int());
    ops::copy_(ops::select(base, -1, axis), ops::view(along, column));
  }
  ops::fill_(ops::select(base, -1, spatial), Scalar(1));
  const SymInt rows[] = {grid[0], count(grid), spatial + 1};
  return ops::view(base, rows);
}

Tensor grid_of(const CompositeCall& call) {
  const Tensor theta = call.tensor(kAffineGridGenerator["theta"]);
  DimVec grid = grid_sizes(call);
  const Tensor base = places_of(call, theta, grid);
  const Tensor mapped = ops::bmm(base, ops::transpose(theta, 1, 2));
  grid.push_back(static_cast<int64_t>(grid.size()) - 1);
  return ops::view(mapped, grid);
}
void forward(CompositeCall& call) { call.returns(grid_of(call)); }
void forward_out(CompositeCall& call) { write_result(call, grid_of(call), kAffineGridGenerator.out()); }

void backward(CompositeCall& call) {
  const Tensor grad = call.tensor(kAffineGridGeneratorBackward["grad"]);
  const DimVec grid = grid_sizes(call);
  const SymInt spatial = static_cast<int64_t>(grid.size()) - 1, rows[] = {grid[0], count(grid), spatial};
  DimVec wanted = grid;
  wanted.push_back(spatial);
  call.require(grad.sizes().size() == wanted.size() && check_eq(grad.sizes(), wanted), "C2",
               "grad must have the sizes {} of the grid: it is {}", wanted, grad.meta());
  const Tensor base = places_of(call, grad, grid);
  call.returns(ops::transpose(ops::bmm(ops::transpose(base, 1, 2), ops::reshape(grad, rows)), 1, 2));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& grid = r.add(kAffineGridGenerator)
                      .with_composite(forward)
                      .sample("f32[2,2,3], [2, 3, 4, 5], True")
                      .sample("f32[2,3,4], [2, 3, 2, 4, 5], False")
                      .refuses("C1", "f32[2,2,3], [2, 3, 4], True");
  r.add_out_alike(grid, "out").with_composite(forward_out).sample("f32[2,2,3], [2, 3, 4, 5], True, out=f32[0]");
  r.add(kAffineGridGeneratorBackward)
      .with_composite(backward)
      .sample("f32[2,4,5,2], [2, 3, 4, 5], False")
      .refuses("C1", "f32[2,4,5,2], [], False")
      .refuses("C2", "f32[2,4,5,2], [2, 3, 4, 6], False");
}

}  // namespace ersatz::op_affine_grid
