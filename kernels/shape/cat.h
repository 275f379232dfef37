// cat: tensors joined along a dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/cat.h"

namespace ersatz::op_cat {

/// The dtype is promoted from all inputs. 1-d inputs of size 0 are skipped, whatever the other sizes are. The result is
/// channels-last only if every input is.
/// [cat.C1] there is at least one tensor (ValueError).
/// [cat.C2] each tensor has dims.
/// [cat.C3] ranks are equal, and so are sizes except in `dim`.
inline constexpr TypedSchema kCat{"aten::cat(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_cat
