// The instruction set that the CPU kernels use: the best that the machine has, or the one that ERSATZ_CPU names.
//
// ERSATZ_CPU is `baseline`, `avx2` or `avx512`; a level above the machine's gives the machine's. The level is decided
// once, on first use, by any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace ersatz {

enum class CpuLevel : uint8_t {
  Baseline,  ///< what every machine of this architecture has
  Avx2,      ///< AVX2, FMA, F16C
  Avx512     ///< the above and AVX-512 F, BW, DQ, VL
};
inline constexpr int kCpuLevelCount = 3;
std::string_view name(CpuLevel level);  ///< as ERSATZ_CPU spells it

/// The best level that the machine has.
CpuLevel detected_cpu_level();
/// The level that kernels use: detected_cpu_level(), or a lower one from ERSATZ_CPU.
CpuLevel cpu_level();

/// The grain of parallel_for in elementwise kernels: fewer elements are not worth another thread.
inline constexpr int64_t kElementwiseGrain = 32768;

}  // namespace ersatz
