// Compares two cases (cover.h) of one program, which hold for different sizes.
#pragma once

#include "tools/program/fake_run.h"

namespace ersatz::tools {

struct CaseDifference {
  int64_t results = 0;  ///< number of results that differ
  /// Field (dtype, size, stride, offset, alias, value) -> number of results that differ in it.
  std::map<std::string, int64_t> fields;
  std::string first, op;    ///< name and operator of the first result that differs
  std::string here, there;  ///< metadata of that result in this case and in the other case
};

/// Compares the results of two runs, up to the end of the shorter run. Expressions count as equal if the facts in
/// `env`, the environment of `here`, imply it. Strides of dims of size 1 and of empty tensors are ignored.
CaseDifference difference(const FakeSummary& here, const FakeSummary& there, ShapeEnv& env);

}  // namespace ersatz::tools
