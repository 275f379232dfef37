#include "tracer/trace/decomposition_table.h"

#include <unordered_map>
#include <unordered_set>

#include "runtime/op/registry.h"

namespace ersatz {

struct DecompositionTable::Impl {
  std::unordered_map<uint32_t, CompositeBody> bodies;  ///< key: id of the operator
  std::unordered_set<uint32_t> whole;                  ///< ids of operators that are never decomposed
};

DecompositionTable::DecompositionTable() : impl_(std::make_unique<Impl>()) {}
DecompositionTable::DecompositionTable(const DecompositionTable& o) : impl_(std::make_unique<Impl>(*o.impl_)) {}
DecompositionTable::DecompositionTable(DecompositionTable&&) noexcept = default;
DecompositionTable& DecompositionTable::operator=(const DecompositionTable& o) {
  *impl_ = *o.impl_;
  return *this;
}
DecompositionTable& DecompositionTable::operator=(DecompositionTable&&) noexcept = default;
DecompositionTable::~DecompositionTable() = default;

bool DecompositionTable::keeps_whole(const OpEntry& op) const { return impl_->whole.count(op.id) != 0; }
size_t DecompositionTable::size() const { return impl_->bodies.size(); }

void DecompositionTable::add(std::string_view op, CompositeBody body) { impl_->bodies[op_named(op).id] = body; }

void DecompositionTable::add(std::string_view op) {
  const OpEntry& entry = op_named(op);
  if (!entry.parts()) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "no decomposition of {} is known", entry.name);
  }
  impl_->bodies[entry.id] = entry.parts();
}

void DecompositionTable::keep_whole(std::string_view op) {
  remove(op);
  impl_->whole.insert(op_named(op).id);
}

void DecompositionTable::remove(std::string_view op) { impl_->bodies.erase(op_named(op).id); }

CompositeBody DecompositionTable::find(const OpEntry& op) const {
  const auto at = impl_->bodies.find(op.id);
  return at == impl_->bodies.end() ? nullptr : at->second;
}

}  // namespace ersatz
