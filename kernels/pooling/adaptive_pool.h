// Pools whose windows are chosen so that the output has the requested size: `adaptive_avg_pool3d` and
// `adaptive_max_pool1d` to `adaptive_max_pool3d`.
//
// Constraints
// [adaptive_max_pool2d.C1] output_size has two elements, which are not negative.
// [adaptive_max_pool2d.C2] the input is 3-d or 4-d, and only the first dim may be empty.
// [adaptive_max_pool3d.C1] [_adaptive_avg_pool3d.C1] output_size has three elements, which are not negative.
// [adaptive_max_pool3d.C2] [_adaptive_avg_pool3d.C2] the input is 4-d or 5-d, and only the first dim may be empty.
// [adaptive_max_pool1d.C1] output_size is one int. [adaptive_max_pool1d.C2] the input is 2-d or 3-d.
// [adaptive_avg_pool3d.C1] output_size has three elements.
//
// Output index o covers the inputs [floor(o * in / out), ceil((o + 1) * in / out)). Two results are channels-last if
// suggest_memory_format(input) is: adaptive_max_pool2d of a batch, and adaptive_avg_pool3d to 1 x 1 x 1, which is the
// mean over the last three dims. All other results are row-major.
#pragma once

#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/pooling/adaptive_pool.h"

namespace ersatz::op_adaptive_pool {

inline constexpr Schema kAdaptiveAvgPool3dKernel{
    "aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor"};
inline constexpr TypedSchema kAdaptiveAvgPool3d{
    "aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor"};
inline constexpr Schema kAdaptiveAvgPool3dOut{
    "aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kAdaptiveMaxPool2d{
    "aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)"};
inline constexpr Schema kAdaptiveMaxPool3d{
    "aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)"};
inline constexpr Schema kAdaptiveMaxPool1d{
    "aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)"};
inline constexpr Schemas kWithKernels{kAdaptiveAvgPool3dKernel, kAdaptiveMaxPool2d, kAdaptiveMaxPool3d};
inline constexpr Schemas kMaxima{kAdaptiveMaxPool2d, kAdaptiveMaxPool3d};

}  // namespace ersatz::op_adaptive_pool

namespace ersatz::ops {

/// Returns values and their indices within an image. `output_size` has one to three elements, one for each spatial dim.
std::pair<Tensor, Tensor> adaptive_max_pool(const Tensor& self, std::span<const SymInt> output_size);

}  // namespace ersatz::ops
