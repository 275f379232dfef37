// Operators that torch.amp.GradScaler calls: they unscale gradients, check them for infinities, and update the scale.
// Constraints, where `op` is the op's name:
//
// [op.C1] found_inf, inv_scale, the scale and growth_tracker have one element each.
// [op.C2] growth_tracker is i32; found_inf, inv_scale and the scale are f32.
// Gradients have floating dtypes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_loss_scaling {

/// Multiplies each gradient by inv_scale. Sets found_inf to 1 if an element is infinite or NaN.
inline constexpr Schema kUnscale{
    "aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, Tensor inv_scale) -> "
    "()"};
inline constexpr Schema kUnscaleCopies{
    "aten::_amp_foreach_non_finite_check_and_unscale(Tensor[] self, Tensor found_inf, Tensor inv_scale) -> (Tensor[] "
    "self_out, Tensor found_inf_out)"};
inline constexpr Schema kUnscaleOut{
    "aten::_amp_foreach_non_finite_check_and_unscale.out(Tensor[] self, Tensor(b!) found_inf, Tensor inv_scale, *, "
    "Tensor(a!)[] out) -> ()"};
/// If found_inf is not 0, multiplies the scale by the backoff factor. growth_tracker counts the steps without an
/// infinity. After growth_interval of these steps, the scale is multiplied by the growth factor if the product is
/// finite.
inline constexpr Schema kUpdate{
    "aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, float scale_growth_factor, "
    "float scale_backoff_factor, int growth_interval) -> Tensor(a!)"};
inline constexpr Schema kUpdateCopy{
    "aten::_amp_update_scale(Tensor self, Tensor growth_tracker, Tensor found_inf, float scale_growth_factor, float "
    "scale_backoff_factor, int growth_interval) -> (Tensor, Tensor growth_tracker_out)"};
inline constexpr Schema kUpdateOut{
    "aten::_amp_update_scale.out(Tensor self, Tensor(b!) growth_tracker, Tensor found_inf, float scale_growth_factor, "
    "float scale_backoff_factor, int growth_interval, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schemas kUnscales{kUnscale, kUnscaleCopies, kUnscaleOut};
inline constexpr Schemas kUpdates{kUpdate, kUpdateCopy, kUpdateOut};

}  // namespace ersatz::op_loss_scaling
