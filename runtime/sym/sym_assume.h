// Decides conditions under an additional assumption, in a copy of the related facts. Internal to sym_*.cpp.
#pragma once

#include "runtime/sym/sym_env.h"

namespace ersatz {

/// The facts about the symbols of a few conditions, in an environment of their own.
class SymAssumed {
 public:
  /// Starts without facts.
  explicit SymAssumed(ShapeEnv::Impl& from) : from_(from) { own_.impl().facts.quiet(); }
  /// Copies the symbols of the conditions and the facts about them. Hints are not copied.
  SymAssumed(ShapeEnv::Impl& from, std::span<const SymCondition> about);
  /// Adds the condition as a fact. Returns false if the facts refute it.
  bool assume(const SymCondition& c);
  std::optional<bool> decide(const SymCondition& c);
  /// Whether the fact contradicts the assumed ones, or implies with them that the answer to the question is no.
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
