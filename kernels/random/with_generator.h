// Random factories with a `generator` argument. They allocate the tensor, and call the in-place op with the generator.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_with_generator {

/// `rand` and `randn` with a generator.
inline constexpr Schema kSized{
    "aten::{}.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kLike{
    "aten::{}.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// `randint` with a generator.
inline constexpr Schema kBelow{
    "aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kBetween{
    "aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kLikeBelow{
    "aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kLikeBetween{
    "aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? generator, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> "
    "Tensor"};
/// `randint_like` whose bound is the value of a tensor.
inline constexpr Schema kLikeBelowTensor{
    "aten::randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// Returns a copy of self that `normal_` has filled.
inline constexpr Schema kNormalFunctional{
    "aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor"};

}  // namespace ersatz::op_with_generator
