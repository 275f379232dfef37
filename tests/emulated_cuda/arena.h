// Where the memory of the emulated device lies: one reserved range of addresses that is closed to this process, but for
// the time that work of the device runs.
//
// Pages are counted for as they are touched. Any thread.
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
  /// Was it ever part of a block, as far as pages go?
  bool has_handed_out(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base_) < switched_;
  }
  /// Aligned, of whatever content; null when nothing is left.
  char* take(size_t nbytes);
  /// What `take` gave for so many bytes. Large pages in it, but for the first, go back to the system.
  void give_back(char* at, size_t nbytes);

  /// Readable and writable until `close` was called as often.
  void open();
  void close();
  /// Is this a thread that works on the device? One that opened it, or a thread that works for such a one.
  static bool is_open_here();
  static void open_on_this_thread();

 private:
  void protect(char* from, char* to, bool open);
  void add_free(size_t at, size_t nbytes);

  std::mutex mutex_;
  char* base_ = nullptr;
  size_t reserved_ = 0, top_ = 0;    ///< from `top_` on all is free
  std::atomic<size_t> switched_{0};  ///< what is opened and closed: all that was ever taken, in large pages
  int open_ = 0;
  std::map<size_t, size_t> free_;                   ///< by place; neighbours are merged
  std::set<std::pair<size_t, size_t>> free_sizes_;  ///< the same as (bytes, place)
};

/// Of the process; made when it is first asked for, never destroyed.
Arena& arena();

class ArenaOpen {
 public:
  ArenaOpen() { arena().open(); }
  ~ArenaOpen() { arena().close(); }
  ArenaOpen(const ArenaOpen&) = delete;
  ArenaOpen& operator=(const ArenaOpen&) = delete;
};

}  // namespace ersatz::cuda_module::emulated
