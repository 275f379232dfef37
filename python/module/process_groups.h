// Finds process groups through a Python object (ersatz/torch/recording/groups.py). For None there are no groups.
//
// The functions acquire the GIL, so any thread may call them.
// Any thread: the functions take the GIL.
#pragma once

#include <optional>
#include <string>

#include "python/module/module.h"
#include "runtime/base/process_group.h"
#include "tools/live/live_report.h"

namespace ersatz::python {

std::optional<ProcessGroup> group_of(const nb::object& groups, const std::string& name);
std::optional<tools::Rank> rank_of_process(const nb::object& groups);

}  // namespace ersatz::python
