// `bernoulli`, `bernoulli_`, `dropout`: zeros and ones with a given probability.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/random/bernoulli.h"

namespace ersatz::op_bernoulli {

/// Returns 1 with the probability that is the element of `self`, else 0; row-major. The dtype is a float.
/// Values: each element is in [0, 1] (RuntimeError).
inline constexpr TypedSchema kBernoulli{"aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor"};
/// Returns 1 with probability p, else 0, in the sizes and dtype of `self`; row-major. The dtype is real or bool.
/// [bernoulli.C1] p is in [0, 1].
inline constexpr TypedSchema kBernoulliP{
    "aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor"};
/// Probabilities have a float dtype and broadcast to `self`. The result has the layout of a clone of `self`.
/// [bernoulli.C2] p broadcasts to self.
inline constexpr TypedSchema kBernoulliTensor{
    "aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor"};
inline constexpr Schema kBernoulliFloatOut{
    "aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)"};
/// Fills `self` and returns it.
/// [bernoulli_.C1] p is in [0, 1].
/// [bernoulli_.C3] no two elements of self share memory.
inline constexpr TypedSchema kBernoulliInplaceFloat{
    "aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)"};
/// [bernoulli_.C2] p broadcasts to self.
inline constexpr TypedSchema kBernoulliInplaceTensor{
    "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)"};
/// Returns (result, mask). In training, elements are zeroed with probability p and others scaled by 1 / (1 - p).
/// Otherwise returns a copy and a mask of ones. For an empty input, returns the input itself and a mask of its dtype;
/// on CUDA, a copy and a bool mask.
/// [native_dropout.C1] in training, p is in [0, 1].
/// [native_dropout.C2] in training, the dtype is a float or complex; on CUDA, a float.
inline constexpr TypedSchema kNativeDropout{
    "aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)"};
/// Returns the input itself if `train` is false.
/// [dropout.C1] p is in [0, 1]. dropout_family.h has the related ops.
inline constexpr TypedSchema kDropout{"aten::dropout(Tensor input, float p, bool train) -> Tensor"};

}  // namespace ersatz::op_bernoulli
