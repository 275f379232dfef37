// Uniform and normal random numbers: `rand`, `randn`, their `*_like` variants, `uniform_`, `normal_`. docs/random.md
// defines which words of the generator each element uses.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/random/rand.h"

namespace ersatz::op_rand {

/// Returns uniform numbers in [0, 1), in the default dtype unless `dtype` is given.
/// [rand.C1] [randn.C1] no size is negative. The dtype is a float or complex.
inline constexpr TypedSchema kRand{
    "aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// Returns normal numbers with mean 0 and variance 1. For complex numbers, both parts together have variance 1.
inline constexpr TypedSchema kRandn{
    "aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// `rand` and `randn` with the sizes, dtype, device and layout of `self` as defaults.
/// [rand_like.C3] [randn_like.C3] the memory format supports the rank of self.
inline constexpr TypedSchema kRandLike{
    "aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr TypedSchema kRandnLike{
    "aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// Returns a copy of `self`, or `self` for `uniform_`, filled with uniform numbers in [from, to).
/// [uniform_.C1] from <= to.
/// [uniform_.C2] both bounds, and their difference, are finite in the dtype.
/// [uniform_.C4] no two elements of self share memory.
inline constexpr TypedSchema kUniform{
    "aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor", kAndInplace};
/// Fills `self` with normal numbers. For a complex tensor, `mean` is the mean of the real part, and std^2 is the
/// variance of both parts together.
/// [normal_.C1] std is not negative.
/// [normal_.C4] no two elements of self share memory.
inline constexpr TypedSchema kNormalInplace{
    "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)"};
inline constexpr Schemas kDraws{kUniform, kNormalInplace};

}  // namespace ersatz::op_rand
