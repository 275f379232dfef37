// Live and peak bytes of an interpreted run: a storage counts from its first result to its last use. The interpreter
// says what may end, so that a program of a million nodes costs no search for dead storages
// (fake/observe/memory_meter.h searches).
#pragma once

#include <vector>

#include "fake/observe/storage_ledger.h"
#include "tools/program/peak_expression.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

class ProgramMemory {
 public:
  /// The storages of a value (a tensor or a list) are live from now on.
  void see(const Value& v);
  /// Call behind each node, before its last-used values are freed: remembers which storages may end with them.
  void about_to_free(const Interpreter& run, const NodeCall& call);

  /// Of all devices together.
  int64_t peak_bytes() const { return ledger_.total().peak; }
  /// The peak is wanted as an expression too. Call before anything is seen; the environment outlives this object.
  void watch_symbols(const ShapeEnv& env) { expression_.emplace(env); }
  /// Empty unless it is watched, and where there is no such expression.
  std::optional<SymInt> peak_expression() const { return expression_ ? expression_->peak() : std::nullopt; }

 private:
  void collect_freed();
  StorageLedger ledger_;
  std::optional<PeakExpression> expression_;
  std::vector<Ref<Storage>> ending_;
};

}  // namespace ersatz::tools
