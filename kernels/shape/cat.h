// `cat` joins tensors along a dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/cat.h"

namespace ersatz::op_cat {

/// The result has the dtype promoted from all inputs. 1-d inputs of size 0 are skipped, even if the ranks differ. The
/// result is channels-last only if the strides of all inputs suggest channels-last.
/// [cat.C1] `tensors` is not empty (ValueError).
/// [cat.C2] no tensor is 0-d.
/// [cat.C3] all tensors have one rank, and equal sizes except in `dim`.
inline constexpr TypedSchema kCat{"aten::cat(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_cat
