// Results that differ between two cases of a program: the same program at other sizes.
#pragma once

#include "tools/program/fake_run.h"

namespace ersatz::tools {

struct CaseDifference {
  int64_t results = 0;                    ///< number of results that differ
  std::map<std::string, int64_t> fields;  ///< results that differ, by field: dtype, size, stride, offset, alias, value
  std::string first, op;                  ///< name and operator of the first result that differs
  std::string here, there;                ///< its metadata in this case and in the other
};

/// Compares the results of two runs, up to the end of the shorter one. Expressions are equal if the facts of `env`, the
/// environment of `here`, imply it. Strides of dims of size 1 and of empty tensors are ignored.
CaseDifference difference(const FakeSummary& here, const FakeSummary& there, ShapeEnv& env);

}  // namespace ersatz::tools
