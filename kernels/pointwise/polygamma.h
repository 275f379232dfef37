// polygamma and mvlgamma.
//
// polygamma(n, self)   derivative n of digamma; integers and bool give the default dtype
// mvlgamma(self, p)    the logarithm of the multivariate gamma function of dimension p
//
// [polygamma.C1] n is not negative.
// [mvlgamma.C1] self is not bool; in place it is a float. [mvlgamma.C2] p is at least 1.
// Source: the ATen ops of these names.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pointwise/polygamma.h"

namespace ersatz::op_polygamma {

inline constexpr TypedSchema kPolygamma{"aten::polygamma(int n, Tensor self) -> Tensor"};
inline constexpr Schema kPolygammaInplace{"aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)"};
inline constexpr Schema kSpecial{"aten::special_polygamma(int n, Tensor self) -> Tensor"};
inline constexpr TypedSchema kMvlgamma{"aten::mvlgamma(Tensor self, int p) -> Tensor"};
inline constexpr Schema kMvlgammaInplace{"aten::mvlgamma_(Tensor(a!) self, int p) -> Tensor(a!)"};

}  // namespace ersatz::op_polygamma
