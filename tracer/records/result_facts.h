// What a program's witnesses say of a node's results, in the form that crosscheck takes (fake/crosscheck/witness.h).
#pragma once

#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/program/program.h"
#include "tracer/program/symbol_values.h"
#include "tracer/records/facts.h"

namespace ersatz {

/// One entry per flat result of the node. Records are made concrete with `symbols`; one that cannot be is left out.
/// `facts` may be null.
std::vector<ResultFacts> result_facts(const Program& program, const Graph& graph, const Node& node, const Facts* facts,
                                      const SymbolValues& symbols);

}  // namespace ersatz
