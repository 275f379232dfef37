// May a number be written to an element of some dtype?
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// False where ATen's checked conversion raises: a number outside the dtype's range (an infinity fits a float, minus
/// 255 to 255 fit u8), a complex number with an imaginary part for a real dtype. Anything fits bool.
bool scalar_fits(const Scalar& value, DType dtype);
/// Refuses a number that does not fit, under `label`.
void require_fits(const RuleCall& call, const Scalar& value, DType dtype, std::string_view label);

}  // namespace ersatz
