// Tensors joined along a dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/cat.h"

namespace ersatz::op_cat {

/// The dtype is promoted from all inputs. 1-d inputs of size 0 fit any shape and are skipped. Channels-last only where
/// every input is.
/// [cat.C1] at least one tensor (value error).
/// [cat.C2] no tensor without dims.
/// [cat.C3] equal ranks, and equal sizes except in `dim`.
inline constexpr TypedSchema kCat{"aten::cat(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_cat
