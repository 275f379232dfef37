// ShapeEnv: owns the symbolic expressions that a `SymInt` may point to, their symbols, and the facts about the symbols.
//
// The normal form of an expression is a polynomial with int64 coefficients over atoms. An atom is a symbol, or a call
// whose arguments are in normal form: floor division, modulo, Min, Max, power with a symbolic exponent, comparison.
//
// E1. Expressions that are equal as polynomials are one node, in whatever order they were computed. So two normal forms
// are equal if their pointers are. A new fact does not change expressions that exist.
// E2. An expression whose normal form is an integer has no node: it is a plain SymInt.
// E3. Nodes are immutable and are destroyed with their ShapeEnv. An expression with symbols of two environments raises
// InvalidArgument.
// E4. Any thread may use an environment at any time.
// E5. Facts are added and never removed. A fact that contradicts another raises InvalidArgument, with the sources of
// both.
//
// A truth value is an expression with the value 0 or 1: `(u0<=20)`. Symbols named `u<N>` have no hint by default
// (unbacked).
//
// Expressions are printed as PyTorch prints them: `s0`, `4*s0 + 1` (without blanks inside metadata: `4*s0+1`), `s0**2`,
// `(s0//2)`, `Mod(s0,4)`, `Min(768,768*s32)`, `Max(1,s0)`. The parser accepts this text with or without blanks. It also
// accepts sympy's `srepr` form (`Add(Symbol('s0', integer=True), Integer(1))`); see docs/text-form.md. The parser's
// input is not trusted: nesting is bounded (256), and numbers are checked.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sym/sym_int.h"

namespace ersatz {

/// The declaration of a symbol. Its value is in `min`..`max`. A symbol without `hint` is unbacked.
struct SymbolInfo {
  std::string name;  ///< `s0` (backed size), `u0` (unbacked)
  /// the example value by which guards are decided; for a float symbol, the bits of the double
  std::optional<int64_t> hint;
  int64_t min = 0;
  int64_t max = INT64_MAX;
};

using SymCompare = detail::Compare;
/// The condition `a op b`.
struct SymCondition {
  SymCompare op;
  SymInt a, b;
};
/// Convert a condition to a truth value and a truth value to a condition.
SymInt truth_of(const SymCondition& c);
SymCondition condition_of(SymInt truth);
std::string to_string(const SymCondition& c);  ///< `s0 == 4`

/// The operator call during which a guard, assert or error was made.
struct SymSite {
  std::string op;    ///< `aten.view.default`
  std::string node;  ///< name of the FX node in a program: `view_3`
  std::string line;  ///< the user's source line (runtime/base/source_line.h)
  bool operator==(const SymSite&) const = default;
};
/// Sets this thread's SymSite until the end of the scope. If scopes nest, the innermost one is used.
class SymSiteScope {
 public:
  /// REQUIRES: the text of `op` and `node` outlives the scope.
  SymSiteScope(std::string_view op, std::string_view node);
  ~SymSiteScope();
  SymSiteScope(const SymSiteScope&) = delete;
  SymSiteScope& operator=(const SymSiteScope&) = delete;

 private:
  std::string_view op_, node_;
};

/// A recorded decision, assert or assumption. If the decided condition was false, `condition` is its negation, so
/// `condition` is always true: `s0 == 4`.
struct Guard {
  std::string text;
  SymCondition condition;
  SymSite site;         ///< the call that decided it first
  int64_t count = 0;    ///< how often the condition was decided
  std::string message;  ///< only for an assert: the error message of the program if the condition is false
};

/// The properties of a new symbol whose value depends on data.
struct FreshSymbol {
  std::string prefix = "u";
  int64_t min = 0;
  int64_t max = INT64_MAX;
  std::string op = {};  ///< the op that makes the symbol, if there is no SymSiteScope
  /// The hint, for a symbol that does not depend on data. The symbol is then backed and has no provenance.
  std::optional<int64_t> hint = {};
};

/// While a RecordedSymbols exists, `ShapeEnv::fresh` on this thread returns the symbols of a recorded call, in order,
/// and makes new symbols after the last. `symbols` are the recorded symbols of the same results. The bounds in the
/// argument of `fresh` become facts about the returned symbol.
class RecordedSymbols {
 public:
  /// REQUIRES: `symbols` are single symbols of the environment whose `fresh` is called, and outlive the scope.
  explicit RecordedSymbols(std::span<const SymInt> symbols);
  ~RecordedSymbols();
  RecordedSymbols(const RecordedSymbols&) = delete;
  RecordedSymbols& operator=(const RecordedSymbols&) = delete;

 private:
  std::span<const SymInt> outer_;
};

/// Collects the data-dependent symbols that `ShapeEnv::fresh` makes on this thread until the end of the scope. If
/// scopes nest, only the innermost one collects.
class FreshSymbols {
 public:
  FreshSymbols();
  ~FreshSymbols();
  FreshSymbols(const FreshSymbols&) = delete;
  FreshSymbols& operator=(const FreshSymbols&) = delete;

  std::span<const SymInt> made() const { return made_; }

 private:
  friend class ShapeEnv;
  FreshSymbols* outer_;
  std::vector<SymInt> made_;
};

/// The settings of a ShapeEnv.
struct ShapeEnvSettings {
  bool allow_dynamic_output_shapes = true;  ///< an op may make a symbol for a size that depends on data (`nonzero`)
  bool allow_scalar_outputs = true;         ///< an op may make a symbol for a number that depends on data (`item`)
  bool tolist_at_least_two = false;         ///< `tolist()` adds a check that each element is at least 2
  bool operator==(const ShapeEnvSettings&) const = default;
};

/// Tells whether a ShapeEnv's facts imply that a condition is true or false.
enum class SymAnswer : uint8_t {
  False,
  True,
  Depends,  ///< among the points that satisfy the facts, the condition is true at some and false at others
  Unknown,
};
struct SymVerdict {
  SymAnswer answer = SymAnswer::Unknown;
  std::string yes, no;  ///< a point at which the condition is true and one at which it is false, if known: `s0=4, u0=2`
};

/// The prefix of the message of an assert that was decided by a value of the real run (ShapeEnv::set_real_value).
inline constexpr std::string_view kDecidedByRealValues = "propagate_real_tensors";

/// The origin of a symbol whose value depends on data.
struct SymProvenance {
  SymSite site;               ///< the call that made the symbol
  std::vector<int64_t> seen;  ///< values that the symbol had in real runs
};

/// Owns symbols and nodes, facts and decisions.
class ShapeEnv {
 public:
  explicit ShapeEnv(ShapeEnvSettings settings = {});
  ~ShapeEnv();
  ShapeEnv(const ShapeEnv&) = delete;
  ShapeEnv& operator=(const ShapeEnv&) = delete;

  const ShapeEnvSettings settings;

  /// Makes a symbol, or returns the existing symbol of that name. An existing symbol gets those values of `info` that
  /// it does not have yet.
  SymInt symbol(const SymbolInfo& info);
  SymInt symbol(std::string_view name, std::optional<int64_t> hint = std::nullopt);
  /// Makes a symbol with an unused name. Its provenance is the call of this thread's SymSiteScope.
  SymInt fresh(const FreshSymbol& wanted = {});
  /// Returns the symbol's declaration, or null if there is none. The pointer stays valid. Another thread may change the
  /// declaration at any time.
  const SymbolInfo* find_symbol(std::string_view name) const;
  std::vector<SymbolInfo> symbols() const;  ///< in the order of creation
  /// Adds a value that the symbol had in a real run.
  void note_value(std::string_view symbol, int64_t value);
  /// Returns the origin of a symbol; nullopt if a user declared it.
  std::optional<SymProvenance> provenance(std::string_view symbol) const;
  /// Stores the symbol's value in the real run that accompanies this fake run. The value decides conditions that the
  /// facts leave open, and each of these decisions adds an assert (`propagate_real_tensors`).
  void set_real_value(SymInt symbol, int64_t value);
  /// Returns the value of an expression at the symbols' hints or real values; nullopt if a symbol has neither.
  std::optional<int64_t> real_value(SymInt v) const;

  /// Parses the printed form or srepr. A name that is no symbol yet becomes a symbol without a hint. Raises
  /// InvalidArgument with the position.
  SymInt parse(std::string_view text);

  /// Adds a fact that comes from the user or a program, not from a decision. `source` names its origin: `input x:0`.
  void add_fact(const SymCondition& holds, std::string source);
  /// Returns a number that increases with each fact.
  uint64_t fact_version() const;
  /// Returns the bounds that the facts imply. INT64_MIN and INT64_MAX mean that there is no bound.
  std::pair<int64_t, int64_t> range(SymInt v) const;
  /// Returns the expression simplified by the facts.
  SymInt reduced(SymInt v) const;

  /// Returns the condition's value if the facts imply it, else nullopt. Records nothing and never raises.
  std::optional<bool> statically(const SymCondition& c) const;
  /// Like `statically`. If the facts imply neither answer, also returns points that satisfy the facts.
  SymVerdict explain(const SymCondition& c) const;

  /// Decides the condition by the facts, or else by the hints, which records a guard. Raises GuardOnDataDependent if a
  /// needed hint is missing.
  bool decide(const SymCondition& c);
  /// Like decide, but if a needed hint is missing it returns `fallback` and records nothing.
  bool decide_or(const SymCondition& c, bool fallback);
  /// Like decide. If symbols have no hint, decides for the case that each of them is at least 2. If an equality is
  /// still open, the two sides count as different. Each of these decisions is recorded as an assumption.
  bool decide_size(const SymCondition& c);
  /// Raises an error with `message` if the condition is false. If it is undecided, records an assert, and the condition
  /// becomes a fact.
  void check(const SymCondition& c, std::string_view message);

  std::vector<Guard> guards() const;
  std::vector<Guard> asserts() const;
  std::vector<Guard> assumptions() const;
  /// Returns the asserts and assumptions that are false at the given values. Those that contain a symbol without a
  /// value are left out.
  std::vector<Guard> failed(const std::function<std::optional<int64_t>(std::string_view)>& symbol) const;

  /// While a Silence exists, decisions by hints are not recorded and do not become facts. That applies to all threads.
  class Silence {
   public:
    explicit Silence(ShapeEnv& env);
    ~Silence();
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

   private:
    ShapeEnv& env_;
  };

  class Impl;
  Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Returns the value at the symbols' hints; nullopt if a symbol has no hint. Records nothing.
std::optional<int64_t> value_at_hints(SymInt v);
/// Returns the value with each symbol looked up by name; nullopt if the lookup has no value for a symbol.
std::optional<int64_t> evaluate(SymInt v, const std::function<std::optional<int64_t>(std::string_view)>& symbol);

}  // namespace ersatz
