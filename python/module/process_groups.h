// Groups of processes, asked of the Python object that knows them (ersatz/torch/recording/groups.py).
// None knows no group.
//
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
