// Finds NaNs whose bits may differ between devices. A crosscheck compares 8-bit floats by bytes, so these NaNs need an
// exception.
//
// IEEE 754 leaves the sign of a new NaN open. In PyTorch's atanh, digamma, rsqrt, sinh, cosh and sigmoid, the sign
// depends on the tensor's length (vector loop or remainder); in logarithms it depends on the build of SLEEF. A NaN that
// a call copies or converts from an input keeps its bits, which are compared.
#pragma once

#include "fake/crosscheck/call_case.h"

namespace ersatz {

/// Returns whether each NaN in a result must be new, because no input has a NaN. Returns false if the call overwrites
/// an input.
bool makes_its_nans(const CallCase& c);

}  // namespace ersatz
