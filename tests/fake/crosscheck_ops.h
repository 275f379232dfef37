// Ops of namespace `xtest` for tests of crosscheck. An argument selects how their rule and kernel disagree.
#pragma once

#include "fake/crosscheck/crosscheck_mode.h"
#include "tests/fake/checked.h"

namespace ersatz {

/// Returns the op with this base name. The first call registers all ops.
const OpEntry& crosscheck_op(std::string_view name);

/// Calls the op once in a new CrosscheckMode and returns the report.
Report check_in_mode(std::string_view op, std::vector<Value> args, CrosscheckOptions options = {});
/// Returns the message of the MetadataMismatch for the call's first finding; a text without an error if there is none.
std::string first_mismatch(std::string_view op, std::vector<Value> args, CrosscheckOptions options = {});

}  // namespace ersatz
