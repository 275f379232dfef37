#include "tracer/trace/decomposition_table.h"

#include "runtime/op/registry.h"

namespace ersatz {

void DecompositionTable::add(std::string_view op, CompositeBody body) { bodies_[op_named(op).id] = body; }

void DecompositionTable::add(std::string_view op) {
  const OpEntry& entry = op_named(op);
  if (!entry.parts()) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "no decomposition of {} is known", entry.name);
  }
  bodies_[entry.id] = entry.parts();
}

void DecompositionTable::keep_whole(std::string_view op) {
  remove(op);
  whole_.insert(op_named(op).id);
}

void DecompositionTable::remove(std::string_view op) { bodies_.erase(op_named(op).id); }

CompositeBody DecompositionTable::find(const OpEntry& op) const {
  const auto at = bodies_.find(op.id);
  return at == bodies_.end() ? nullptr : at->second;
}

}  // namespace ersatz
