// Complex numbers for device code: the standard library's type on the host, libcu++'s on a GPU. Both store the real
// part before the imaginary part.
#pragma once

#if defined(__CUDACC__)
#include <cuda/std/complex>
#else
#include <complex>
#endif

#include "runtime/cuda/device_code.h"

namespace ersatz {

#if defined(__CUDACC__)
namespace complex_math = ::cuda::std;
#else
namespace complex_math = ::std;
#endif
template <class T>
using DeviceComplex = complex_math::complex<T>;

template <class T>
ERSATZ_HD_CALL DeviceComplex<T> product_with_infinities(const DeviceComplex<T>& a, const DeviceComplex<T>& b) {
  return a * b;
}
/// Returns a * b. If both parts are NaN, product_with_infinities() computes the product again, because infinite factors
/// may give NaN in the short formula. That function is not inlined, because it is most of the operator's code.
template <class T>
ERSATZ_HD T product(const T& a, const T& b) {
  return a * b;
}
template <class T>
ERSATZ_HD DeviceComplex<T> product(const DeviceComplex<T>& a, const DeviceComplex<T>& b) {
  const T re = a.real() * b.real() - a.imag() * b.imag(), im = a.real() * b.imag() + a.imag() * b.real();
  return re != re && im != im ? product_with_infinities(a, b) : DeviceComplex<T>(re, im);
}

}  // namespace ersatz
