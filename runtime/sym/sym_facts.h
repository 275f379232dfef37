// Facts about the symbols of an environment: ranges, equalities, congruences and inequalities, each with its source.
// Internal to sym_*.cpp.
//
// Each fact is about a form. A form is a polynomial without constant term whose coefficients have no common divisor and
// whose leading coefficient is positive. For example, `3*s0 - 3*s1 + 7 >= 0` is the lower bound -2 of the form `s0-s1`.
// The range of a symbol is the bounds of the form that consists of the symbol. An equality is solved for a symbol if
// the symbol has coefficient 1 or -1 and occurs nowhere else in the equality. Facts about that symbol are then
// re-stated for the solution.
//
// F1. Facts are added and never removed, so a proof stays valid. Each change increases the version, which starts at 1.
// F2. A fact that leaves a form without any value raises InvalidArgument, with the sources of both facts.
// F3. All functions require that the environment's mutex is locked.
#pragma once

#include <atomic>
#include <deque>
#include <string>
#include <unordered_map>

#include "runtime/sym/sym_node.h"

namespace ersatz {

/// The property of a difference d that a comparison requires: d == 0, d != 0 or d >= 0. d is the difference of the two
/// sides.
enum class SymKind : uint8_t { Zero, NonZero, NonNegative };
struct SymQuestion {
  SymKind kind;
  SymPoly d;
};
/// Returns the question for `a op b`: `a < b` asks whether `b - a - 1` is nonnegative.
SymQuestion question_of(detail::Compare op, SymInt a, SymInt b);
/// Returns the question for the comparison `call` of `a` and `b`. REQUIRES: is_comparison(call).
SymQuestion question_of(SymCall call, SymInt a, SymInt b);
/// Returns the question for an atom that is a comparison. REQUIRES: is_comparison(a.call), and its arguments are no
/// floats.
SymQuestion question_of(const SymAtom& a);
SymQuestion negation(const SymQuestion& q);
/// Does the number `d` have the property `kind`?
bool holds(SymKind kind, int64_t d);

using SymSource = uint32_t;
struct SymBound {
  int64_t value;
  SymSource source = 0;
};
/// The numbers that have `residue` modulo `modulus`. For modulus 0, only the number `residue`; for modulus 1, all
/// numbers.
struct SymCongruence {
  int64_t residue = 0;
  int64_t modulus = 1;
};

struct SymFact {
  const SymNode* form;
  bool live = true;  ///< false if a symbol of the form was solved: the fact was re-stated over other symbols
  SymBound lo{INT64_MIN};
  SymBound hi{INT64_MAX};
  std::vector<SymBound> excluded;  ///< single values that the form cannot have
  SymCongruence congruence;
  SymSource congruence_source = 0;
};

/// The decomposition d = scale * form + constant of a difference d.
struct SymForm {
  SymPoly form;
  int64_t scale = 0;  ///< 0 if d is constant
  int64_t constant = 0;
};
SymForm form_of(const SymPoly& d);

class SymFacts {
 public:
  explicit SymFacts(ShapeEnv::Impl& env) : env_(env) {}

  /// any thread may call it without the mutex
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  SymSource source(std::string what);
  const std::string& text(SymSource s) const { return sources_[s]; }

  void add(SymQuestion q, SymSource source);
  /// Adds a decision that was made by hints. If its coefficients overflow, adds nothing and returns false.
  bool try_add(SymQuestion q, SymSource source);
  /// Adds the declared range of a symbol.
  void bound(SymInt symbol, int64_t lo, int64_t hi);

  /// After this call, contradictions are reported without a search for their sources.
  void quiet() { quiet_ = true; }
  /// Adds a fact of another environment. `form` is the fact's form in this environment.
  void learn(const SymFact& other, SymInt form);

  // Intervals.
  SymRange range_of(SymInt v);
  SymRange range_of_poly(const SymPoly& p);
  SymRange range_of_atom(const SymAtom& a);
  /// `deep` limits the number of nested remainders that the function considers.
  SymCongruence congruence_of(const SymPoly& p, int deep = 2);

  /// Returns the expression with solved symbols substituted and with those calls evaluated that the facts decide. The
  /// result is cached until the next fact.
  SymInt reduce(SymInt v);
  SymPoly reduce(const SymPoly& p);

  /// Returns the fact about a form; null if there is none.
  SymFact* find(const SymPoly& form) const;
  /// Returns the facts about forms of several terms in which the atom is a factor of a term.
  const std::vector<SymFact*>& relations(const SymAtom* a) const { return at(relations_, a); }
  /// Returns the facts about forms that contain the symbol, also inside of calls.
  const std::vector<SymFact*>& facts_with(const SymAtom* symbol) const { return at(by_symbol_, symbol); }
  struct Solved {
    SymInt value;
    SymSource source;
  };
  const Solved* solved(const SymAtom* symbol) const;
  size_t size() const { return facts_.size(); }

 private:
  using Lists = std::unordered_map<const SymAtom*, std::vector<SymFact*>>;
  static const std::vector<SymFact*>& at(const Lists& lists, const SymAtom* a);
  SymFact& fact(const SymPoly& form);
  void tell(const SymQuestion& q, SymSource source);
  void tighten(SymFact& f, bool lower, int64_t value, SymSource source);
  void settle_bool(const SymAtom& a, bool value, SymSource source);
  void at_least_zero(const SymPoly& d, SymSource source);
  void exclude(const SymPoly& d, SymSource source);
  void equate(const SymPoly& d, SymSource source);
  bool solve(const SymPoly& d, SymSource source);
  void congruent(const SymPoly& p, int64_t modulus, SymSource source);
  SymSource blamed(const SymQuestion& q);
  void round_to_residue(SymFact& f);
  void spread(SymFact& f);
  std::string spelled(const SymPoly& p) const;
  [[noreturn]] void contradict(const std::string& what, SymSource a, SymSource b);
  SymRange range_of_call(SymCall c, std::span<const SymInt> args);
  SymInt reduced_atom(const SymAtom& a);
  SymInt settled(SymCall c, std::vector<SymInt> args);
  SymPoly with_whole_quotients(SymPoly p);
  SymInt cancelled(SymCall c, std::vector<SymInt> args);

  ShapeEnv::Impl& env_;
  std::atomic<uint64_t> version_{1};
  bool quiet_ = false;
  bool contradicted_ = false;
  int spreading_ = 0, spread_budget_ = 0;
  std::deque<std::string> sources_{"nothing"};
  std::deque<SymFact> facts_;
  Lists by_symbol_, relations_;
  std::unordered_map<const SymAtom*, Solved> solved_;
};

/// Returns the symbols of an expression, each once.
std::vector<const SymAtom*> symbols_of(const SymPoly& p);

}  // namespace ersatz
