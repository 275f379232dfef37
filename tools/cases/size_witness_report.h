// Text and JSON of a program's comparison at other sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/cases/size_witness.h"
#include "tools/output/document.h"

namespace ersatz::tools {

Document to_text(const SizeWitness& witness, const SizeCover& cover);
/// Adds to `results`, `sizes`, `compared`, `mismatched`, `guarded_out`, `undecided` and `bindings`, which are sums over
/// several programs. Missing keys are created.
void add_to_json(const SizeWitness& witness, const std::string& program, nlohmann::ordered_json& symbolic);

}  // namespace ersatz::tools
