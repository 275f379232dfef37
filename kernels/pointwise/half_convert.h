// Converts runs of f16 and bf16 elements to f32 and back, with the machine's conversion instructions if it has them.
//
// Rounds like runtime/base/half.h: to nearest even. NaN stays NaN (a signalling one may become quiet).
#pragma once

#include <cstdint>

#include "kernels/pointwise/block_move.h"

namespace ersatz::pointwise {

struct HalfConverters {
  Convert half_to_float, float_to_half, bfloat16_to_float, float_to_bfloat16;
};

#if defined(__x86_64__)
/// REQUIRES: AVX2 and F16C.
HalfConverters half_converters_avx2();
/// REQUIRES: AVX-512 F, BW, VL.
HalfConverters half_converters_avx512();
#endif

}  // namespace ersatz::pointwise
