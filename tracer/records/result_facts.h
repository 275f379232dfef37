// Collects the evidence about a node's results for crosscheck (fake/crosscheck/witness.h).
#pragma once

#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/program/program.h"
#include "tracer/program/symbol_values.h"
#include "tracer/records/facts.h"

namespace ersatz {

/// Returns one ResultFacts for each flat result of the node. Symbols in recorded metadata are replaced by their values
/// in `symbols`; metadata with a symbol that has no value are left out. `facts` may be null.
std::vector<ResultFacts> result_facts(const Program& program, const Graph& graph, const Node& node, const Facts* facts,
                                      const SymbolValues& symbols);

}  // namespace ersatz
