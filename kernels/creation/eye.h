// The identity matrix: `eye`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/creation/eye.h"

namespace ersatz::op_eye {

/// Returns a matrix [n, n] or [n, m] with ones on the diagonal and zeros elsewhere.
/// [eye.C1] n and m are not negative.
inline constexpr TypedSchema kEye{
    "aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) "
    "-> Tensor"};
inline constexpr TypedSchema kEyeM{
    "aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};

}  // namespace ersatz::op_eye
