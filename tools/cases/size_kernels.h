// The kernels of a program run at other sizes, their results held against the answers with symbols.
#pragma once

#include "tools/cases/cover.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

struct KernelsAtSizes {
  int64_t compared = 0, mismatched = 0;
  std::vector<Finding> findings;
  std::string refused;  ///< data that the program asserts otherwise, or that the case leaves out
};

/// A run at sizes is made where it takes no more than this.
inline constexpr double kMostKernelFlops = 2e9;
inline constexpr int64_t kMostKernelBytes = int64_t(1) << 30;
bool affordable(const FakeSummary& on_numbers);

/// `program`, with the sizes as its examples and made anew, on made-up inputs: each result is judged by its rule and by
/// what the case answered.
KernelsAtSizes run_kernels(Program program, const SizeCase& answered, CrosscheckRunOptions options);

}  // namespace ersatz::tools
