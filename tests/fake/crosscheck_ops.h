// Foreign ops of namespace `xtest` whose rules and kernels disagree as an argument says: for the tests of crosscheck.
#pragma once

#include "fake/crosscheck/crosscheck_mode.h"
#include "tests/fake/checked.h"

namespace ersatz {

/// Registers them on the first call and returns the one of that base name.
const OpEntry& crosscheck_op(std::string_view name);

/// One call of such an op under a mode of its own; the report.
Report check_in_mode(std::string_view op, std::vector<Value> args, CrosscheckOptions options = {});
/// What MetadataMismatch says of the call's first finding; the words of no error where there is none.
std::string first_mismatch(std::string_view op, std::vector<Value> args, CrosscheckOptions options = {});

}  // namespace ersatz
