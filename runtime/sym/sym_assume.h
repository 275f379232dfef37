// Decides conditions under additional assumptions, in a copy of the facts about their symbols. Internal to sym_*.cpp.
#pragma once

#include "runtime/sym/sym_env.h"

namespace ersatz {

/// A separate environment with a copy of the facts about the symbols of a few conditions.
class SymAssumed {
 public:
  /// Makes an environment without facts.
  explicit SymAssumed(ShapeEnv::Impl& from) : from_(from) { own_.impl().facts.quiet(); }
  /// Copies the symbols of the conditions in `about` and the facts about these symbols. Hints are not copied.
  SymAssumed(ShapeEnv::Impl& from, std::span<const SymCondition> about);
  /// Adds the condition as a fact. Returns false if the facts so far refute it.
  bool assume(const SymCondition& c);
  std::optional<bool> decide(const SymCondition& c);
  /// Does `fact` contradict the assumed facts? Or do both together imply that the answer to `q` is no?
  bool refutes(const SymFact& fact, const SymQuestion& q);

 private:
  SymPoly copy(const SymPoly& p);
  SymInt copy(SymInt v);
  SymInt copy(const SymAtom& a);
  SymCondition copy(const SymCondition& c) { return {c.op, copy(c.a), copy(c.b)}; }
  ShapeEnv::Impl& from_;
  ShapeEnv own_;
  std::unordered_map<const SymAtom*, SymInt> copies_;
};

}  // namespace ersatz
