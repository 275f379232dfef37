// Checks that the repro program of a finding shows the finding again.
//
// A repro has less information than the evidence of its finding: it may lack values of results, the raised error, or
// arguments after the call. Its storages may have synthetic contents. So each repro is run before it is reported.
#pragma once

#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// The most findings of a run that get a repro.
inline constexpr size_t kMostRepros = 1000;

/// Runs the program as `ersatz crosscheck` runs a file with this text. True if there is a finding with the operator and
/// field of `finding`. `like` has the device and the options of comparisons.
bool shows_again(const std::string& repro, const Finding& finding, const RunOptions& like);

/// Shrinks the repros (tools/program/smallest_repro.h). Removes repros that do not show their findings, and those after
/// the first kMostRepros. `program`, which may be null, is the program that the findings are about. A repro may need
/// several of its nodes.
void check_repros(std::vector<Finding>& findings, const RunOptions& like, const Program* program = nullptr);

}  // namespace ersatz::tools
