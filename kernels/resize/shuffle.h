// `pixel_shuffle`, `pixel_unshuffle`, `channel_shuffle`: rearranges channels and pixels.
//
// The result has the memory format that the input's strides suggest (on CUDA: row-major).
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/resize/shuffle.h"

namespace ersatz::op_shuffle {

/// Moves factor x factor channels to squares of factor x factor pixels.
/// [pixel_shuffle.C1] self has at least three dims.
/// [pixel_shuffle.C2] the factor is positive.
/// [pixel_shuffle.C3] the square of the factor divides the channels.
/// [pixel_shuffle.C4] on the CPU, self is no channels-last volume.
inline constexpr TypedSchema kPixelShuffle{"aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"};
/// The inverse of pixel_shuffle. On the CPU an empty input is cloned with its sizes.
/// [pixel_unshuffle.C1] [pixel_unshuffle.C2] those of pixel_shuffle.
/// [pixel_unshuffle.C3] the factor divides height and width.
/// [pixel_unshuffle.C4] that of pixel_shuffle.
inline constexpr TypedSchema kPixelUnshuffle{"aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"};
/// Channel j of group i becomes channel i of group j. The result is a view of an empty input. On CUDA it is also a view
/// if the input is row-major and there is one group, or groups have one channel, so that no channel moves.
/// [channel_shuffle.C1] self has more than two dims.
/// [channel_shuffle.C2] groups is positive.
/// [channel_shuffle.C3] groups divides the channels.
inline constexpr TypedSchema kChannelShuffle{"aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor"};

/// Both pixel shuffles, by an upscale or downscale factor.
inline constexpr Schema kShuffled{"aten::{}(Tensor self, int {}) -> Tensor"};
inline constexpr Schemas kEach{kPixelShuffle, kPixelUnshuffle, kChannelShuffle};

}  // namespace ersatz::op_shuffle
