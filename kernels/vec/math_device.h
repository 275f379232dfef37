// The functions of vec/math.h for numbers on a GPU. CUDA's math functions compute them (accuracies: CUDA programming
// guide, "Mathematical Functions"). nvcc includes this file instead of vec/math.h. The emulated device uses vec/math.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz::vec {
namespace {
namespace m {

#define ERSATZ_CALL1(name)                                      \
  ERSATZ_HD inline float name(float x) { return ::name##f(x); } \
  ERSATZ_HD inline double name(double x) { return ::name(x); }
#define ERSATZ_CALL2(name)                                                  \
  ERSATZ_HD inline float name(float x, float y) { return ::name##f(x, y); } \
  ERSATZ_HD inline double name(double x, double y) { return ::name(x, y); }
ERSATZ_CALL1(exp)
ERSATZ_CALL1(exp2)
ERSATZ_CALL1(expm1)
ERSATZ_CALL1(log)
ERSATZ_CALL1(log2)
ERSATZ_CALL1(log10)
ERSATZ_CALL1(log1p)
ERSATZ_CALL1(sin)
ERSATZ_CALL1(cos)
ERSATZ_CALL1(tan)
ERSATZ_CALL1(asin)
ERSATZ_CALL1(acos)
ERSATZ_CALL1(atan)
ERSATZ_CALL1(sinh)
ERSATZ_CALL1(cosh)
ERSATZ_CALL1(tanh)
ERSATZ_CALL1(asinh)
ERSATZ_CALL1(acosh)
ERSATZ_CALL1(atanh)
ERSATZ_CALL1(erf)
ERSATZ_CALL1(erfc)
ERSATZ_CALL1(lgamma)
ERSATZ_CALL1(floor)
ERSATZ_CALL1(ceil)
ERSATZ_CALL1(trunc)
ERSATZ_CALL1(rint)
ERSATZ_CALL1(sqrt)
ERSATZ_CALL2(pow)
ERSATZ_CALL2(atan2)
ERSATZ_CALL2(hypot)
ERSATZ_CALL2(copysign)
ERSATZ_CALL2(fmod)
ERSATZ_CALL2(nextafter)
#undef ERSATZ_CALL1
#undef ERSATZ_CALL2

ERSATZ_HD inline float abs(float x) { return ::fabsf(x); }
ERSATZ_HD inline double abs(double x) { return ::fabs(x); }
template <class T>
ERSATZ_HD T select(bool mask, T yes, T no) {
  return mask ? yes : no;
}
ERSATZ_HD inline bool both(bool p, bool q) { return p && q; }
ERSATZ_HD inline bool either(bool p, bool q) { return p || q; }
ERSATZ_HD inline bool differ(bool p, bool q) { return p != q; }

}  // namespace m
}  // namespace
}  // namespace ersatz::vec
