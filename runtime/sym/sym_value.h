// Symbolic numbers and bools that are not sizes: results of `item()`, `_operator.ge` and `math.sqrt` of symbols.
//
// A truth value is a SymInt of value 0 or 1 (`truth_of`, `condition_of` of sym_expr.h), joined by the functions below.
// A SymFloat is a double, or an expression that is computed in double precision in the order in which it was written.
#pragma once

#include "runtime/sym/sym_expr.h"

namespace ersatz {

SymInt truth_and(SymInt a, SymInt b);
SymInt truth_or(SymInt a, SymInt b);
SymInt truth_not(SymInt a);
/// Has the expression only values 0 and 1 by its form: a comparison, or several joined by and, or, not?
bool is_truth(SymInt v);
/// `a ? b : c`
SymInt where(SymInt a, SymInt b, SymInt c);

/// Returns the names of the symbols of an expression, each once, in the order of their creation.
std::vector<std::string> free_symbols(SymInt v);

/// Is the expression a single symbol, integer or float?
bool is_bare_symbol(SymInt v);

class SymFloat {
 public:
  SymFloat(double v) : number_(v) {}
  /// The float that has an integer's value.
  explicit SymFloat(SymInt v);
  /// Makes a SymFloat from a float symbol of the environment (`zf0`, `zuf0`: the name says so) or from the word of an
  /// expression. REQUIRES: its value is a float (checked).
  static SymFloat symbol(SymInt v);
  /// Parses the output of `text`, and numbers. Raises InvalidArgument with the position.
  static SymFloat parse(std::string_view text, ShapeEnv& env);

  bool is_number() const { return word_.is_int(); }
  /// REQUIRES: is_number().
  double as_double() const { return number_; }
  /// Returns the expression. If the value is a number, the result is an integer without meaning.
  SymInt word() const { return word_; }
  /// Returns the number, or the value at the hints, which is recorded as a guard. Raises GuardOnDataDependent without a
  /// hint.
  double guard_float() const;
  /// `FloatTrueDiv(ToFloat(s0),2.5)`, or the number.
  std::string text() const;
  /// Empty if a symbol has no hint.
  std::optional<double> at_hints() const;

  friend SymFloat operator+(const SymFloat& a, const SymFloat& b);
  friend SymFloat operator-(const SymFloat& a, const SymFloat& b);
  friend SymFloat operator*(const SymFloat& a, const SymFloat& b);
  /// Raises InvalidArgument on a division by the number 0.
  friend SymFloat operator/(const SymFloat& a, const SymFloat& b);
  friend SymFloat pow(const SymFloat& a, const SymFloat& b);
  friend SymFloat sqrt(const SymFloat& a);
  friend SymFloat sym_min(const SymFloat& a, const SymFloat& b);
  friend SymFloat sym_max(const SymFloat& a, const SymFloat& b);
  /// Python's // and % of floats. Raise InvalidArgument on a division by the number 0.
  friend SymFloat floor_div(const SymFloat& a, const SymFloat& b);
  friend SymFloat floor_mod(const SymFloat& a, const SymFloat& b);
  /// `a ? b : c`
  friend SymFloat where(SymInt a, const SymFloat& b, const SymFloat& c);
  friend SymInt truth_of(SymCompare op, const SymFloat& a, const SymFloat& b);
  /// To an integer: towards zero, down, up, to the nearest (ties to even). InvalidArgument where it does not fit.
  friend SymInt trunc_to_int(const SymFloat& a);
  friend SymInt floor_to_int(const SymFloat& a);
  friend SymInt ceil_to_int(const SymFloat& a);
  friend SymInt round_to_int(const SymFloat& a);
  /// Returns `a / b` of integers as Python computes it.
  friend SymFloat true_divide(SymInt a, SymInt b);

 private:
  struct Calls;
  double number_ = 0;
  SymInt word_ = 0;  ///< the expression; if it is a plain integer, `number_` is the value
};

SymFloat true_divide(SymInt a, SymInt b);
/// Return the bitwise & and | of integers.
SymInt bit_and(SymInt a, SymInt b);
SymInt bit_or(SymInt a, SymInt b);

/// Calls ShapeEnv::check in the environment of the bool. Returns false if it is false by the facts or at the hints. If
/// they do not decide, it becomes an assert with `message`, and a fact from then on.
bool require_truth(SymInt truth, std::string_view message);
/// Returns the settings of the environment that a symbolic word belongs to. REQUIRES: v.is_symbolic().
const ShapeEnvSettings& settings_of(SymInt v);
/// Adds the fact that both have the same value. Returns false, and adds nothing, if the environment's real values
/// (ShapeEnv::set_real_value) differ. REQUIRES: symbolic words of one environment.
bool set_equal(SymInt a, SymInt b, std::string source);

}  // namespace ersatz
