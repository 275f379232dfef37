// Symbolic numbers and bools that are not sizes: results of `item()`, and of `_operator.ge` and `math.sqrt` on symbols.
//
// A truth value is a SymInt whose value is 0 or 1 (`truth_of` and `condition_of` of sym_expr.h convert conditions). The
// functions below combine truth values. A SymFloat is a double, or an expression that is computed in double precision
// in the order in which it was written.
#pragma once

#include "runtime/sym/sym_expr.h"

namespace ersatz {

SymInt truth_and(SymInt a, SymInt b);
SymInt truth_or(SymInt a, SymInt b);
SymInt truth_not(SymInt a);
/// Does the form of the expression show that its value is 0 or 1? True for comparisons, and for combinations of them by
/// and, or, not.
bool is_truth(SymInt v);
/// Returns the expression `a ? b : c`. `a` is a truth value.
SymInt where(SymInt a, SymInt b, SymInt c);

/// Returns the names of the symbols in an expression, each once, in the order in which the symbols were made.
std::vector<std::string> free_symbols(SymInt v);

/// Is the expression a single symbol, of an integer or a float?
bool is_bare_symbol(SymInt v);

class SymFloat {
 public:
  SymFloat(double v) : number_(v) {}
  /// Makes the float that is equal to the integer `v`.
  explicit SymFloat(SymInt v);
  /// Makes a SymFloat from a float symbol (its name is `zf<N>` or `zuf<N>`), or from the word of an expression. Raises
  /// InvalidArgument if the value of `v` is no float.
  static SymFloat symbol(SymInt v);
  /// Parses the output of text(), or a number. Raises InvalidArgument with the position.
  static SymFloat parse(std::string_view text, ShapeEnv& env);

  bool is_number() const { return word_.is_int(); }
  /// REQUIRES: is_number().
  double as_double() const { return number_; }
  /// Returns the expression. REQUIRES: not is_number(), else the result is an integer without meaning.
  SymInt word() const { return word_; }
  /// Returns the number, or the value at the hints, which is recorded as a guard. Raises GuardOnDataDependent if a
  /// symbol has no hint.
  double guard_float() const;
  /// Returns the printed expression, `FloatTrueDiv(ToFloat(s0),2.5)`, or the number.
  std::string text() const;
  /// Returns the value at the symbols' hints; nullopt if a symbol has no hint.
  std::optional<double> at_hints() const;

  friend SymFloat operator+(const SymFloat& a, const SymFloat& b);
  friend SymFloat operator-(const SymFloat& a, const SymFloat& b);
  friend SymFloat operator*(const SymFloat& a, const SymFloat& b);
  /// Raises InvalidArgument if `b` is the number 0.
  friend SymFloat operator/(const SymFloat& a, const SymFloat& b);
  friend SymFloat pow(const SymFloat& a, const SymFloat& b);
  friend SymFloat sqrt(const SymFloat& a);
  friend SymFloat sym_min(const SymFloat& a, const SymFloat& b);
  friend SymFloat sym_max(const SymFloat& a, const SymFloat& b);
  /// Return Python's `a // b` and `a % b` of floats. Raise InvalidArgument if `b` is the number 0.
  friend SymFloat floor_div(const SymFloat& a, const SymFloat& b);
  friend SymFloat floor_mod(const SymFloat& a, const SymFloat& b);
  /// Returns the expression `a ? b : c`. `a` is a truth value.
  friend SymFloat where(SymInt a, const SymFloat& b, const SymFloat& c);
  friend SymInt truth_of(SymCompare op, const SymFloat& a, const SymFloat& b);
  /// Round to an integer: towards zero, down, up, and to the nearest (ties to even). Raise InvalidArgument if the
  /// result does not fit into 64 bits.
  friend SymInt trunc_to_int(const SymFloat& a);
  friend SymInt floor_to_int(const SymFloat& a);
  friend SymInt ceil_to_int(const SymFloat& a);
  friend SymInt round_to_int(const SymFloat& a);
  /// Returns the float `a / b` of integers, as Python computes it.
  friend SymFloat true_divide(SymInt a, SymInt b);

 private:
  struct Calls;
  double number_ = 0;
  SymInt word_ = 0;  ///< the expression; if it is a plain integer, this SymFloat is the number `number_`
};

SymFloat true_divide(SymInt a, SymInt b);
/// Return the bitwise `a & b` and `a | b` of integers.
SymInt bit_and(SymInt a, SymInt b);
SymInt bit_or(SymInt a, SymInt b);

/// Requires that the truth value is true. Returns false if it is false by the facts or at the hints, else true. If
/// neither decides it, records an assert with `message`, and the truth value becomes a fact.
bool require_truth(SymInt truth, std::string_view message);
/// Returns the settings of the environment that owns the expression. REQUIRES: v.is_symbolic().
const ShapeEnvSettings& settings_of(SymInt v);
/// Adds the fact that `a` and `b` are equal. If their values in the real run (ShapeEnv::set_real_value) differ, adds
/// nothing and returns false. REQUIRES: both are symbolic and of one environment.
bool set_equal(SymInt a, SymInt b, std::string source);

}  // namespace ersatz
