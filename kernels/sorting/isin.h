// isin: tests whether each element is among the test elements.
//
// Elements and test elements are compared in their common dtype. Bool and complex are not supported, neither for
// tensors nor for numbers. A NaN equals nothing. The result is bool and row-major. `invert` negates the result.
//
// [isin.C1] If the test elements are few relative to the elements, they can be viewed as a 1-d tensor.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/sorting/isin.h"

namespace ersatz::op_isin {

inline constexpr TypedSchema kIsinTensorTensor{
    "aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) "
    "-> Tensor"};
inline constexpr Schema kIsinTensorScalar{
    "aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> "
    "Tensor"};
inline constexpr Schema kIsinScalarTensor{
    "aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> "
    "Tensor"};

/// The schema of all overloads. {0} is the elements (`element`, `elements`), {1} the test elements (`test_element`,
/// `test_elements`).
inline constexpr Schema kIsin{
    "aten::isin.{}({} {0}, {} {1}, *, bool assume_unique=False, bool invert=False) -> Tensor"};

}  // namespace ersatz::op_isin
