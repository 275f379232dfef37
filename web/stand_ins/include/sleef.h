// The functions of SLEEF that kernels/vec/math.h names. Each is a loop over the lanes that calls the C library's
// function.
#pragma once

typedef float SleefFloats __attribute__((vector_size(16)));
typedef double SleefDoubles __attribute__((vector_size(16)));

#define ERSATZ_LANES1(name, suffix)                               \
  inline SleefFloats Sleef_##name##f4##suffix(SleefFloats x) {    \
    for (int i = 0; i < 4; ++i) x[i] = __builtin_##name##f(x[i]); \
    return x;                                                     \
  }                                                               \
  inline SleefDoubles Sleef_##name##d2##suffix(SleefDoubles x) {  \
    for (int i = 0; i < 2; ++i) x[i] = __builtin_##name(x[i]);    \
    return x;                                                     \
  }
#define ERSATZ_LANES2(name, suffix)                                              \
  inline SleefFloats Sleef_##name##f4##suffix(SleefFloats x, SleefFloats y) {    \
    for (int i = 0; i < 4; ++i) x[i] = __builtin_##name##f(x[i], y[i]);          \
    return x;                                                                    \
  }                                                                              \
  inline SleefDoubles Sleef_##name##d2##suffix(SleefDoubles x, SleefDoubles y) { \
    for (int i = 0; i < 2; ++i) x[i] = __builtin_##name(x[i], y[i]);             \
    return x;                                                                    \
  }

ERSATZ_LANES1(exp, _u10)
ERSATZ_LANES1(exp2, _u10)
ERSATZ_LANES1(expm1, _u10)
ERSATZ_LANES1(log, _u10)
ERSATZ_LANES1(log2, _u10)
ERSATZ_LANES1(log10, _u10)
ERSATZ_LANES1(log1p, _u10)
ERSATZ_LANES1(sin, _u10)
ERSATZ_LANES1(cos, _u10)
ERSATZ_LANES1(tan, _u10)
ERSATZ_LANES1(asin, _u10)
ERSATZ_LANES1(acos, _u10)
ERSATZ_LANES1(atan, _u10)
ERSATZ_LANES1(sinh, _u10)
ERSATZ_LANES1(cosh, _u10)
ERSATZ_LANES1(tanh, _u10)
ERSATZ_LANES1(asinh, _u10)
ERSATZ_LANES1(acosh, _u10)
ERSATZ_LANES1(atanh, _u10)
ERSATZ_LANES1(erf, _u10)
ERSATZ_LANES1(lgamma, _u10)
ERSATZ_LANES1(erfc, _u15)
ERSATZ_LANES1(sqrt, _u05)
ERSATZ_LANES1(floor, )
ERSATZ_LANES1(ceil, )
ERSATZ_LANES1(trunc, )
ERSATZ_LANES1(rint, )
ERSATZ_LANES2(pow, _u10)
ERSATZ_LANES2(atan2, _u10)
ERSATZ_LANES2(hypot, _u05)
ERSATZ_LANES2(copysign, )
ERSATZ_LANES2(fmod, )
ERSATZ_LANES2(nextafter, )

#undef ERSATZ_LANES1
#undef ERSATZ_LANES2
