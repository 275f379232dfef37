// One repro for each cause of findings on recorded calls.
#pragma once

#include <string>

#include "tools/calls_run.h"

namespace ersatz::tools {

/// Writes, for each cause, `0001-OP-FIELD.jsonl` (the first record that shows it, which `ersatz crosscheck` takes) and,
/// where the call can be printed, the same call as a program `0001-OP-FIELD.ersatz`. The folder is made where there is
/// none. The causes' findings get the program as their repro.
void write_repros(CallsSummary& summary, const CallsOptions& options, const std::string& folder);

}  // namespace ersatz::tools
