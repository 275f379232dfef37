// SymProver decides conditions by the facts. It is sound: `true` and `false` hold for all values of the symbols that
// satisfy the facts. It is bounded: nullopt means that none of its steps decided the condition. Internal to sym_*.cpp.
//
// The prover tries these steps on the difference d of both sides, in this order. It takes the normal form of d, and d
// reduced by the facts. It looks for a known fact about a multiple of d, and computes an interval of d. It writes d
// over distances from lower bounds, whose coefficients must be nonnegative. It uses common divisors and congruences. It
// distinguishes the cases of a `//`, `%`, Min, Max or Where in d. It eliminates one atom by a linear fact.
//
// Polynomials of a proof are not interned, so a proof adds no nodes. All functions require that the environment's mutex
// is locked.
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
  static constexpr size_t kMostTerms = 64;  ///< polynomials with more terms are decided only by facts and intervals
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

/// Values of symbols that satisfy the facts about them.
struct SymPoint {
  std::vector<std::pair<const SymAtom*, int64_t>> values;
};
struct SymSamples {
  std::optional<SymPoint> yes, no;
};
/// Returns a point at which the answer is yes and one at which it is no, if a bounded search finds them.
SymSamples sample(ShapeEnv::Impl& env, const SymQuestion& q);

}  // namespace ersatz
