// Which instruction set the CPU kernels use: the best that the machine has, or what ERSATZ_CPU asks for.
//
// ERSATZ_CPU is `baseline`, `avx2` or `avx512`; asking for more than the machine has gives what it has. Decided once,
// on first use; any thread.
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

/// What the machine has.
CpuLevel detected_cpu_level();
/// What kernels use.
CpuLevel cpu_level();

/// Pieces of work below this many elements are not worth another thread.
inline constexpr int64_t kElementwiseGrain = 32768;

}  // namespace ersatz
