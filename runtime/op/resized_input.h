// A check for those ATen operators that resize `out` before they read the sizes of an input.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Raises an error if `out` is the tensor `input` itself and its sizes differ from `result`: resizing `out` would lose
/// the sizes of the input.
inline void require_not_resized(const RuleCall& call, const TensorImpl* input, const TensorImpl* out,
                                std::span<const SymInt> result) {
  call.require(input != out || same_sizes(out->meta.sizes, result), "overlap.or_any",
               "the out argument {} is an input whose sizes are read later, and it has to be resized to {}", out->meta,
               result);
}

}  // namespace ersatz
