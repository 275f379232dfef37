// Finds, in the results of a node, the symbols that the node made.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/value.h"
#include "tracer/program/program.h"

namespace ersatz {

struct SymbolBinding {
  enum class Part : uint8_t { Size, Stride, Offset, Number };
  SymInt symbol;
  size_t result = 0;  ///< number of the flat result
  Part part = Part::Size;
  size_t dim = 0;  ///< the dim, if the place is a size or stride

  bool same_place(const SymbolBinding& o) const { return result == o.result && part == o.part && dim == o.dim; }
};
/// Returns whether a symbol depends on data. True if its name is one that exporters use for that, `u0`, `u1`, ..., or
/// if it has no hint.
bool depends_on_data(const SymbolInfo& s);

/// Returns a text like `u0: result 1, size(0)`. The place may also be `stride(1)`, `offset` or `value`.
std::string to_string(const SymbolBinding& binding);

/// Returns the place of each symbol in `made` that is, by itself, a size, stride, offset or number of a result. Results
/// are searched in order: first sizes, then strides, then the offset. A symbol that occurs only inside expressions has
/// no place.
std::vector<SymbolBinding> bind_symbols(std::span<const SymInt> made, std::span<const Value> results);

/// Returns the symbols that a node made according to the program's records: data-dependent symbols that no input and no
/// earlier node has. Each has its first place.
std::vector<SymbolBinding> recorded_bindings(const Program& program, const Graph& graph, NodeId node);

}  // namespace ersatz
