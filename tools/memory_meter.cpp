#include "tools/memory_meter.h"

#include <algorithm>

#include "runtime/dispatch.h"

namespace ersatz::tools {

namespace {
int64_t bytes_of(const Storage& s) { return s.nbytes().is_int() ? s.nbytes().as_int() : 0; }
}  // namespace

void MemoryMeter::see(const Value& v) {
  collect_freed();
  for_each_tensor(std::span<const Value>(&v, 1), [&](const TensorImpl* t) {
    if (live_ids_.insert(t->storage->id()).second) live_ += bytes_of(*t->storage);
  });
  peak_ = std::max(peak_, live_);
}

void MemoryMeter::about_to_free(const Interpreter& run, const NodeCall& call) {
  const ArgRange frees = call.step.frees;
  for (uint32_t i = 0; i < frees.count; ++i) {
    const Value& v = run.value(call.prepared.frees[frees.first + i]);
    for_each_tensor(std::span<const Value>(&v, 1), [&](const TensorImpl* t) { ending_.push_back(t->storage); });
  }
}

void MemoryMeter::collect_freed() {
  // The interpreter has let go of its values since: a storage that only this list holds is dead. One that several of
  // them shared is here several times.
  std::sort(ending_.begin(), ending_.end(), [](const auto& a, const auto& b) { return a.get() < b.get(); });
  ending_.erase(std::unique(ending_.begin(), ending_.end()), ending_.end());
  for (const Ref<Storage>& s : ending_) {
    if (s->use_count() == 1 && live_ids_.erase(s->id())) live_ -= bytes_of(*s);
  }
  ending_.clear();
}

}  // namespace ersatz::tools
