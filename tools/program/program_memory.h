// Computes live and peak bytes of an interpreted run. A storage is live from its first result to its last use. The
// interpreter tells which values end, so no search for dead storages is needed, unlike in fake/observe/memory_meter.h.
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
  /// Must be called after each node, before the values that it used last are freed. Notes the storages that may become
  /// dead with them.
  void about_to_free(const Interpreter& run, const NodeCall& call);

  /// Returns the peak of the sum over all devices.
  int64_t peak_bytes() const { return ledger_.total().peak; }
  /// Also computes the peak as an expression. REQUIRES: nothing was seen yet; `env` outlives this object.
  void watch_symbols(const ShapeEnv& env) { expression_.emplace(env); }
  /// Returns the peak as an expression. nullopt if watch_symbols was not called, or if there is no expression.
  std::optional<SymInt> peak_expression() const { return expression_ ? expression_->peak() : std::nullopt; }

 private:
  void collect_freed();
  StorageLedger ledger_;
  std::optional<PeakExpression> expression_;
  std::vector<Ref<Storage>> ending_;
};

}  // namespace ersatz::tools
