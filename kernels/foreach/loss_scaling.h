// Gradients of a loss that was scaled, so that small ones are no zeros of a narrow dtype: scaled back, with a look for
// infinities, and the scale for the next step. Constraints, where `op` is the op's name:
//
// [op.C1] found_inf, inv_scale, the scale and its tracker are one number each.
// [op.C2] they are f32, the tracker i32.
// Gradients have a floating dtype.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_loss_scaling {

/// Multiplies each by inv_scale; found_inf becomes 1 where an element was infinite or no number.
inline constexpr Schema kUnscale{
    "aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, Tensor inv_scale) -> "
    "()"};
inline constexpr Schema kUnscaleCopies{
    "aten::_amp_foreach_non_finite_check_and_unscale(Tensor[] self, Tensor found_inf, Tensor inv_scale) -> (Tensor[] "
    "self_out, Tensor found_inf_out)"};
inline constexpr Schema kUnscaleOut{
    "aten::_amp_foreach_non_finite_check_and_unscale.out(Tensor[] self, Tensor(b!) found_inf, Tensor inv_scale, *, "
    "Tensor(a!)[] out) -> ()"};
/// Where an infinity was found the scale is multiplied by the backoff factor; after growth_interval steps without one
/// by the growth factor, if it stays finite. The tracker counts these steps.
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
