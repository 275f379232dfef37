// Where the results of a node hold the symbols that the node made.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/value.h"
#include "tracer/program/program.h"

namespace ersatz {

struct SymbolBinding {
  enum class Part : uint8_t { Size, Stride, Offset, Number };
  SymInt symbol;
  size_t result = 0;  ///< of the flat results
  Part part = Part::Size;
  size_t dim = 0;  ///< of Size and Stride

  bool same_place(const SymbolBinding& o) const { return result == o.result && part == o.part && dim == o.dim; }
};
/// Does a symbol stand for a size or number that depends on data? Exporters call those `u0`, `u1`; others have no hint.
bool depends_on_data(const SymbolInfo& s);

/// `u0: result 1, size(0)`; `stride(1)`, `offset`, `value`.
std::string to_string(const SymbolBinding& binding);

/// The place of each symbol that a result holds as it is: sizes are looked at first, then strides, offset or number,
/// result by result. A symbol of which results hold nothing but expressions has no place.
std::vector<SymbolBinding> bind_symbols(std::span<const SymInt> made, std::span<const Value> results);

/// The symbols that a node made, by the program's records: those for what depends on data that no input and no earlier
/// node has, each where it stands first.
std::vector<SymbolBinding> recorded_bindings(const Program& program, const Graph& graph, NodeId node);

}  // namespace ersatz
