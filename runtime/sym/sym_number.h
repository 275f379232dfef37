// Expressions whose value may be a float. Exporters record them for numbers that are not sizes.
//
// Inside of a `SymInt`, floats occur only in calls that return integers: `CeilToInt(FloatTrueDiv(ToFloat(s0),2.5))`.
// Floats are not simplified and are computed in double precision, as the exporter's Python computes them. Symbols named
// `zf<N>` and `zuf<N>` are floats.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Returns the value of a symbol, which for a float symbol is the bits of its double; nullopt if there is no value.
using SymbolLookup = std::function<std::optional<int64_t>(std::string_view)>;

/// Parses an expression with an integer or float value and returns its printed form. Accepts the same text as
/// `ShapeEnv::parse`. Raises InvalidArgument with the position.
std::string spelled(std::string_view text, ShapeEnv& env);

/// Returns the expression in the form of sympy's `srepr`: `Add(Symbol('s0', positive=True, integer=True), Integer(1))`.
/// The parser returns the same node for that text.
std::string srepr(SymInt v);

/// Is the text a valid name of a symbol?
bool is_symbol_name(std::string_view text);

/// Returns Python's `a % b` of floats, which is exact and has the divisor's sign. REQUIRES: b != 0.
double floor_mod(double a, double b);

}  // namespace ersatz
