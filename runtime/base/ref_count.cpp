#include "runtime/base/ref_count.h"

namespace ersatz {

using detail::WeakCell;
ERSATZ_DEFINE_POOL(WeakCell)

detail::WeakCell* RefCounted::weak_cell() const {
  detail::WeakCell* cell = weak_.load(std::memory_order_acquire);
  if (cell) return cell;
  auto* fresh = new detail::WeakCell(const_cast<RefCounted*>(this));
  if (weak_.compare_exchange_strong(cell, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) return fresh;
  delete fresh;  // another thread has created the WeakCell first
  return cell;
}

bool RefCounted::try_retain() const noexcept {
  uint32_t count = refs_.load(std::memory_order_relaxed);
  while (count != 0)
    if (refs_.compare_exchange_weak(count, count + 1, std::memory_order_acquire, std::memory_order_relaxed))
      return true;
  return false;
}

// `release` calls this with a count of 0, or with a count of 1 if it skipped the decrement of the only reference. In
// the second case a WeakRef may have taken a reference since. The skipped decrement is then done under the cell's
// mutex, which WeakRef::lock() takes too.
void RefCounted::destroy() const noexcept {
  if (detail::WeakCell* cell = weak_.load(std::memory_order_acquire)) {
    {
      std::lock_guard guard(cell->mutex);
      if (refs_.load(std::memory_order_acquire) != 0 && refs_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
      cell->object = nullptr;
    }
    if (cell->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete cell;
  }
  delete this;
}

}  // namespace ersatz
