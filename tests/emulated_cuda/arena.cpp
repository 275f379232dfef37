#include "tests/emulated_cuda/arena.h"

#include <sys/mman.h>

#include <algorithm>

#include "tests/emulated_cuda/fault.h"
#include "tests/emulated_cuda/settings.h"

namespace ersatz::cuda_module::emulated {
namespace {

constexpr size_t kStep = size_t(2) << 20;
size_t rounded(size_t n, size_t to) { return (n + to - 1) / to * to; }

thread_local int t_open = 0;

}  // namespace

Arena::Arena(size_t nbytes) : reserved_(rounded(nbytes, kStep)) {
  void* address = mmap(nullptr, reserved_ + kStep, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) fault("no {} bytes of addresses for its memory", reserved_);
  const auto at = reinterpret_cast<uintptr_t>(address);
  base_ = static_cast<char*>(address) + (rounded(at, kStep) - at);
  // Opening and closing take half a microsecond per page, so pages are large.
  madvise(base_, reserved_, MADV_HUGEPAGE);
}

bool Arena::is_open_here() { return t_open > 0; }
void Arena::open_on_this_thread() { ++t_open; }

void Arena::protect(char* from, char* to, bool open) {
  if (from < to && mprotect(from, static_cast<size_t>(to - from), open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) {
    fault("its memory cannot be {}", open ? "opened" : "closed");
  }
}

void Arena::open() {
  ++t_open;
  std::lock_guard lock(mutex_);
  if (open_++ == 0) protect(base_, base_ + switched_, true);
}

void Arena::close() {
  --t_open;
  std::lock_guard lock(mutex_);
  if (--open_ == 0) protect(base_, base_ + switched_, false);
}

char* Arena::take(size_t nbytes) {
  nbytes = rounded(nbytes, kAlignment);
  std::lock_guard lock(mutex_);
  if (const auto found = free_sizes_.lower_bound({nbytes, 0}); found != free_sizes_.end()) {
    const auto [size, at] = *found;
    free_sizes_.erase(found);
    free_.erase(at);
    if (size > nbytes) {
      free_.emplace(at + nbytes, size - nbytes);
      free_sizes_.emplace(size - nbytes, at + nbytes);
    }
    return base_ + at;
  }
  if (nbytes > reserved_ - top_) return nullptr;
  const size_t at = top_;
  top_ += nbytes;
  if (top_ > switched_) {
    const size_t before = switched_;
    switched_ = std::min(reserved_, rounded(top_, kStep));
    if (open_ > 0) protect(base_ + before, base_ + switched_, true);
  }
  return base_ + at;
}

void Arena::give_back(char* address, size_t nbytes) {
  nbytes = rounded(nbytes, kAlignment);
  std::lock_guard lock(mutex_);
  auto at = static_cast<size_t>(address - base_);
  if (const size_t from = rounded(at + 1, kStep), to = (at + nbytes) / kStep * kStep; from < to) {
    madvise(base_ + from, to - from, MADV_DONTNEED);
  }
  auto next = free_.lower_bound(at);
  if (next != free_.end() && next->first == at + nbytes) {
    nbytes += next->second;
    free_sizes_.erase({next->second, next->first});
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      at = before->first;
      nbytes += before->second;
      free_sizes_.erase({before->second, before->first});
      free_.erase(before);
    }
  }
  if (at + nbytes == top_) {
    top_ = at;
    return;
  }
  free_.emplace(at, nbytes);
  free_sizes_.emplace(nbytes, at);
}

Arena& arena() {
  static auto* all = [] {
    // Twice the device's memory, plus room for guard zones and gaps.
    auto* made = new Arena(2 * settings().bytes + (size_t(64) << 20));
    watch_faults();
    return made;
  }();
  return *all;
}

}  // namespace ersatz::cuda_module::emulated
