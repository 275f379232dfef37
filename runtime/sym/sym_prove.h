// Decides conditions by the facts. Sound and bounded: `true` and `false` hold for all values of the symbols that
// satisfy the facts; nullopt means that no step below decided. Internal to sym_*.cpp.
//
// The steps, for a difference d: its normal form, and d reduced by the facts; a known fact up to a factor; intervals.
// Next comes d over distances from lower bounds, without negative coefficients; then common divisors and congruences.
// The last are the cases of a `//`, `%`, Min, Max or Where in d, and the elimination of one atom by a linear fact.
//
// Polynomials of a proof are not interned, so a proof leaves no nodes. All functions require the mutex to be locked.
#pragma once

#include "runtime/sym/sym_facts.h"

namespace ersatz {

class SymProver {
 public:
  explicit SymProver(ShapeEnv::Impl& env) : env_(env) {}

  std::optional<bool> decide(const SymQuestion& q);

 private:
  static constexpr int kMostSteps = 48;
  static constexpr int kDeepest = 3;
  static constexpr size_t kMostTerms = 64;  ///< polynomials with more terms are decided by facts and intervals only
  std::optional<bool> decided(const SymQuestion& q);
  std::optional<bool> zero(const SymPoly& d);
  bool nonnegative(const SymPoly& d, int depth);
  bool by_fact(const SymPoly& d) const;
  bool by_factor(const SymPoly& d, int depth);
  bool by_interval(const SymPoly& d);
  bool by_shift(const SymPoly& d);
  bool by_cases(const SymPoly& d, int depth);
  bool by_division(const SymPoly& d, size_t at, int depth);
  bool by_remainder(const SymPoly& d, size_t at, int depth);
  bool by_choice(const SymPoly& d, const SymAtom& atom, int depth);
  bool by_elimination(const SymPoly& d);
  bool never_zero(const SymPoly& d);
  SymPoly without_positive_factors(SymPoly d);

  ShapeEnv::Impl& env_;
  int steps_ = 0;
};

/// A point that satisfies the facts about its symbols.
struct SymPoint {
  std::vector<std::pair<const SymAtom*, int64_t>> values;
};
struct SymSamples {
  std::optional<SymPoint> yes, no;
};
/// Points at which the answer is yes and no, if a bounded search finds any.
SymSamples sample(ShapeEnv::Impl& env, const SymQuestion& q);

}  // namespace ersatz
