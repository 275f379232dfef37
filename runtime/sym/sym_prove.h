// Decides what facts imply. Sound and bounded: `true` and `false` hold for every value of the symbols that satisfies
// the facts; empty says that the steps below found neither. Internal to sym_*.cpp.
//
// The steps, for a difference d: its normal form and what the facts reduce it to; a known fact up to a factor;
// intervals; d in terms of distances from lower bounds, with no coefficient negative; common divisors and congruences;
// the cases of a `//`, `%`, Min, Max or Where in it; one elimination of an atom with a linear fact.
//
// Polynomials of a proof are not interned, so that asking leaves nothing behind. Everything expects the mutex.
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
  static constexpr size_t kMostTerms = 64;  ///< beyond, facts and intervals have to do
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
/// Points at which the answer is yes and no, where a bounded search finds any.
SymSamples sample(ShapeEnv::Impl& env, const SymQuestion& q);

}  // namespace ersatz
