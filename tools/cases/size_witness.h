// The answers with symbols against the same program run on numbers: `ersatz crosscheck P --sizes N`.
//
// The cases of a program (cover.h) are instantiated at sizes within the declared ranges: the example, ends of ranges,
// 1, 2, primes, equal ones, then random ones. At each, exactly one case has to apply; the program runs on numbers, and
// each of its results has to be what that case says, or has to be refused where the case refuses. Its kernels run there
// on made-up inputs (size_kernels.h).
#pragma once

#include "fake/crosscheck/finding.h"
#include "tools/cases/cover.h"
#include "tools/cases/size_kernels.h"

namespace ersatz::tools {

/// One choice of sizes, and what came of it. Counts are pairs of a result and a binding.
struct SizeBinding {
  SizePoint sizes;
  int which = -1;  ///< the case that applies; -1: none
  int64_t compared = 0, mismatched = 0, guarded_out = 0;
  int64_t undecided = 0;                  ///< expressions over symbols that depend on data, which nobody can compare
  bool needlessly = false;                ///< no case covers these sizes, although the first one's answers are right
  std::string refused;                    ///< what ends the run on numbers
  std::optional<KernelsAtSizes> kernels;  ///< where they ran
};

struct SizeWitness {
  int64_t results = 0;  ///< of the first case
  int64_t compared = 0, mismatched = 0, guarded_out = 0, undecided = 0;
  struct Kernels {
    int64_t bindings = 0;  ///< at which they ran
    int64_t compared = 0, mismatched = 0, refused = 0;
  };
  Kernels kernels;
  std::vector<SizeBinding> bindings;
  std::vector<Finding> findings;  ///< the first of each result and field, fewer than `mismatched`
};

/// At most `most` bindings; the same for the same seed. With `kernels` those run too, where that is affordable.
SizeWitness witness_sizes(const std::function<Program()>& load, const SizeCover& cover, const FakeRunOptions& how,
                          int most, uint64_t seed, const CrosscheckRunOptions* kernels = nullptr);

}  // namespace ersatz::tools
