// Uniform random integers: `randint` and `randint_like`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/random/randint.h"

namespace ersatz::op_randint {

inline constexpr Schema kRandintLike{
    "aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kRandintLikeLowDtype{
    "aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kRandintLikeTensor{
    "aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kRandint{
    "aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// Returns integers in [low, high), as i64 unless `dtype` is given.
/// [randint.C1] no size is negative.
/// [randint.C2] low is less than high.
/// [randint.C3] low and high - 1 are representable in the dtype, which is not complex.
/// `randint_like` has these constraints on its bounds, and also:
/// [randint_like.C4] the memory format supports the rank of self.
/// [randint_like.C5] a bound that is a tensor is on the CPU and has no dims.
inline constexpr TypedSchema kRandintLow{
    "aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};

}  // namespace ersatz::op_randint
