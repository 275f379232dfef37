// A tensor several times along its dims: `repeat`, `tile`.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_repeat {

inline constexpr Schema kRepeat{"aten::repeat(Tensor self, SymInt[] repeats) -> Tensor"};
inline constexpr Schema kTile{"aten::tile(Tensor self, SymInt[] dims) -> Tensor"};

}  // namespace ersatz::op_repeat

namespace ersatz::ops {

/// `repeats[d]` copies side by side along each dim, in a row-major tensor; more repeats than dims add dims in front.
/// [repeat.C1] a repeat for each dim at least.
/// [repeat.C2] none negative, but of a dim of size 0.
Tensor repeat(const Tensor& self, std::span<const SymInt> repeats);
/// `repeat` with ones in front where there are fewer repeats than dims.
Tensor tile(const Tensor& self, std::span<const SymInt> dims);

}  // namespace ersatz::ops
