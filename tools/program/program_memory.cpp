#include "tools/program/program_memory.h"

#include <algorithm>

#include "runtime/op/dispatch.h"

namespace ersatz::tools {

void ProgramMemory::see(const Value& v) {
  collect_freed();
  for_each_tensor(std::span<const Value>(&v, 1), [&](const TensorImpl* t) {
    ledger_.add(*t->storage);
    if (expression_) expression_->add(*t->storage);
  });
}

void ProgramMemory::about_to_free(const Interpreter& run, const NodeCall& call) {
  const ArgRange frees = call.step.frees;
  for (uint32_t i = 0; i < frees.count; ++i) {
    const Value& v = run.value(call.prepared.frees[frees.first + i]);
    for_each_tensor(std::span<const Value>(&v, 1), [&](const TensorImpl* t) { ending_.push_back(t->storage); });
  }
}

void ProgramMemory::collect_freed() {
  // The interpreter has freed its values, so a storage that only this list owns is dead. The list may have a shared
  // storage several times.
  std::sort(ending_.begin(), ending_.end(), [](const auto& a, const auto& b) { return a.get() < b.get(); });
  ending_.erase(std::unique(ending_.begin(), ending_.end()), ending_.end());
  for (const Ref<Storage>& s : ending_) {
    if (s->use_count() != 1) continue;
    ledger_.remove(s->id());
    if (expression_) expression_->remove(s->id());
  }
  ending_.clear();
}

}  // namespace ersatz::tools
