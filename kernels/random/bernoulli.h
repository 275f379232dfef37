// `bernoulli`, `bernoulli_`, `native_dropout`, `dropout`: draw zeros and ones with a given probability.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/random/bernoulli.h"

namespace ersatz::op_bernoulli {

/// Returns a row-major tensor with the sizes and dtype of `self`, a float. The corresponding element of `self` is the
/// probability that an element is 1; else it is 0.
/// Values: each element is in [0, 1] (else RuntimeError).
inline constexpr TypedSchema kBernoulli{"aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor"};
/// Returns a row-major tensor with the sizes and dtype of `self`. Its elements are 1 with probability p, else 0. The
/// dtype is real or bool.
/// [bernoulli.C1] p is in [0, 1].
inline constexpr TypedSchema kBernoulliP{
    "aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor"};
/// Like bernoulli.p, with one probability for each element of `self`: `p` is a float tensor that broadcasts to `self`.
/// The result has the layout of a clone of `self`.
/// [bernoulli.C2] p broadcasts to self.
inline constexpr TypedSchema kBernoulliTensor{
    "aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor"};
inline constexpr Schema kBernoulliFloatOut{
    "aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)"};
/// Fills `self` with ones (with probability p) and zeros, and returns `self`.
/// [bernoulli_.C1] p is in [0, 1].
/// [bernoulli_.C3] no two elements of self share memory.
inline constexpr TypedSchema kBernoulliInplaceFloat{
    "aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)"};
/// [bernoulli_.C2] p broadcasts to self.
inline constexpr TypedSchema kBernoulliInplaceTensor{
    "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)"};
/// Returns (result, mask). In training, sets elements to zero with probability p and multiplies the others by 1 / (1 -
/// p). Outside of training, returns a copy of the input and a mask of ones. For an empty input on the CPU, returns the
/// input itself and a mask of the input's dtype; on CUDA, a copy and a bool mask.
/// [native_dropout.C1] in training, p is in [0, 1].
/// [native_dropout.C2] in training, the dtype is a float or complex; on CUDA, a float.
inline constexpr TypedSchema kNativeDropout{
    "aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)"};
/// `native_dropout` without the mask. Returns the input itself if `train` is false.
/// [dropout.C1] p is in [0, 1]. dropout_family.h declares the related ops.
inline constexpr TypedSchema kDropout{"aten::dropout(Tensor input, float p, bool train) -> Tensor"};

}  // namespace ersatz::op_bernoulli
