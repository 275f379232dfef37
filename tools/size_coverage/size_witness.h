// Compares results at symbolic sizes with runs of the program at given sizes: `ersatz crosscheck P --sizes N`.
//
// Cases (cover.h) are evaluated at sizes within the declared ranges: the example, ends of ranges, 1, 2, primes, equal
// sizes, then random sizes. One choice of sizes is a binding. Exactly one case must apply at each binding. The program
// runs at the binding with plain numbers. Each result must equal the case's result, and if the case is a refusal, the
// run must raise. The program's kernels run there on synthetic inputs (size_kernels.h).
#pragma once

#include "fake/crosscheck/finding.h"
#include "tools/size_coverage/cover.h"
#include "tools/size_coverage/size_kernels.h"

namespace ersatz::tools {

/// One choice of sizes, and the outcome of the comparison at these sizes. All counts are numbers of results.
struct SizeBinding {
  SizePoint sizes;
  int which = -1;  ///< index of the case that applies; -1: no case applies
  int64_t compared = 0, mismatched = 0, guarded_out = 0;
  /// Number of results with expressions over symbols that depend on data, which cannot be compared.
  int64_t undecided = 0;
  bool needlessly = false;  ///< no case covers these sizes, although the results of the first case are right for them
  std::string refused;      ///< the error that ends the run with plain numbers
  std::optional<KernelsAtSizes> kernels;  ///< the comparison with kernels, if they ran
};

struct SizeWitness {
  int64_t results = 0;  ///< number of results of the first case
  int64_t compared = 0, mismatched = 0, guarded_out = 0, undecided = 0;
  struct Kernels {
    int64_t bindings = 0;  ///< number of bindings at which kernels ran
    int64_t compared = 0, mismatched = 0, refused = 0;
  };
  Kernels kernels;
  std::vector<SizeBinding> bindings;
  std::vector<Finding> findings;  ///< only the first finding of each result and field; `mismatched` counts all
};

/// Tries at most `most` bindings; an equal seed gives equal bindings. If `kernels` is not null, kernels run too where
/// they are cheap enough.
SizeWitness witness_sizes(const std::function<Program()>& load, const SizeCover& cover, const FakeRunOptions& how,
                          int most, uint64_t seed, const CrosscheckRunOptions* kernels = nullptr);

}  // namespace ersatz::tools
