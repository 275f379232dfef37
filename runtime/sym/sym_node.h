// The nodes behind a symbolic `SymInt`: atoms, polynomials over them, hash-consed. Internal to sym_*.cpp.
//
// A polynomial is a list of terms in descending lexicographic order of their monomials, the constant last, without
// coefficients 0. An atom is a symbol or a call whose arguments are in normal form. The ShapeEnv owns both. Within one
// environment, equal polynomials are one node and equal calls are one atom, so pointers can be compared.
// Each expression is bounded in depth, tree size and number of terms, so recursion over it is safe.
//
// Nodes and atoms never change, except for the fields marked as notes. These cache results for one version of the
// facts. They are read and written with the environment's mutex locked.
//
// Some calls have a floating-point value. They occur inside calls that return an integer:
// `TruncToInt(0.6*ToFloat(s0))`. A float is always one atom alone, never part of a polynomial. Its sums and products
// are the calls FloatAdd and FloatMul, which keep the order that was written, since rounding depends on it.
#pragma once

#include "runtime/base/inline_vec.h"
#include "runtime/sym/sym_number.h"

namespace ersatz {

inline size_t hash_mix(size_t seed, uint64_t v) { return (seed ^ v) * 0x9e3779b97f4a7c15u + (seed >> 29); }

/// Bounds of a value. INT64_MIN and INT64_MAX mean "no bound"; never empty.
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
  BitAnd,  // this and all later ones: calls that are kept as written
  BitOr,
  BitXor,
  DenseIndicator,
  TruncToInt,  // this and the next three: integers from floats
  FloorToInt,
  CeilToInt,
  RoundToInt,
  Float,  // this and all later ones: float values. Float is a constant
  FloatAdd,
  FloatMul,
  IntTrueDiv,
  FloatTrueDiv,
  FloatPow,
  TruncToFloat,
  ToFloat,
  RoundDecimal,
  Acos,  // this and all later ones: functions of one float
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
std::string_view name(SymCall c);  ///< the name that the parser accepts
inline bool is_comparison(SymCall c) { return c >= SymCall::Eq && c <= SymCall::Ge; }

struct SymAtom {
  ShapeEnv::Impl* env;
  SymCall call;
  uint32_t id;                         ///< number in the order of creation
  const SymbolInfo* symbol = nullptr;  ///< the symbol's declaration, if call == Symbol
  uint32_t depth = 0;                  ///< nesting of calls
  uint32_t size = 1;                   ///< nodes when written as a tree
  bool is_float = false;               ///< its value is a float
  bool is_fixed = false;               ///< contains no symbol
  double number = 0;                   ///< the value, if call == Float
  std::vector<SymInt> args;
  SymInt word;                           ///< the expression that consists of this atom
  mutable SymRange range = {};           ///< note
  mutable uint64_t range_version = 0;    ///< note: version of the facts; 0: no range yet
  mutable SymInt reduced;                ///< note
  mutable uint64_t reduced_version = 0;  ///< note
};

struct SymFactor {
  const SymAtom* atom;
  int64_t power;
  bool operator==(const SymFactor&) const = default;
};
using SymMonomial = InlineVec<SymFactor, 2>;

struct SymTerm {
  SymMonomial factors;  ///< sorted by atom id; empty: the constant term
  int64_t coefficient;
  bool operator==(const SymTerm&) const = default;
};

using SymPoly = std::vector<SymTerm>;

struct SymFact;  // runtime/sym/sym_facts.h

class SymNode {
 public:
  ShapeEnv::Impl* env;
  uint64_t serial;  ///< of the environment
  SymPoly terms;
  uint32_t id;
  uint32_t depth = 0;
  uint32_t size = 0;
  mutable SymInt reduced;                ///< note
  mutable uint64_t reduced_version = 0;  ///< note
  mutable SymFact* fact = nullptr;       ///< note: the fact about this form
};

// Polynomials. Each raises InvalidArgument when a coefficient overflows or there are too many terms.
SymPoly poly_of(SymInt v);
SymPoly poly_add(const SymPoly& a, const SymPoly& b, int64_t scale_of_b = 1);
SymPoly poly_mul(const SymPoly& a, const SymPoly& b);
SymPoly poly_scale(SymPoly p, int64_t by);
SymPoly poly_pow(SymPoly base, int64_t exponent);
/// a / b if there is no remainder, else nullopt.
std::optional<SymPoly> poly_divide(const SymPoly& a, const SymPoly& b);
inline bool is_constant(const SymPoly& p) { return p.empty() || p[0].factors.empty(); }
/// The constant term.
inline int64_t constant_of(const SymPoly& p) {
  return p.empty() || !p.back().factors.empty() ? 0 : p.back().coefficient;
}
/// The greatest common divisor of the coefficients, without the constant term; 0 if there are none.
int64_t content_of(const SymPoly& p);

/// The terms of an expression, without a copy if it has a node.
class SymTerms {
 public:
  explicit SymTerms(SymInt v)
      : own_(v.is_int() ? poly_of(v) : SymPoly()), terms_(v.is_int() ? own_ : v.node()->terms) {}
  SymTerms(const SymTerms&) = delete;
  SymTerms& operator=(const SymTerms&) = delete;
  operator const SymPoly&() const { return terms_; }

 private:
  SymPoly own_;
  const SymPoly& terms_;
};

/// The environment of the symbolic values in `v`; null if all are plain. Raises if there are two environments.
ShapeEnv::Impl* env_of(std::span<const SymInt> v);
/// The value of a call on plain numbers; nullopt if it is not an integer. Raises on division by zero and overflow.
std::optional<int64_t> call_value(SymCall c, std::span<const SymInt> args);
/// The value of an expression of integers.
std::optional<int64_t> integer_value(SymInt v, const SymbolLookup& symbol);
/// The value of a polynomial of integers.
std::optional<int64_t> poly_value(const SymPoly& p, const SymbolLookup& symbol);

/// The atom that is the whole expression; null if the expression is anything else.
const SymAtom* sole_atom(SymInt v);
bool has_float_value(SymInt v);
bool is_rounding(SymCall c);  ///< TruncToInt, FloorToInt, CeilToInt, RoundToInt
/// The value of an integer or float expression as a double; nullopt if a symbol has none.
std::optional<double> number_value(SymInt v, const SymbolLookup& symbol);
/// Parses an expression with an integer or a float value. ShapeEnv::parse uses it.
SymInt parse_number(std::string_view text, ShapeEnv& env);
/// The function of one float with that printed name, `OpaqueUnaryFn_sqrt`; and the printed name of a function.
std::optional<SymCall> unary_function(std::string_view head);
std::string_view unary_name(SymCall c);

}  // namespace ersatz
