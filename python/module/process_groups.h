// Finds process groups through a Python object (ersatz/torch/recording/groups.py). If the object is None, there are no
// groups.
//
// Any thread may call the functions, because they acquire the GIL.
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
