// Runs the kernels of a program at other sizes, and compares their results with those of the symbolic run.
#pragma once

#include "tools/program/crosscheck_run.h"
#include "tools/size_coverage/cover.h"

namespace ersatz::tools {

struct KernelsAtSizes {
  int64_t compared = 0, mismatched = 0;
  std::vector<Finding> findings;
  /// Why a kernel refused the call: an assertion of the program about its data failed, or the case does not cover the
  /// data.
  std::string refused;
};

/// Limits for a run at other sizes. A run that costs more is not made.
inline constexpr double kMostKernelFlops = 2e9;
inline constexpr int64_t kMostKernelBytes = int64_t(1) << 30;
bool affordable(const FakeSummary& on_numbers);

/// Runs `program` on synthetic inputs. Compares each result with its rule and with the case's result. REQUIRES:
/// `program` was loaded again, and its example sizes are the sizes to try.
KernelsAtSizes run_kernels(Program program, const SizeCase& answered, CrosscheckRunOptions options);

}  // namespace ersatz::tools
