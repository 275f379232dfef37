// Text and JSON about the comparison of a program's symbolic results with runs at other sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/output/document.h"
#include "tools/size_coverage/size_witness.h"

namespace ersatz::tools {

/// Adds lines to `to`. Adds the counts to the keys `results`, `sizes`, `compared`, `mismatched`, `guarded_out`,
/// `undecided`, `kernels` and `bindings` of `data`, which are sums over several programs. Missing keys are created.
void add_witness(const SizeWitness& witness, const SizeCover& cover, const std::string& program, Document& to,
                 nlohmann::ordered_json& data);

}  // namespace ersatz::tools
