// A finding as an object of JSON: the one place that knows its keys.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// `node`, `op`, `result`, `field`, `predicted`, `observed`, `witness`, `verdict`, `words`, `cause`, `source`, `args`,
/// `repro`, in this order.
nlohmann::ordered_json to_json(const Finding& finding);
/// A row for each.
nlohmann::ordered_json to_json(std::span<const Finding> findings);
/// Reads such an object. A key that is missing leaves the member as a new Finding has it; other keys are passed over.
/// Raises InvalidArgument for a field or witness that there is not, nlohmann's exception for a value of another kind.
Finding finding_from_json(const nlohmann::ordered_json& json);

}  // namespace ersatz::tools
