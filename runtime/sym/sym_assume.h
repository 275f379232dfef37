// What would follow if one more condition held: a question asked in a copy of the facts around it.
// Internal to sym_*.cpp.
#pragma once

#include "runtime/sym/sym_env.h"

namespace ersatz {

/// The facts about the symbols of a few conditions, in an environment of their own.
class SymAssumed {
 public:
  /// Knows nothing yet.
  explicit SymAssumed(ShapeEnv::Impl& from) : from_(from) { own_.impl().facts.quiet(); }
  /// The symbols of the conditions, and what is known of them. Unlike the original, nothing has a hint.
  SymAssumed(ShapeEnv::Impl& from, std::span<const SymCondition> about);
  /// False where the facts refute it.
  bool assume(const SymCondition& c);
  std::optional<bool> decide(const SymCondition& c);
  /// Can the question not be answered with yes once the fact holds?
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
