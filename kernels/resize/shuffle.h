// Channels and pixels in other places: `pixel_shuffle`, `pixel_unshuffle`, `channel_shuffle`.
//
// The result has the memory format that the input looks like (on CUDA: row-major).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/resize/shuffle.h"

namespace ersatz::op_shuffle {

/// Squares of factor x factor channels become squares of pixels.
/// [pixel_shuffle.C1] at least three dims.
/// [pixel_shuffle.C2] a positive factor.
/// [pixel_shuffle.C3] its square divides the channels.
/// [pixel_shuffle.C4] on the CPU no channels-last volume.
inline constexpr TypedSchema kPixelShuffle{"aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"};
/// Back again. On the CPU an empty input is cloned, sizes and all.
/// [pixel_unshuffle.C1] [pixel_unshuffle.C2] as pixel_shuffle.
/// [pixel_unshuffle.C3] the factor divides height and width.
/// [pixel_unshuffle.C4] as pixel_shuffle.
inline constexpr TypedSchema kPixelUnshuffle{"aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"};
/// Channel j of group i becomes channel i of group j. The result is a view of the input where that is empty, on CUDA
/// also where it is row-major and one group, or groups of one channel, leave all where they are.
/// [channel_shuffle.C1] more than two dims.
/// [channel_shuffle.C2] positive groups.
/// [channel_shuffle.C3] they divide the channels.
inline constexpr TypedSchema kChannelShuffle{"aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor"};

/// Both pixel shuffles, by an upscale or downscale factor.
inline constexpr Schema kShuffled{"aten::{}(Tensor self, int {}) -> Tensor"};
inline constexpr Schemas kEach{kPixelShuffle, kPixelUnshuffle, kChannelShuffle};

}  // namespace ersatz::op_shuffle
