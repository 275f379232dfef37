// The symbolic expressions that a `SymInt` may point to, and ShapeEnv, which owns them, their symbols and the facts
// about symbols.
//
// Normal form: a polynomial with int64 coefficients over atoms. An atom is a symbol, or an opaque call whose arguments
// are in normal form: floor division, modulo, Min, Max, power with a symbolic exponent, comparison.
//
// E1. Two expressions built in any order that are equal as polynomials are the same node, so pointer equality is
//     equality of normal forms. Facts do not change the form of what was built.
// E2. A node that normalises to an integer never exists: it is a plain SymInt.
// E3. Nodes are immutable and live as long as their ShapeEnv; mixing two environments in one expression is an
//     InvalidArgument.
// E4. Any thread may use an environment at any time.
// E5. Facts only grow. A fact that contradicts another raises InvalidArgument, which names both sources.
//
// A truth value is an expression of value 0 or 1: `(u0<=20)`. Symbols called `u<N>` have no hint by default (unbacked).
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

/// The declaration of a symbol. `min`/`max` bound it; a symbol without `hint` is unbacked.
struct SymbolInfo {
  std::string name;             ///< `s0` (backed size), `u0` (unbacked)
  std::optional<int64_t> hint;  ///< the example value that guards are decided with; of a float the bits of its double
  int64_t min = 0;
  int64_t max = INT64_MAX;
};

using SymCompare = detail::Compare;
/// `a op b`.
struct SymCondition {
  SymCompare op;
  SymInt a, b;
};
/// The condition as a truth value, and back.
SymInt truth_of(const SymCondition& c);
SymCondition condition_of(SymInt truth);
std::string to_string(const SymCondition& c);  ///< `s0 == 4`

/// The call that a guard, assert or error comes from.
struct SymSite {
  std::string op;    ///< `aten.view.default`
  std::string node;  ///< of a program: `view_3`
  std::string line;  ///< the user's source line (runtime/base/source_line.h)
  bool operator==(const SymSite&) const = default;
};
/// Sets the SymSite of this thread while the object lives; the innermost object counts.
class SymSiteScope {
 public:
  /// REQUIRES: both outlive the scope.
  SymSiteScope(std::string_view op, std::string_view node);
  ~SymSiteScope();
  SymSiteScope(const SymSiteScope&) = delete;
  SymSiteScope& operator=(const SymSiteScope&) = delete;

 private:
  std::string_view op_, node_;
};

/// A decision that was taken, as it was found to hold: `s0 == 4`.
struct Guard {
  std::string text;
  SymCondition condition;
  SymSite site;         ///< that took it first
  int64_t count = 0;    ///< how often it was taken
  std::string message;  ///< of an assert: what the program says where it does not hold
};

/// A symbol that an op makes because its value depends on data.
struct FreshSymbol {
  std::string prefix = "u";
  int64_t min = 0;
  int64_t max = INT64_MAX;
  std::string op = {};  ///< who makes it, where no SymSiteScope says
  /// The hint of a symbol that no op makes. A symbol with a hint is backed, and has no provenance.
  std::optional<int64_t> hint = {};
};

/// While it lives, the symbols that `ShapeEnv::fresh` makes on this thread are these, in order, as long as there are
/// some: those that a record names for the same results. The wanted bounds of a symbol become facts about it.
class RecordedSymbols {
 public:
  /// REQUIRES: bare symbols of the environment that is asked; they outlive the scope.
  explicit RecordedSymbols(std::span<const SymInt> symbols);
  ~RecordedSymbols();
  RecordedSymbols(const RecordedSymbols&) = delete;
  RecordedSymbols& operator=(const RecordedSymbols&) = delete;

 private:
  std::span<const SymInt> outer_;
};

/// Collects the symbols that `ShapeEnv::fresh` makes on this thread for what depends on data, while it lives and no
/// inner one does.
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

/// Settings of an environment.
struct ShapeEnvSettings {
  bool allow_dynamic_output_shapes = true;  ///< sizes that depend on data: `nonzero`
  bool allow_scalar_outputs = true;         ///< numbers that depend on data: `item`
  bool tolist_at_least_two = false;         ///< `tolist()` checks that each element is 2 at least
  bool operator==(const ShapeEnvSettings&) const = default;
};

/// The answer that a ShapeEnv's facts imply for a condition.
enum class SymAnswer : uint8_t {
  False,
  True,
  Depends,  ///< there are points of either answer
  Unknown,
};
struct SymVerdict {
  SymAnswer answer = SymAnswer::Unknown;
  std::string yes, no;  ///< points of either answer, where some are known: `s0=4, u0=2`
};

/// How the message of an assert begins that the values of the real run have left (ShapeEnv::set_real_value).
inline constexpr std::string_view kDecidedByRealValues = "propagate_real_tensors";

/// The origin of a symbol that depends on data.
struct SymProvenance {
  SymSite site;               ///< the op, node and line that made it
  std::vector<int64_t> seen;  ///< values that it was seen to have
};

/// Owns symbols and nodes, facts and decisions.
class ShapeEnv {
 public:
  explicit ShapeEnv(ShapeEnvSettings settings = {});
  ~ShapeEnv();
  ShapeEnv(const ShapeEnv&) = delete;
  ShapeEnv& operator=(const ShapeEnv&) = delete;

  const ShapeEnvSettings settings;

  /// Makes the symbol, or returns the existing one of that name (its info is then replaced where `info` knows more).
  SymInt symbol(const SymbolInfo& info);
  SymInt symbol(std::string_view name, std::optional<int64_t> hint = std::nullopt);
  /// A symbol of a name that is not in use, made by the op in force (SymSiteScope).
  SymInt fresh(const FreshSymbol& wanted = {});
  /// The declared info; null if there is none. It stays where it is; another thread may add to it meanwhile.
  const SymbolInfo* find_symbol(std::string_view name) const;
  std::vector<SymbolInfo> symbols() const;  ///< in the order of creation
  /// A value that the symbol was seen to have.
  void note_value(std::string_view symbol, int64_t value);
  /// Empty for a symbol that was declared and that no op has made.
  std::optional<SymProvenance> provenance(std::string_view symbol) const;
  /// Stores the value of the symbol in the real run that accompanies this one. It decides conditions that facts leave
  /// open, and each of these decisions adds an assert (`propagate_real_tensors`).
  void set_real_value(SymInt symbol, int64_t value);
  /// Hints and real values; empty if a symbol has neither.
  std::optional<int64_t> real_value(SymInt v) const;

  /// Parses the printed form or srepr; unknown symbols are made without a hint. Raises InvalidArgument with the
  /// position.
  SymInt parse(std::string_view text);

  /// A fact from outside; `source` says where it comes from: `input x:0`.
  void add_fact(const SymCondition& holds, std::string source);
  /// Increases with each fact.
  uint64_t fact_version() const;
  /// Returns the bounds that the facts imply; INT64_MIN and INT64_MAX: none.
  std::pair<int64_t, int64_t> range(SymInt v) const;
  /// Returns the expression simplified by the facts.
  SymInt reduced(SymInt v) const;

  /// Returns true or false if the facts imply it; records nothing, never raises.
  std::optional<bool> statically(const SymCondition& c) const;
  /// Like `statically`, with points that satisfy the facts if these imply neither.
  SymVerdict explain(const SymCondition& c) const;

  /// Decides by the facts, else by the hints and records a guard. No hint: GuardOnDataDependent.
  bool decide(const SymCondition& c);
  /// Like decide, but without a hint it returns `fallback` and records nothing.
  bool decide_or(const SymCondition& c, bool fallback);
  /// Without a hint the answer for symbols of at least 2; numbers that may then still be equal are unlike. It is
  /// recorded as an assumption.
  bool decide_size(const SymCondition& c);
  /// Raises `message` where the condition is false. Undecided: an assert, and a fact from now on.
  void check(const SymCondition& c, std::string_view message);

  std::vector<Guard> guards() const;
  std::vector<Guard> asserts() const;
  std::vector<Guard> assumptions() const;
  /// The asserts and assumptions that do not hold at these values; those with a symbol that has none are left out.
  std::vector<Guard> failed(const std::function<std::optional<int64_t>(std::string_view)>& symbol) const;

  /// While it lives, decisions by hints are neither recorded nor made facts. That holds for all threads.
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

/// The value under the hints; empty if a symbol has none. Records nothing.
std::optional<int64_t> value_at_hints(SymInt v);
/// The value with each symbol looked up by name; empty if the lookup returns nothing for one.
std::optional<int64_t> evaluate(SymInt v, const std::function<std::optional<int64_t>(std::string_view)>& symbol);

}  // namespace ersatz
