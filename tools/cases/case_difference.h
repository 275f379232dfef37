// Where the answers of one case are not those of another: the same program, other sizes.
#pragma once

#include "tools/program/fake_run.h"

namespace ersatz::tools {

struct CaseDifference {
  int64_t results = 0;                    ///< that differ
  std::map<std::string, int64_t> fields;  ///< of them, by field: dtype, size, stride, offset, alias, value
  std::string first, op;                  ///< the first of them
  std::string here, there;                ///< its metadata in this case, and the other's
};

/// Compares this case's results with another's as far as both got; expressions are equal where the facts of `env`, this
/// case's, say so. Strides of dims of size 1, and of empty tensors, do not count.
CaseDifference difference(const FakeSummary& here, const FakeSummary& there, ShapeEnv& env);

}  // namespace ersatz::tools
