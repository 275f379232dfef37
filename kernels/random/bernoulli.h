// Zeros and ones with a given probability: `bernoulli`, `bernoulli_`, `dropout`.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/random/bernoulli.h"

namespace ersatz::op_bernoulli {

/// 1 with the probability that the element of `self` is, else 0; row-major. A floating dtype.
/// Values: each lies in [0, 1] (runtime error).
inline constexpr TypedSchema kBernoulli{"aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor"};
/// 1 with probability p; sizes and dtype of `self`, row-major. A real dtype or bool.
/// [bernoulli.C1] p lies in [0, 1].
inline constexpr TypedSchema kBernoulliP{
    "aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor"};
/// Probabilities of a floating dtype, broadcast to `self`, whose layout `clone` would keep.
/// [bernoulli.C2] p broadcasts to self.
inline constexpr TypedSchema kBernoulliTensor{
    "aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor"};
inline constexpr Schema kBernoulliFloatOut{
    "aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)"};
/// `self` itself.
/// [bernoulli_.C1] p lies in [0, 1].
/// [bernoulli_.C3] no two elements of self share memory.
inline constexpr TypedSchema kBernoulliInplaceFloat{
    "aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)"};
/// [bernoulli_.C2] p broadcasts to self.
inline constexpr TypedSchema kBernoulliInplaceTensor{
    "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)"};
/// (result, mask): in training elements are zeroed with probability p, the others scaled by 1/(1-p); else a copy and a
/// mask of ones. Of nothing: the input itself, and a mask of its dtype; on CUDA a copy and a bool mask as ever.
/// [native_dropout.C1] in training, p lies in [0, 1].
/// [native_dropout.C2] in training, a floating or complex dtype; on CUDA a floating one.
inline constexpr TypedSchema kNativeDropout{
    "aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)"};
/// The input itself out of training.
/// [dropout.C1] p lies in [0, 1]. Beside its kin, in dropout_family.h.
inline constexpr TypedSchema kDropout{"aten::dropout(Tensor input, float p, bool train) -> Tensor"};

}  // namespace ersatz::op_bernoulli
