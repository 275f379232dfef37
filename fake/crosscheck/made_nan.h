// NaNs of 8-bit floats, which a crosscheck compares by bytes.
//
// IEEE 754 leaves the sign of a new NaN open. In PyTorch it depends on the tensor's length (vector loop or remainder)
// in atanh, digamma, rsqrt, sinh, cosh and sigmoid, and on the build of SLEEF in logarithms. A NaN that a call copies
// or converts from an input keeps its bits, and these are compared.
#pragma once

#include "fake/crosscheck/call_case.h"

namespace ersatz {

/// Whether each NaN in a result must be new, since no input has one. false if the call overwrites an input.
bool makes_its_nans(const CallCase& c);

}  // namespace ersatz
