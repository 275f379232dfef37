// What a symbolic `SymInt` points to: atoms, polynomials over them, hash-consed nodes. Internal to sym_*.cpp.
//
// A polynomial is a list of terms in descending lexicographic order of their monomials, the constant last, no
// coefficient 0. An atom is a symbol or a call whose arguments are in normal form. The ShapeEnv owns both; within one
// environment equal polynomials are one node and equal calls one atom, so pointers compare.
// Every expression is bounded in depth, tree size and number of terms: recursion over one is safe.
//
// Some calls have a floating-point value: they occur inside the calls that make an integer of it again,
// `TruncToInt(0.6*ToFloat(s0))`. Such a float is always one atom alone, never part of a polynomial: its sums and
// products are the calls FloatAdd and FloatMul, which keep the order that was written, since rounding depends on it.
#pragma once

#include <deque>
#include <unordered_map>

#include "runtime/sym/sym_number.h"

namespace ersatz {

/// What a value may be. INT64_MIN and INT64_MAX mean "no bound"; never empty.
struct SymRange {
  int64_t lo = INT64_MIN;
  int64_t hi = INT64_MAX;
};

enum class SymCall : uint8_t {
  Symbol,
  FloorDiv,
  Mod,
  Min,
  Max,
  Pow,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
  Not,
  Where,
  BitAnd,  // from here on: calls that are kept as they came
  BitOr,
  BitXor,
  DenseIndicator,
  TruncToInt,  // integers of floats
  FloorToInt,
  CeilToInt,
  RoundToInt,
  Float,  // from here on: floats. This one is a constant
  FloatAdd,
  FloatMul,
  IntTrueDiv,
  FloatTrueDiv,
  FloatPow,
  TruncToFloat,
  ToFloat,
  RoundDecimal,
  Acos,  // from here on: functions of one float
  Asin,
  Asinh,
  Atan,
  Cos,
  Cosh,
  Exp,
  Log,
  Log2,
  Sin,
  Sinh,
  Sqrt,
  Tan,
  Tanh,
};
std::string_view name(SymCall c);  ///< the name that the parser knows it by

struct SymAtom {
  ShapeEnv::Impl* env;
  SymCall call;
  uint32_t id;             ///< order of making
  uint32_t symbol = 0;     ///< which symbol, for call == Symbol
  uint32_t depth = 0;      ///< nesting of calls
  uint32_t size = 1;       ///< nodes when written as a tree
  bool has_limit = false;  ///< Min or Max somewhere within
  bool is_float = false;   ///< its value is a float
  bool is_fixed = false;   ///< no symbol within
  double number = 0;       ///< the value, for call == Float
  SymRange range;
  std::vector<SymInt> args;
};

struct SymFactor {
  const SymAtom* atom;
  int64_t power;
  bool operator==(const SymFactor&) const = default;
};

struct SymTerm {
  std::vector<SymFactor> factors;  ///< by atom id; empty: the constant
  int64_t coefficient;
  bool operator==(const SymTerm&) const = default;
};

using SymPoly = std::vector<SymTerm>;

class SymNode {
 public:
  ShapeEnv::Impl* env;
  SymPoly terms;
  SymRange range;
  uint32_t id;
  uint32_t depth = 0;
  uint32_t size = 0;
  bool has_limit = false;
};

class ShapeEnv::Impl {
 public:
  /// The polynomial as a word: an integer if it is constant, else its node.
  SymInt intern(SymPoly terms);
  /// The call in normal form.
  SymInt call(SymCall c, std::vector<SymInt> args);
  /// The atom itself, without simplification.
  SymInt atom(SymCall c, std::vector<SymInt> args, double number = 0);
  SymInt symbol(const SymbolInfo& info);
  /// Sums and products, of floats where one of them is.
  SymInt sum(std::vector<SymInt> terms);
  SymInt product(std::vector<SymInt> factors);
  SymInt negative(SymInt v);
  SymInt constant(double v);
  const SymbolInfo* find(std::string_view name) const;
  void record(std::string guard);
  /// Uses all that ranges tell about Min and Max. Not part of the normal form: `Min(768,768*s0)` stays as written.
  SymInt simplify(SymInt v);

  std::vector<SymbolInfo> symbols;
  std::vector<Guard> guards;

 private:
  SymInt limit(SymCall c, std::vector<SymInt> args);
  SymInt float_call(SymCall c, std::vector<SymInt> args);
  SymInt word_of(const SymAtom* a);

  std::deque<SymAtom> atoms_;
  std::deque<SymNode> nodes_;
  std::unordered_map<std::string, const SymAtom*> symbol_atoms_;
  std::unordered_multimap<size_t, const SymAtom*> call_index_;
  std::unordered_multimap<size_t, const SymNode*> node_index_;
  std::unordered_map<std::string, bool> guard_index_;
  bool use_ranges_ = false;
};

// Polynomials. Each raises InvalidArgument when a coefficient overflows or there are too many terms.
SymPoly poly_of(SymInt v);
SymPoly poly_add(SymPoly a, const SymPoly& b, int64_t scale_of_b = 1);
SymPoly poly_mul(const SymPoly& a, const SymPoly& b);
SymPoly poly_pow(SymPoly base, int64_t exponent);
/// a / b where that leaves no remainder.
std::optional<SymPoly> poly_divide(SymPoly a, const SymPoly& b);

/// The environment of the symbolic ones among `v`; null if all are plain. Raises when there are two.
ShapeEnv::Impl* env_of(std::span<const SymInt> v);
SymRange range_of(SymInt v);
SymRange range_of_poly(const SymPoly& p);
SymRange range_of_call(SymCall c, std::span<const SymInt> args);
/// The value of a call on plain numbers; empty where it is no integer. Raises on division by zero and overflow.
std::optional<int64_t> call_value(SymCall c, std::span<const SymInt> args);
/// The value of an expression of integers.
std::optional<int64_t> integer_value(SymInt v, const SymbolLookup& symbol);
/// Does `op` hold for every value in the ranges, or for none? Empty: it depends.
std::optional<bool> decide(detail::Compare op, SymRange difference);

/// The atom that the expression consists of; null where there is more than one, or none.
const SymAtom* sole_atom(SymInt v);
bool has_float_value(SymInt v);
bool is_rounding(SymCall c);  ///< TruncToInt and its like
/// The value as a float, whether it is one or an integer; empty if a symbol has none.
std::optional<double> number_value(SymInt v, const SymbolLookup& symbol);
/// The function of one float that is printed so, `OpaqueUnaryFn_sqrt`, and its printed name.
std::optional<SymCall> unary_function(std::string_view head);
std::string_view unary_name(SymCall c);

}  // namespace ersatz
