// NaNs of 8-bit floats, which a crosscheck compares by bytes.
//
// IEEE 754 leaves the sign of a new NaN open. In PyTorch's atanh, digamma, rsqrt, sinh, cosh and sigmoid, the sign
// depends on the tensor's length (vector loop or remainder); in logarithms, on the build of SLEEF. A NaN that a call
// copies or converts from an input keeps its bits, and these are compared.
#pragma once

#include "fake/crosscheck/call_case.h"

namespace ersatz {

/// Whether each NaN in a result must be new, since no input has one. false if the call overwrites an input.
bool makes_its_nans(const CallCase& c);

}  // namespace ersatz
