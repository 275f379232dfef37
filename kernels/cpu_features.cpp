#include "kernels/cpu_features.h"

#include <algorithm>
#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ersatz {

std::string_view name(CpuLevel level) {
  switch (level) {
    case CpuLevel::Baseline:
      return "baseline";
    case CpuLevel::Avx2:
      return "avx2";
    case CpuLevel::Avx512:
      return "avx512";
  }
  return "";
}

CpuLevel detected_cpu_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  unsigned a = 0, b = 0, c = 0, d = 0;
  // some compilers do not accept "f16c" in __builtin_cpu_supports
  bool f16c = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !f16c) return CpuLevel::Baseline;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return CpuLevel::Avx512;
  }
  return CpuLevel::Avx2;
#else
  return CpuLevel::Baseline;
#endif
}

CpuLevel cpu_level() {
  static const CpuLevel level = [] {
    CpuLevel best = detected_cpu_level();
    const char* asked = std::getenv("ERSATZ_CPU");
    for (CpuLevel l : {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512}) {
      if (asked && name(l) == asked) return std::min(l, best);
    }
    return best;
  }();
  return level;
}

}  // namespace ersatz
