// The instruction set that CPU kernels use: the best one of the machine, or the one that ERSATZ_CPU names.
//
// ERSATZ_CPU is `baseline`, `avx2` or `avx512`. A level that the machine does not have selects the machine's best
// level. The level is determined once, on first use, on any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace ersatz {

enum class CpuLevel : uint8_t {
  Baseline,  ///< the instructions that all machines of this architecture have
  Avx2,      ///< AVX2, FMA, F16C
  Avx512     ///< Avx2, and AVX-512 F, BW, DQ, VL
};
inline constexpr int kCpuLevelCount = 3;
std::string_view name(CpuLevel level);  ///< the name in ERSATZ_CPU

/// Returns the best level of the machine.
CpuLevel detected_cpu_level();
/// Returns the level that kernels use: detected_cpu_level(), or a lower one from ERSATZ_CPU.
CpuLevel cpu_level();

/// The grain of parallel_for in elementwise kernels. For fewer elements, another thread is not worth its cost.
inline constexpr int64_t kElementwiseGrain = 32768;

}  // namespace ersatz
