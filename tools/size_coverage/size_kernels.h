// Runs the kernels of a program at other sizes, and compares their results with those of the symbolic run.
#pragma once

#include "tools/program/crosscheck_run.h"
#include "tools/size_coverage/cover.h"

namespace ersatz::tools {

struct KernelsAtSizes {
  int64_t compared = 0, mismatched = 0;
  std::vector<Finding> findings;
  std::string refused;  ///< why a kernel refused: the program asserts something about its data, or the case does not
                        ///< cover them
};

/// Limits of a run at other sizes: a costlier run is not made.
inline constexpr double kMostKernelFlops = 2e9;
inline constexpr int64_t kMostKernelBytes = int64_t(1) << 30;
bool affordable(const FakeSummary& on_numbers);

/// Runs `program` on synthetic inputs and compares each result with its rule and with the case's result. REQUIRES:
/// `program` is loaded again, with the sizes as its example sizes.
KernelsAtSizes run_kernels(Program program, const SizeCase& answered, CrosscheckRunOptions options);

}  // namespace ersatz::tools
