// The nodes that a symbolic `SymInt` points to: polynomials over atoms. Internal to sym_*.cpp.
//
// A polynomial is a list of terms in descending lexicographic order of their monomials. The constant is last, and no
// coefficient is 0. An atom is a symbol, or a call whose arguments are in normal form. The ShapeEnv owns nodes and
// atoms. Within one environment, equal polynomials are one node and equal calls are one atom (hash-consing), so
// pointers can be compared. Depth, tree size and number of terms of each expression are bounded, so recursion over an
// expression is safe.
//
// Nodes and atoms never change, except for the fields marked as notes. Notes cache results for one version of the
// facts. They are read and written only while the environment's mutex is locked.
//
// Some calls have a floating-point value. They occur inside of calls that return an integer:
// `TruncToInt(0.6*ToFloat(s0))`. A float is always a single atom and never a part of a polynomial. Sums and products of
// floats are the calls FloatAdd and FloatMul, which keep the order of their operands, because rounding depends on it.
#pragma once

#include "runtime/base/inline_vec.h"
#include "runtime/sym/sym_number.h"

namespace ersatz {

inline size_t hash_mix(size_t seed, uint64_t v) { return (seed ^ v) * 0x9e3779b97f4a7c15u + (seed >> 29); }

/// Bounds of a value, lo <= hi. INT64_MIN and INT64_MAX mean that there is no bound.
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
  BitAnd,  // BitAnd and all later calls are not simplified
  BitOr,
  BitXor,
  DenseIndicator,
  TruncToInt,  // TruncToInt and the next three calls return integers from floats
  FloorToInt,
  CeilToInt,
  RoundToInt,
  Float,  // Float and all later calls have float values; Float is a constant
  FloatAdd,
  FloatMul,
  IntTrueDiv,
  FloatTrueDiv,
  FloatPow,
  TruncToFloat,
  ToFloat,
  RoundDecimal,
  Acos,  // Acos and all later calls are functions of one float
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
  uint32_t id;                         ///< number in order of creation
  const SymbolInfo* symbol = nullptr;  ///< the symbol's declaration, if call == Symbol
  uint32_t depth = 0;                  ///< nesting of calls
  uint32_t size = 1;                   ///< number of calls and symbols if the expression is written as a tree
  bool is_float = false;               ///< the atom's value is a float
  bool is_fixed = false;               ///< contains no symbol
  double number = 0;                   ///< the value, if call == Float
  std::vector<SymInt> args;
  SymInt word;                           ///< the SymInt of the expression that consists of this atom
  mutable SymRange range = {};           ///< note: the value's bounds
  mutable uint64_t range_version = 0;    ///< note: the version of the facts for `range`; 0: no range yet
  mutable SymInt reduced;                ///< note: the expression reduced by the facts
  mutable uint64_t reduced_version = 0;  ///< note: the version of the facts for `reduced`
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
  uint64_t serial;  ///< serial of the environment
  SymPoly terms;
  uint32_t id;
  uint32_t depth = 0;
  uint32_t size = 0;
  mutable SymInt reduced;                ///< note: the expression reduced by the facts
  mutable uint64_t reduced_version = 0;  ///< note: the version of the facts for `reduced`
  mutable SymFact* fact = nullptr;       ///< note: the fact about this form
};

// Functions on polynomials. Each raises InvalidArgument if a coefficient overflows or if the result has too many terms.
SymPoly poly_of(SymInt v);
SymPoly poly_add(const SymPoly& a, const SymPoly& b, int64_t scale_of_b = 1);
SymPoly poly_mul(const SymPoly& a, const SymPoly& b);
SymPoly poly_scale(SymPoly p, int64_t by);
SymPoly poly_pow(SymPoly base, int64_t exponent);
/// Returns a / b if there is no remainder, else nullopt.
std::optional<SymPoly> poly_divide(const SymPoly& a, const SymPoly& b);
inline bool is_constant(const SymPoly& p) { return p.empty() || p[0].factors.empty(); }
/// Returns the constant term.
inline int64_t constant_of(const SymPoly& p) {
  return p.empty() || !p.back().factors.empty() ? 0 : p.back().coefficient;
}
/// Returns the greatest common divisor of all coefficients except the constant term; 0 if there are none.
int64_t content_of(const SymPoly& p);

/// The terms of an expression. If the expression has a node, its terms are not copied.
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

/// Returns the environment of the symbolic values in `v`; null if all are plain. Raises if they are of two
/// environments.
ShapeEnv::Impl* env_of(std::span<const SymInt> v);
/// Returns the value of a call on plain numbers; nullopt if the value is no integer. Raises on division by zero and
/// overflow.
std::optional<int64_t> call_value(SymCall c, std::span<const SymInt> args);
/// Returns the value of an integer expression; nullopt if the lookup has no value for a symbol.
std::optional<int64_t> integer_value(SymInt v, const SymbolLookup& symbol);
/// Returns the value of an integer polynomial; nullopt if the lookup has no value for a symbol.
std::optional<int64_t> poly_value(const SymPoly& p, const SymbolLookup& symbol);

/// Returns the atom if the expression consists of one atom with coefficient 1; else null.
const SymAtom* sole_atom(SymInt v);
bool has_float_value(SymInt v);
bool is_rounding(SymCall c);  ///< TruncToInt, FloorToInt, CeilToInt, RoundToInt
/// Returns the value of an integer or float expression as a double; nullopt if the lookup has no value for a symbol.
std::optional<double> number_value(SymInt v, const SymbolLookup& symbol);
/// Parses an expression with an integer or float value, for ShapeEnv::parse.
SymInt parse_number(std::string_view text, ShapeEnv& env);
/// Converts a printed name (`OpaqueUnaryFn_sqrt`) to the function of one float; unary_name converts back.
std::optional<SymCall> unary_function(std::string_view head);
std::string_view unary_name(SymCall c);

}  // namespace ersatz
