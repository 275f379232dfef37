#include "runtime/tensor/loose_bools.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_set>

namespace ersatz {
namespace {

std::atomic<bool> g_any_loose_bools{false};

struct LooseBools {
  std::mutex mutex;
  std::unordered_set<uint64_t> storages;
};
LooseBools& loose_bools() {
  static auto* const marked = new LooseBools;  // never destroyed: storages die at the end of the process
  return *marked;
}

}  // namespace

bool any_loose_bools() { return g_any_loose_bools.load(std::memory_order_acquire); }

bool has_loose_bools(const Storage& storage) {
  if (!any_loose_bools()) return false;
  LooseBools& marked = loose_bools();
  const std::lock_guard lock(marked.mutex);
  return marked.storages.contains(storage.id());
}

void mark_loose_bools(const Storage& storage) {
  LooseBools& marked = loose_bools();
  const std::lock_guard lock(marked.mutex);
  marked.storages.insert(storage.id());
  g_any_loose_bools.store(true, std::memory_order_release);
}

void mark_if_loose(const Tensor& t) {
  if (t.dtype() != DType::Bool || !t.storage()->has_bytes()) return;
  const std::byte* const bytes = t.storage()->data();
  const auto is_loose = [](std::byte b) { return std::to_integer<unsigned>(b) > 1; };
  if (!t.device().is_cpu() || std::any_of(bytes, bytes + t.storage()->nbytes().as_int(), is_loose))
    mark_loose_bools(*t.storage());
}

void forget_loose_bools(uint64_t storage_id) {
  if (!any_loose_bools()) return;
  LooseBools& marked = loose_bools();
  const std::lock_guard lock(marked.mutex);
  marked.storages.erase(storage_id);
  if (marked.storages.empty()) g_any_loose_bools.store(false, std::memory_order_release);
}

}  // namespace ersatz
