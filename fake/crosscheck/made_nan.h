// NaNs of 8-bit floats, whose bytes crosscheck compares.
//
// IEEE 754 leaves the sign of a NaN open that an operation makes. PyTorch's own goes by the length of the tensor
// (vector loops and the elements behind them) in atanh, digamma, rsqrt, sinh, cosh and sigmoid, and by its build of
// SLEEF in logarithms. What a call copies or converts it has from an input, and there the bits count.
#pragma once

#include "fake/crosscheck/call_case.h"

namespace ersatz {

/// Would each NaN in a result be made by the call, because no input has one? False too if an input is overwritten.
bool makes_its_nans(const CallCase& c);

}  // namespace ersatz
