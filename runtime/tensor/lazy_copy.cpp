// Lazy copies of storages: a lazy copy and its source share bytes until one of them is written.
#include <algorithm>
#include <mutex>
#include <vector>

#include "runtime/tensor/allocator.h"
#include "runtime/tensor/storage.h"

namespace ersatz {

/// `reads`: the storage whose bytes a lazy copy uses. `readers`: the lazy copies that use the bytes of this storage.
/// One storage can have both.
struct Storage::LazyCopies {
  Ref<Storage> reads;
  std::vector<Storage*> readers;
};

namespace {
// One mutex guards all storages, because making or separating a lazy copy changes two storages. Both happen rarely.
std::recursive_mutex& lazy_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}
}  // namespace

Ref<Storage> Storage::lazy_copy(const Ref<Storage>& of) {
  std::lock_guard lock(lazy_mutex());
  Ref<Storage> copy(new Storage(of->nbytes_, of->device_, /*has_bytes=*/true));
  if (!of->data_) return copy;
  const auto state = [](Storage& s) {
    if (!s.lazy_.load()) s.lazy_.store(new LazyCopies);
    return s.lazy_.load();
  };
  copy->data_ = of->data_;
  state(*copy)->reads = of;
  state(*of)->readers.push_back(copy.get());
  return copy;
}

bool Storage::is_lazy_copy() const {
  if (!shares_bytes()) return false;
  std::lock_guard lock(lazy_mutex());
  const LazyCopies* state = lazy_.load();
  return state && state->reads;
}

/// Gives a lazy copy bytes of its own with the same values. REQUIRES: the mutex is held.
void Storage::take_own_bytes() {
  LazyCopies* state = lazy_.load();
  Ref<Storage> from = std::move(state->reads);
  std::erase(from->lazy_.load()->readers, this);
  const int64_t n = nbytes_.as_int();
  void* own = allocator_for(device_).allocate(n, device_);
  copy_bytes(own, device_, data_, device_, n);
  data_ = own;
}

void Storage::part_lazy_copies() {
  std::lock_guard lock(lazy_mutex());
  LazyCopies* state = lazy_.load();
  if (!state) return;
  // Lazy copies of this storage take their own bytes before this storage is written.
  while (!state->readers.empty()) state->readers.back()->take_own_bytes();
  if (state->reads) take_own_bytes();
  delete lazy_.exchange(nullptr);
}

/// Called by the destructor. No lazy copy reads this storage then, because lazy copies keep their source alive. The
/// storage may be a lazy copy itself.
void Storage::forget_lazy_copies() noexcept {
  std::lock_guard lock(lazy_mutex());
  LazyCopies* state = lazy_.exchange(nullptr);
  if (!state) return;
  if (state->reads) {
    std::erase(state->reads->lazy_.load()->readers, this);
    data_ = nullptr;  // the bytes belong to the source
  }
  delete state;
}

}  // namespace ersatz
