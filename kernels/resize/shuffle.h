// `pixel_shuffle`, `pixel_unshuffle` and `channel_shuffle` rearrange channels and pixels.
//
// The result has the memory format suggest_memory_format(input). On CUDA the result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/resize/shuffle.h"

namespace ersatz::op_shuffle {

/// Moves factor x factor channels to squares of factor x factor pixels.
/// [pixel_shuffle.C1] self has at least three dims.
/// [pixel_shuffle.C2] the factor is positive.
/// [pixel_shuffle.C3] the square of the factor divides the channels.
/// [pixel_shuffle.C4] self is no channels-last volume on the CPU.
inline constexpr TypedSchema kPixelShuffle{"aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"};
/// The inverse of pixel_shuffle. On the CPU an empty input is cloned and keeps its sizes.
/// [pixel_unshuffle.C1] [pixel_unshuffle.C2] are the conditions of [pixel_shuffle.C1] and [pixel_shuffle.C2].
/// [pixel_unshuffle.C3] the factor divides height and width.
/// [pixel_unshuffle.C4] is the condition of [pixel_shuffle.C4].
inline constexpr TypedSchema kPixelUnshuffle{"aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"};
/// Channel j of group i becomes channel i of group j. For an empty input, the result is a view of the input. On CUDA
/// the result is a view too if the input is row-major and no channel moves, because there is one group or each group
/// has one channel.
/// [channel_shuffle.C1] self has more than two dims.
/// [channel_shuffle.C2] `groups` is positive.
/// [channel_shuffle.C3] `groups` divides the number of channels.
inline constexpr TypedSchema kChannelShuffle{"aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor"};

/// The schema of both pixel shuffles. The int is the upscale or downscale factor.
inline constexpr Schema kShuffled{"aten::{}(Tensor self, int {}) -> Tensor"};
inline constexpr Schemas kEach{kPixelShuffle, kPixelUnshuffle, kChannelShuffle};

}  // namespace ersatz::op_shuffle
