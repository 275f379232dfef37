// Text of traced functions for tests: one line per node, without metadata.
#pragma once

#include <string>
#include <vector>

#include "tracer/trace/trace.h"

namespace ersatz {

/// Returns the nodes of a graph, one line each: `%add = aten.add.Tensor(%arg0, 1)`.
std::vector<std::string> nodes_of(const Program& p, const Graph& g);
inline std::vector<std::string> nodes_of(const Program& p) { return nodes_of(p, p.main()); }

Tensor floats(std::initializer_list<float> v);
std::vector<float> values(const Value& v);
/// Runs the program with its stored values and with the given values for its other inputs.
std::vector<Value> run(const Program& p, std::vector<Value> given);
TraceOptions in_mode(TraceMode mode);
inline constexpr TraceMode kModes[] = {TraceMode::Real, TraceMode::Fake, TraceMode::Symbolic};

}  // namespace ersatz
