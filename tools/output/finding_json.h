// Converts a finding to and from JSON. No other file knows its keys.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// `node`, `op`, `result`, `field`, `predicted`, `observed`, `witness`, `verdict`, `words`, `cause`, `source`, `args`,
/// `repro`, in this order.
nlohmann::ordered_json to_json(const Finding& finding);
/// An array with an object for each finding.
nlohmann::ordered_json to_json(std::span<const Finding> findings);
/// Parses an object of to_json. Missing keys keep the defaults of Finding; other keys are ignored. RAISES
/// InvalidArgument for an unknown field or witness, and nlohmann's exception for a mistyped value.
Finding finding_from_json(const nlohmann::ordered_json& json);

}  // namespace ersatz::tools
