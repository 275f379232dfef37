// Symbolic expressions behind `SymInt`: hash-consed nodes in normal form, and the environment that owns them.
//
// Normal form: a polynomial with int64 coefficients over atoms; an atom is a symbol or an opaque call
// (floor division, modulo, Min, Max, power with a symbolic exponent) whose arguments are in normal form.
// Two expressions built in any order that are equal as polynomials are the same node, so pointer equality
// is equality of normal forms (E1). A node that normalises to an integer never exists: it is a plain SymInt (E2).
// Nodes are immutable and live as long as their ShapeEnv (E3); mixing two environments in one expression is
// an InvalidArgument.
//
// Printing follows the field's spelling: `s0`, `4*s0 + 1` without blanks inside metadata (`4*s0+1`), `s0**2`,
// `(s0//2)`, `Mod(s0,4)`, `Min(768,768*s32)`, `Max(1,s0)`. The parser takes the same text, with or without
// blanks, and sympy's `srepr` form (`Add(Symbol('s0', integer=True), Integer(1))`); see
// docs/text-form.md. Input is hostile: nesting is bounded (256), numbers are checked.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sym/sym_int.h"

namespace ersatz {

/// What is known of a symbol. `min`/`max` bound it; a symbol without `hint` is unbacked.
struct SymbolInfo {
  std::string name;             ///< `s0` (backed size), `u0` (unbacked)
  std::optional<int64_t> hint;  ///< the example value that guards are decided with
  int64_t min = 0;
  int64_t max = INT64_MAX;
};

/// A decision that was taken with the hints: `s0 == 4`, at the op that took it.
struct Guard {
  std::string text;
};

/// Owns symbols and nodes. One thread at a time.
class ShapeEnv {
 public:
  ShapeEnv();
  ~ShapeEnv();
  ShapeEnv(const ShapeEnv&) = delete;
  ShapeEnv& operator=(const ShapeEnv&) = delete;

  /// Makes the symbol, or returns the existing one of that name (its info is then replaced where `info` knows more).
  SymInt symbol(const SymbolInfo& info);
  SymInt symbol(std::string_view name, std::optional<int64_t> hint = std::nullopt);
  const SymbolInfo* find_symbol(std::string_view name) const;
  std::vector<SymbolInfo> symbols() const;  ///< in order of making

  /// Parses the printed form or srepr; unknown symbols are made without a hint. Raises InvalidArgument with the
  /// position.
  SymInt parse(std::string_view text);

  const std::vector<Guard>& guards() const;

  class Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// The value under the hints; empty if a symbol has none. Records nothing.
std::optional<int64_t> value_at_hints(SymInt v);
/// The value with each symbol looked up by name; empty if the lookup returns nothing for one.
std::optional<int64_t> evaluate(SymInt v, const std::function<std::optional<int64_t>(std::string_view)>& symbol);

}  // namespace ersatz
