// For people and as JSON: what came of a program at other sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/cases/size_witness.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// Lines, and `results`, `sizes`, `compared`, `mismatched`, `guarded_out`, `undecided`, `kernels` and `bindings` of
/// `data`, which has the sums of several programs: a key is made if it is not there.
void add_witness(const SizeWitness& witness, const SizeCover& cover, const std::string& program, Document& to,
                 nlohmann::ordered_json& data);

}  // namespace ersatz::tools
