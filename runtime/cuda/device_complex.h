// Complex numbers that device code can compute with: the standard library's on the host, libcu++'s for a GPU. Two reals
// in a row either way.
#pragma once

#if defined(__CUDACC__)
#include <cuda/std/complex>
#else
#include <complex>
#endif

namespace ersatz {

#if defined(__CUDACC__)
namespace complex_math = ::cuda::std;
#else
namespace complex_math = ::std;
#endif
template <class T>
using DeviceComplex = complex_math::complex<T>;

}  // namespace ersatz
