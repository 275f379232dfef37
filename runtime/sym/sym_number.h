// Expressions whose value may be a float, as exporters record them for numbers that are not sizes.
//
// Inside a `SymInt`, floats occur only in calls that return integers, `CeilToInt(FloatTrueDiv(ToFloat(s0),2.5))`. They
// are kept as written and computed in double precision, as the exporter's Python computes them. Symbols named `zf<N>`
// and `zuf<N>` are floats.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Returns the value of a symbol, for a float the bits of its double; nullopt if it has none.
using SymbolLookup = std::function<std::optional<int64_t>(std::string_view)>;

/// The printed form of an expression with an integer or float value. `text` has either form that `ShapeEnv::parse`
/// accepts. Raises InvalidArgument with the position.
std::string spelled(std::string_view text, ShapeEnv& env);

/// The expression in the form of sympy's `srepr`, `Add(Symbol('s0', positive=True, integer=True), Integer(1))`. Parsing
/// it returns the same node.
std::string srepr(SymInt v);

/// Whether a symbol may have this name.
bool is_symbol_name(std::string_view text);

/// Python's `%` on floats: exact, with the divisor's sign. REQUIRES: b != 0.
double floor_mod(double a, double b);

}  // namespace ersatz
