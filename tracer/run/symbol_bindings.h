// Where the results of a node hold the symbols that the node made.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct SymbolBinding {
  enum class Part : uint8_t { Size, Stride, Offset, Number };
  SymInt symbol;
  size_t result = 0;  ///< of the flat results
  Part part = Part::Size;
  size_t dim = 0;  ///< of Size and Stride

  bool same_place(const SymbolBinding& o) const { return result == o.result && part == o.part && dim == o.dim; }
};
/// `u0: result 1, size(0)`; `stride(1)`, `offset`, `value`.
std::string to_string(const SymbolBinding& binding);

/// The place of each symbol that a result holds as it is: sizes are looked at first, then strides, offset or number,
/// result by result. A symbol of which results hold nothing but expressions has no place.
std::vector<SymbolBinding> bind_symbols(std::span<const SymInt> made, std::span<const Value> results);

}  // namespace ersatz
