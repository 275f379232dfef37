// Uniform and normal random numbers: `rand`, `randn`, their `*_like` forms, `uniform_`, `normal_`. Which words of the
// generator an element takes is written in docs/random.md.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/random/rand.h"

namespace ersatz::op_rand {

/// Uniform in [0, 1); the default dtype unless given.
/// [rand.C1] [randn.C1] no negative size. A floating or complex dtype.
inline constexpr TypedSchema kRand{
    "aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// Normal, mean 0, variance 1 (of a complex number: in all).
inline constexpr TypedSchema kRandn{
    "aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// [rand_like.C3] [randn_like.C3] a rank that the memory format has.
inline constexpr TypedSchema kRandLike{
    "aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr TypedSchema kRandnLike{
    "aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// [uniform_.C1] from <= to.
/// [uniform_.C2] both, and what lies between them, are finite in the dtype.
/// [uniform_.C4] no two elements of self share memory.
inline constexpr TypedSchema kUniform{
    "aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor", kAndInplace};
/// Of a complex tensor `mean` is the real part's, and the variance std^2 that of both parts together.
/// [normal_.C1] std >= 0.
/// [normal_.C4] no two elements of self share memory.
inline constexpr TypedSchema kNormalInplace{
    "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)"};
inline constexpr Schemas kDraws{kUniform, kNormalInplace};

}  // namespace ersatz::op_rand
