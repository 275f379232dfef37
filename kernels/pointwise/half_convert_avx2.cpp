// Converts eight elements at a time. The last elements of a run are copied to a buffer of eight.
#include <immintrin.h>

#include <cstring>

#include "kernels/pointwise/half_convert.h"

namespace ersatz::pointwise {
namespace {

struct HalfToFloat {
  using From = uint16_t;
  using To = float;
  static void eight(const From* from, To* to) {
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  }
};

struct FloatToHalf {
  using From = float;
  using To = uint16_t;
  static void eight(const From* from, To* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
  }
};

struct Bfloat16ToFloat {
  using From = uint16_t;
  using To = float;
  static void eight(const From* from, To* to) {
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    _mm256_storeu_ps(to, _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16)));
  }
};

struct FloatToBfloat16 {
  using From = float;
  using To = uint16_t;
  static void eight(const From* from, To* to) {
    const __m256 x = _mm256_loadu_ps(from);
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i high = _mm256_srli_epi32(bits, 16);
    const __m256i odd = _mm256_and_si256(high, _mm256_set1_epi32(1));
    const __m256i rounded =
        _mm256_srli_epi32(_mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))), 16);
    const __m256i quiet = _mm256_or_si256(high, _mm256_set1_epi32(0x40));
    const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    const __m256i chosen = _mm256_blendv_epi8(rounded, quiet, is_nan);
    // packus works on each 128-bit half of the register, so the permutation joins its two results.
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(chosen, chosen), 0b1000);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(packed));
  }
};

template <class C>
void convert(void* to, const void* from, int64_t n) {
  typename C::To* out = static_cast<typename C::To*>(to);
  const typename C::From* in = static_cast<const typename C::From*>(from);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) C::eight(in + i, out + i);
  if (i == n) return;
  typename C::From last[8] = {};
  typename C::To done[8];
  std::memcpy(last, in + i, static_cast<size_t>(n - i) * sizeof(last[0]));
  C::eight(last, done);
  std::memcpy(out + i, done, static_cast<size_t>(n - i) * sizeof(done[0]));
}

}  // namespace

HalfConverters half_converters_avx2() {
  return {convert<HalfToFloat>, convert<FloatToHalf>, convert<Bfloat16ToFloat>, convert<FloatToBfloat16>};
}

}  // namespace ersatz::pointwise
