// Converts runs of f16 and bf16 elements to f32 and back, by conversion instructions if the machine has them.
//
// Rounds to nearest even, like runtime/base/half.h. NaN stays NaN, but a signalling NaN may become quiet.
#pragma once

#include <cstdint>

#include "kernels/pointwise/block_move.h"

namespace ersatz::pointwise {

struct HalfConverters {
  Convert half_to_float, float_to_half, bfloat16_to_float, float_to_bfloat16;
};

#if defined(__x86_64__)
/// Returns conversions for AVX2. REQUIRES: the machine has AVX2 and F16C.
HalfConverters half_converters_avx2();
/// Returns conversions for AVX-512. REQUIRES: the machine has AVX-512 F, BW and VL.
HalfConverters half_converters_avx512();
#endif

}  // namespace ersatz::pointwise
