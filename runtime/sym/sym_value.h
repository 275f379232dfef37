// Numbers and truth values that are not sizes: what `item()`, `_operator.ge` and `math.sqrt` of symbols give.
//
// A truth value is a SymInt of value 0 or 1 (`truth_of`, `condition_of` of sym_expr.h), joined by the functions below.
// A SymFloat is a double, or an expression that is computed in double precision in the order in which it was written.
#pragma once

#include "runtime/sym/sym_expr.h"

namespace ersatz {

SymInt truth_and(SymInt a, SymInt b);
SymInt truth_or(SymInt a, SymInt b);
SymInt truth_not(SymInt a);
/// Is it 0 or 1 by its form: a comparison, or several joined?
bool is_truth(SymInt v);
/// `a ? b : c`
SymInt where(SymInt a, SymInt b, SymInt c);

/// The names of the symbols of an expression, each once, in the order in which they were made.
std::vector<std::string> free_symbols(SymInt v);

/// Is it a symbol alone, of either kind of value?
bool is_bare_symbol(SymInt v);

class SymFloat {
 public:
  SymFloat(double v) : number_(v) {}
  /// The float that has an integer's value.
  explicit SymFloat(SymInt v);
  /// A symbol of the environment that is a float (`zf0`, `zuf0`: its name says so), or the expression that `word` was.
  /// REQUIRES: its value is a float (checked).
  static SymFloat symbol(SymInt v);
  /// Reads what `text` gives, and numbers. InvalidArgument with the position.
  static SymFloat parse(std::string_view text, ShapeEnv& env);

  bool is_number() const { return word_.is_int(); }
  /// REQUIRES: is_number().
  double as_double() const { return number_; }
  /// The expression; an integer that says nothing where it is a number.
  SymInt word() const { return word_; }
  /// The number, or that of the hints, which leaves a guard. No hint: GuardOnDataDependent.
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
  /// `a / b` of integers, as Python has it.
  friend SymFloat true_divide(SymInt a, SymInt b);

 private:
  struct Calls;
  double number_ = 0;
  SymInt word_ = 0;  ///< the expression; a plain integer: the number counts
};

SymFloat true_divide(SymInt a, SymInt b);
/// & and | of the bits of integers.
SymInt bit_and(SymInt a, SymInt b);
SymInt bit_or(SymInt a, SymInt b);

/// ShapeEnv::check in the environment of the truth value: false where it does not hold by the facts or at the hints.
/// What they leave open is an assert that says `message`, and a fact from now on.
bool require_truth(SymInt truth, std::string_view message);
/// Of the environment that a symbolic word belongs to. REQUIRES: v.is_symbolic().
const ShapeEnvSettings& settings_of(SymInt v);
/// A fact: both have one value. The environment's real values (ShapeEnv::set_real_value) must not tell them apart: then
/// the answer is false, and nothing is done. REQUIRES: symbolic words of one environment.
bool set_equal(SymInt a, SymInt b, std::string source);

}  // namespace ersatz
