// Compares results with symbolic sizes with runs of the program at concrete sizes: `ersatz crosscheck P --sizes N`.
//
// Cases (cover.h) are evaluated at sizes within the declared ranges: the example, ends of ranges, 1, 2, primes, equal
// sizes, then random sizes. Exactly one case must apply at each binding. The program runs there with numbers. Each
// result must equal that of the case, and the run must be refused if the case is a refusal. The program's kernels run
// there on synthetic inputs (size_kernels.h).
#pragma once

#include "fake/crosscheck/finding.h"
#include "tools/size_coverage/cover.h"
#include "tools/size_coverage/size_kernels.h"

namespace ersatz::tools {

/// One choice of sizes and its outcome. Counts are numbers of pairs of a result and a binding.
struct SizeBinding {
  SizePoint sizes;
  int which = -1;  ///< index of the case that applies; -1: none
  int64_t compared = 0, mismatched = 0, guarded_out = 0;
  int64_t undecided = 0;    ///< expressions over symbols that depend on data, which cannot be compared
  bool needlessly = false;  ///< no case covers these sizes, although the first case's results are right for them
  std::string refused;      ///< the error that ends the run with numbers
  std::optional<KernelsAtSizes> kernels;  ///< if kernels ran
};

struct SizeWitness {
  int64_t results = 0;  ///< results of the first case
  int64_t compared = 0, mismatched = 0, guarded_out = 0, undecided = 0;
  struct Kernels {
    int64_t bindings = 0;  ///< bindings at which kernels ran
    int64_t compared = 0, mismatched = 0, refused = 0;
  };
  Kernels kernels;
  std::vector<SizeBinding> bindings;
  std::vector<Finding> findings;  ///< the first of each result and field; `mismatched` counts more
};

/// Tries at most `most` bindings, the same ones for the same seed. With `kernels`, kernels run too if they are cheap
/// enough.
SizeWitness witness_sizes(const std::function<Program()>& load, const SizeCover& cover, const FakeRunOptions& how,
                          int most, uint64_t seed, const CrosscheckRunOptions* kernels = nullptr);

}  // namespace ersatz::tools
