// Expressions whose value may be a float: what an exporter records of a number that is no size.
//
// Inside a `SymInt` floats occur only in calls that make integers of them, `CeilToInt(FloatTrueDiv(ToFloat(s0),2.5))`.
// They are kept as they were written and computed in double precision, as the exporter's own Python does. Symbols
// called `zf<N>` and `zuf<N>` are floats.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// The value of a symbol; of a float the bits of its double.
using SymbolLookup = std::function<std::optional<int64_t>(std::string_view)>;

/// The printed form of an expression, an integer's or a float's, in either form that `ShapeEnv::parse` takes.
/// InvalidArgument with the position.
std::string spelled(std::string_view text, ShapeEnv& env);

/// The expression as sympy's `srepr` has it, `Add(Symbol('s0', positive=True, integer=True), Integer(1))`: the parser
/// gives the same node back.
std::string srepr(SymInt v);

/// May a symbol be called so?
bool is_symbol_name(std::string_view text);

/// Python's `%` on floats: exact, with the divisor's sign. REQUIRES: b != 0.
double floor_mod(double a, double b);

}  // namespace ersatz
