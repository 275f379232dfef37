// Does the program of a finding show it again?
//
// A program says less than a witness can: which values came out, which error was raised, what an argument held after
// the call. And what its storages hold may be made up. So each repro is run before anybody is given it.
#pragma once

#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// The most programs of one run. Findings beyond that many come without one.
inline constexpr size_t kMostRepros = 1000;

/// Runs the program as `ersatz crosscheck` runs a file of that text: does a finding of the same operator and field
/// come? Of `like` count where it runs and what is compared.
bool shows_again(const std::string& repro, const Finding& finding, const RunOptions& like);

/// Makes the repros smaller (tools/program/smallest_repro.h), takes out those that do not show their findings, and
/// those after the first kMostRepros. `program`: where the findings are from, for those that take several of its
/// nodes; may be null.
void check_repros(std::vector<Finding>& findings, const RunOptions& like, const Program* program = nullptr);

}  // namespace ersatz::tools
