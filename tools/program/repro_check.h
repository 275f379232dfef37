// Checks that the repro program of a finding shows the finding again.
//
// A program has less information than a finding's witness: values of results, the raised error, arguments after the
// call. Its storages may have synthetic contents. So each repro is run before it is reported.
#pragma once

#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// Most repros of one run. Later findings have none.
inline constexpr size_t kMostRepros = 1000;

/// Runs the program as `ersatz crosscheck` runs a file with that text. True if it has a finding with the same operator
/// and field. `like` gives the device and the comparisons.
bool shows_again(const std::string& repro, const Finding& finding, const RunOptions& like);

/// Shrinks the repros (tools/program/smallest_repro.h), and removes those that do not show their findings and those
/// after the first kMostRepros. `program`: the source of the findings, for repros with several of its nodes; may be
/// null.
void check_repros(std::vector<Finding>& findings, const RunOptions& like, const Program* program = nullptr);

}  // namespace ersatz::tools
