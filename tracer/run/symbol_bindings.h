// Finds where the results of a node have the symbols that the node made.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/value.h"
#include "tracer/program/program.h"

namespace ersatz {

struct SymbolBinding {
  enum class Part : uint8_t { Size, Stride, Offset, Number };
  SymInt symbol;
  size_t result = 0;  ///< index among the flat results
  Part part = Part::Size;
  size_t dim = 0;  ///< for Size and Stride

  bool same_place(const SymbolBinding& o) const { return result == o.result && part == o.part && dim == o.dim; }
};
/// Returns whether a symbol is a data-dependent size or number. Exporters name these `u0`, `u1`; other ones have no
/// hint.
bool depends_on_data(const SymbolInfo& s);

/// Returns `u0: result 1, size(0)`, or with `stride(1)`, `offset`, `value`.
std::string to_string(const SymbolBinding& binding);

/// Returns the place of each symbol that is itself a size, stride, offset or number of a result. Results are searched
/// in order, sizes first, then strides, then the offset. A symbol that occurs only inside of expressions has no place.
std::vector<SymbolBinding> bind_symbols(std::span<const SymInt> made, std::span<const Value> results);

/// Returns the symbols that a node made according to the program's records: data-dependent symbols that no input and no
/// earlier node has, each at its first place.
std::vector<SymbolBinding> recorded_bindings(const Program& program, const Graph& graph, NodeId node);

}  // namespace ersatz
