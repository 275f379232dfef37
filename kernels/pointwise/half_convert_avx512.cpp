// Converts sixteen elements at a time, and the last elements of a run under a mask. All intrinsics are the zero-masking
// forms, because the unmasked forms read an undefined register, which g++ warns about.
#include <immintrin.h>

#include "kernels/pointwise/half_convert.h"

namespace ersatz::pointwise {
namespace {

constexpr __mmask16 kAll = 0xffff;

__m256i load_halves(const void* from, int64_t i, __mmask16 lanes) {
  return _mm256_maskz_loadu_epi16(lanes, static_cast<const uint16_t*>(from) + i);
}
void store_halves(void* to, int64_t i, __mmask16 lanes, __m256i halves) {
  _mm256_mask_storeu_epi16(static_cast<uint16_t*>(to) + i, lanes, halves);
}
__m512 load_floats(const void* from, int64_t i, __mmask16 lanes) {
  return _mm512_maskz_loadu_ps(lanes, static_cast<const float*>(from) + i);
}
void store_floats(void* to, int64_t i, __mmask16 lanes, __m512 floats) {
  _mm512_mask_storeu_ps(static_cast<float*>(to) + i, lanes, floats);
}

struct HalfToFloat {
  static void sixteen(void* to, const void* from, int64_t i, __mmask16 lanes) {
    store_floats(to, i, lanes, _mm512_maskz_cvtph_ps(kAll, load_halves(from, i, lanes)));
  }
};

struct FloatToHalf {
  static void sixteen(void* to, const void* from, int64_t i, __mmask16 lanes) {
    store_halves(to, i, lanes, _mm512_maskz_cvtps_ph(kAll, load_floats(from, i, lanes), _MM_FROUND_TO_NEAREST_INT));
  }
};

struct Bfloat16ToFloat {
  static void sixteen(void* to, const void* from, int64_t i, __mmask16 lanes) {
    const __m512i wide = _mm512_maskz_cvtepu16_epi32(kAll, load_halves(from, i, lanes));
    store_floats(to, i, lanes, _mm512_castsi512_ps(_mm512_maskz_slli_epi32(kAll, wide, 16)));
  }
};

struct FloatToBfloat16 {
  static void sixteen(void* to, const void* from, int64_t i, __mmask16 lanes) {
    const __m512 x = load_floats(from, i, lanes);
    const __m512i bits = _mm512_castps_si512(x), high = _mm512_maskz_srli_epi32(kAll, bits, 16);
    const __m512i odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
    const __m512i sum = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    const __mmask16 is_nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    const __m512i quiet = _mm512_or_si512(high, _mm512_set1_epi32(0x40));
    const __m512i chosen = _mm512_mask_mov_epi32(_mm512_maskz_srli_epi32(kAll, sum, 16), is_nan, quiet);
    store_halves(to, i, lanes, _mm512_maskz_cvtepi32_epi16(kAll, chosen));
  }
};

template <class C>
void convert(void* to, const void* from, int64_t n) {
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) C::sixteen(to, from, i, kAll);
  if (i < n) C::sixteen(to, from, i, static_cast<__mmask16>((1u << (n - i)) - 1));
}

}  // namespace

HalfConverters half_converters_avx512() {
  return {convert<HalfToFloat>, convert<FloatToHalf>, convert<Bfloat16ToFloat>, convert<FloatToBfloat16>};
}

}  // namespace ersatz::pointwise
