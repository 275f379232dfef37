// Complex numbers that device code can compute with: the standard library's on the host, libcu++'s for a GPU. Two reals
// in a row either way.
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
/// a * b. The library's second try, for infinities that came out as NaN, is a call: it is most of the operator's code.
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
