// One repro for each cause of findings on recorded calls.
#pragma once

#include <string>

#include "tools/calls_run.h"

namespace ersatz::tools {

/// Gives the first finding of each cause a program that shows it again, where the call can be printed.
void add_repros(CallsSummary& summary, const CallsOptions& options);

/// Writes, for each cause, `0001-OP-FIELD.jsonl` (the first record that shows it, which `ersatz crosscheck` takes) and,
/// where it has one, its program `0001-OP-FIELD.ersatz`. The folder is made where there is none.
void write_repros(const CallsSummary& summary, const std::string& folder);

}  // namespace ersatz::tools
