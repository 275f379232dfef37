// Tensors joined along a dim.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_cat {

inline constexpr Schema kCat{"aten::cat(Tensor[] tensors, int dim=0) -> Tensor"};

}  // namespace ersatz::op_cat

namespace ersatz::ops {

/// The dtype is promoted from all inputs. 1-d inputs of size 0 fit any shape and are skipped. Channels-last only where
/// every input is.
/// [cat.C1] at least one tensor (value error).
/// [cat.C2] no tensor without dims.
/// [cat.C3] equal ranks, and equal sizes except in `dim`.
Tensor cat(std::span<const Tensor> tensors, int64_t dim = 0);

}  // namespace ersatz::ops
