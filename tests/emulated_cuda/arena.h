// The memory of the emulated device: one reserved range of addresses. The process can access it only while work of the
// device runs.
//
// Pages count as used memory when they are first touched. Any thread may call the functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace ersatz::cuda_module::emulated {

class Arena {
 public:
  static constexpr size_t kAlignment = 256;

  explicit Arena(size_t nbytes);

  bool holds(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base_) < reserved_;
  }
  /// Returns whether the address was ever part of a block. The answer is exact only to the page.
  bool has_handed_out(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base_) < switched_;
  }
  /// Returns aligned memory with any content; null if none is left.
  char* take(size_t nbytes);
  /// Frees memory of `take`. Its large pages, except the first, go back to the system.
  void give_back(char* at, size_t nbytes);

  /// Makes the memory readable and writable until close() was called as often as open().
  void open();
  void close();
  /// Returns whether this thread works on the device: it called open(), or works for a thread that did.
  static bool is_open_here();
  static void open_on_this_thread();

 private:
  void protect(char* from, char* to, bool open);
  void add_free(size_t at, size_t nbytes);

  std::mutex mutex_;
  char* base_ = nullptr;
  size_t reserved_ = 0, top_ = 0;    ///< all memory from `top_` on is free
  std::atomic<size_t> switched_{0};  ///< bytes whose protection open() and close() change: all large pages ever taken
  int open_ = 0;
  std::map<size_t, size_t> free_;                   ///< bytes by offset; neighbours are merged
  std::set<std::pair<size_t, size_t>> free_sizes_;  ///< the entries of `free_` as (bytes, offset)
};

/// Returns the arena of the process. It is made at the first call and never destroyed.
Arena& arena();

class ArenaOpen {
 public:
  ArenaOpen() { arena().open(); }
  ~ArenaOpen() { arena().close(); }
  ArenaOpen(const ArenaOpen&) = delete;
  ArenaOpen& operator=(const ArenaOpen&) = delete;
};

}  // namespace ersatz::cuda_module::emulated
