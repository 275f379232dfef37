#include "python/module/process_groups.h"

#include <nanobind/stl/string.h>

namespace ersatz::python {

std::optional<ProcessGroup> group_of(const nb::object& groups, const std::string& name) {
  const nb::gil_scoped_acquire gil;
  const nb::object known = groups.is_none() ? nb::none() : groups.attr("group_of")(name);
  if (known.is_none()) return std::nullopt;
  return ProcessGroup{name, nb::cast<int64_t>(known["size"]), nb::cast<int64_t>(known["rank"]),
                      nb::cast<std::string>(known["backend"])};
}

std::optional<tools::Rank> rank_of_process(const nb::object& groups) {
  const nb::gil_scoped_acquire gil;
  const nb::object known = groups.is_none() ? nb::none() : groups.attr("rank_of_process")();
  if (known.is_none()) return std::nullopt;
  return tools::Rank{nb::cast<int64_t>(known[0]), nb::cast<int64_t>(known[1])};
}

}  // namespace ersatz::python
