// Converts a finding to and from JSON. Only this file knows the JSON keys of a finding.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// Returns an object with these keys, in this order: `node`, `op`, `result`, `field`, `predicted`, `observed`,
/// `witness`, `verdict`, `words`, `cause`, `source`, `args`, `repro`.
nlohmann::ordered_json to_json(const Finding& finding);
/// An array with an object for each finding.
nlohmann::ordered_json to_json(std::span<const Finding> findings);
/// Parses an object that to_json returned. A missing key leaves the default of Finding; other keys are ignored. RAISES
/// InvalidArgument for an unknown field or witness, and nlohmann's exception for a value of a wrong type.
Finding finding_from_json(const nlohmann::ordered_json& json);

}  // namespace ersatz::tools
