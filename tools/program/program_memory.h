// Live and peak bytes of an interpreted run. A storage is live from its first result to its last use. The interpreter
// says which values end, so no search for dead storages is needed, unlike in fake/observe/memory_meter.h.
#pragma once

#include <vector>

#include "fake/observe/storage_ledger.h"
#include "tools/program/peak_expression.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

class ProgramMemory {
 public:
  /// Marks the storages of a value (a tensor or a list) as live.
  void see(const Value& v);
  /// Call after each node, before its last-used values are freed. Stores the storages that may die with them.
  void about_to_free(const Interpreter& run, const NodeCall& call);

  /// Sum over all devices.
  int64_t peak_bytes() const { return ledger_.total().peak; }
  /// Also computes the peak as an expression. REQUIRES: nothing was seen yet; `env` outlives this object.
  void watch_symbols(const ShapeEnv& env) { expression_.emplace(env); }
  /// nullopt without watch_symbols, or if there is no expression.
  std::optional<SymInt> peak_expression() const { return expression_ ? expression_->peak() : std::nullopt; }

 private:
  void collect_freed();
  StorageLedger ledger_;
  std::optional<PeakExpression> expression_;
  std::vector<Ref<Storage>> ending_;
};

}  // namespace ersatz::tools
