#include "runtime/cuda/pool.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "runtime/cuda/per_device.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {
namespace {

constexpr int64_t kSmall = 512, kLarge = int64_t(2) << 20, kLargeFrom = int64_t(16) << 20;
constexpr int64_t kMost = INT64_MAX - kLarge;
constexpr int64_t kHuge = int64_t(1) << 30;  ///< requests from this size on take so long that a query of the free
                                             ///< memory costs little in comparison

int64_t rounded(int64_t nbytes, int64_t to) { return (nbytes + to - 1) / to * to; }
int64_t block_bytes(int64_t nbytes) { return rounded(nbytes, nbytes < kLargeFrom ? kSmall : kLarge); }

bool keeps_blocks() {
  const char* text = std::getenv("ERSATZ_CUDA_CACHE");
  return text && *text ? std::string_view(text) != "0" : driver().worth_caching;
}

PerDevice<Pool> g_pools;

}  // namespace

Pool& pool_of(int device) { return g_pools.of(device); }

Pool::Pool(int device) : device_(device), keeps_(keeps_blocks()) {}

Pool::Block& Pool::live_block(const void* address, const char* what) {
  auto found = blocks_.find(address);
  ERSATZ_ASSERT(found != blocks_.end(), "cuda:{}: {} of {}, which is no block of this device", device_, what,
                fmt::ptr(address));
  ERSATZ_ASSERT(found->second.asked > 0, "cuda:{}: {} of {}, which is free already", device_, what, fmt::ptr(address));
  return found->second;
}

Pool::FreeBlocks& Pool::free_blocks(StreamHandle stream) {
  for (FreeBlocks& f : free_) {
    if (f.stream == stream) return f;
  }
  return free_.emplace_back(FreeBlocks{stream, {}});
}

Pool::Block* Pool::take_free(int64_t nbytes, StreamHandle stream) {
  auto& by_size = free_blocks(stream).by_size;
  const auto found = by_size.lower_bound(nbytes);
  if (found == by_size.end() || found->first > nbytes + nbytes / 8) return nullptr;
  Block* block = found->second;
  if (!(found->second = block->next)) by_size.erase(found);
  return block;
}

void Pool::put_free(Block& block) {
  block.users.clear();
  if (!keeps_) return to_driver(block);
  Block*& first = free_blocks(block.stream).by_size[block.nbytes];
  block.next = std::exchange(first, &block);
}

/// Returns whether the request is larger than the device's memory. Without this test, the driver would take all memory
/// into its pool before the request fails, and meanwhile refuse every other process on the device.
bool Pool::is_beyond_device(int64_t nbytes) {
  if (nbytes < kHuge) return false;
  int64_t free = 0, total = 0;
  ++figures_.driver_calls;
  return driver().free_bytes(&free, &total) == 0 && nbytes > total;
}

/// Allocates a block from the driver. Returns null if memory is exhausted.
Pool::Block* Pool::from_driver(int64_t nbytes, StreamHandle stream) {
  DeviceScope scope(device_);
  if (is_beyond_device(nbytes)) return nullptr;
  if (!std::exchange(asked_driver_, true)) {  // done at the first allocation, because it creates the device's context
    ++figures_.driver_calls;
    check_on(device_, driver().keep_pool_memory(device_), "driver().keep_pool_memory(device)", __FILE__, __LINE__);
  }
  void* address = nullptr;
  auto ask = [&] {
    ++figures_.driver_calls;
    const int status = driver().malloc_async(&address, static_cast<size_t>(nbytes), stream);
    if (status != kOutOfMemory) check_on(device_, status, "driver().malloc_async(...)", __FILE__, __LINE__);
    note_failure(device_, status, "malloc_async");
    return status == 0;
  };
  if (!ask()) {
    finish_waiting();
    trim();
    if (!ask()) {
      trim();  // the driver's pool never shrinks until a request fails
      return nullptr;
    }
  }
  figures_.reserved_bytes += nbytes;
  figures_.peak_reserved_bytes = std::max(figures_.peak_reserved_bytes, figures_.reserved_bytes);
  Block& block = blocks_[address];
  block.address = address;
  block.nbytes = nbytes;
  block.stream = stream;
  return &block;
}

void Pool::to_driver(Block& block) {
  DeviceScope scope(device_);
  ++figures_.driver_calls;
  note_failure(device_, driver().free_async(block.address, block.stream), "free_async");
  figures_.reserved_bytes -= block.nbytes;
  blocks_.erase(block.address);
}

void* Pool::allocate(int64_t nbytes, StreamHandle stream) {
  require_usable(device_);
  std::lock_guard lock(mutex_);
  if (nbytes > kMost) raise_out_of_memory(device_, nbytes, figures_.live_bytes, cached_bytes());
  // If the pool keeps no blocks, the driver gets exactly `nbytes`: the emulated device puts guard zones around them.
  const int64_t wanted = keeps_ ? block_bytes(nbytes) : nbytes;
  Block* block = keeps_ ? take_free(wanted, stream) : nullptr;
  if (!block && !waiting_.empty()) {
    see_passed_events();
    if (keeps_) block = take_free(wanted, stream);
  }
  if (!block) block = from_driver(wanted, stream);
  if (!block) raise_out_of_memory(device_, nbytes, figures_.live_bytes, cached_bytes());
  block->asked = rounded(nbytes, kSmall);
  used_bytes_ += block->nbytes;
  figures_.live_bytes += block->asked;
  figures_.peak_bytes = std::max(figures_.peak_bytes, figures_.live_bytes);
  ++figures_.allocations;
  return block->address;
}

void Pool::free(void* address, StreamHandle current) {
  std::lock_guard lock(mutex_);
  Block& block = live_block(address, "freeing");
  if (current != block.stream && std::find(block.users.begin(), block.users.end(), current) == block.users.end()) {
    block.users.push_back(current);
  }
  figures_.live_bytes -= std::exchange(block.asked, 0);
  used_bytes_ -= block.nbytes;
  if (!is_usable(device_)) return;
  if (!block.users.empty()) return wait_for_users(block);
  put_free(block);
}

void Pool::record_stream(const void* address, StreamHandle stream) {
  std::lock_guard lock(mutex_);
  Block& block = live_block(address, "a use on another stream");
  if (stream == block.stream) return;
  if (std::find(block.users.begin(), block.users.end(), stream) == block.users.end()) block.users.push_back(stream);
}

EventHandle Pool::take_event() {
  EventHandle event = nullptr;
  if (!events_.empty()) {
    event = events_.back();
    events_.pop_back();
    return event;
  }
  ++figures_.driver_calls;
  const int status = driver().event_create(&event, false);
  note_failure(device_, status, "event_create");
  return status == 0 ? event : nullptr;
}

/// Keeps a freed block from reuse until the streams that use it are done: records an event on each of them. If an event
/// cannot be recorded, it waits for the stream at once.
void Pool::wait_for_users(Block& block) {
  DeviceScope scope(device_);
  Waiting waiting{&block, {}};
  for (StreamHandle user : block.users) {
    EventHandle event = take_event();
    if (event) {
      ++figures_.driver_calls;
      const int status = driver().event_record(event, user);
      note_failure(device_, status, "event_record");
      if (status == 0) {
        waiting.events.push_back(event);
        continue;
      }
      events_.push_back(event);
    }
    ++figures_.driver_calls;
    note_failure(device_, driver().stream_synchronize(user), "stream_synchronize");
    if (!is_usable(device_)) return;
  }
  if (waiting.events.empty()) return put_free(block);
  waiting_.push_back(std::move(waiting));
}

void Pool::see_passed_events() {
  constexpr int kTriesAtMost = 8;  // one request looks at no more than this many unfinished blocks; later requests look
                                   // at the others
  int not_yet = 0;
  for (auto w = waiting_.begin(); w != waiting_.end() && not_yet < kTriesAtMost;) {
    while (!w->events.empty()) {
      ++figures_.driver_calls;
      const int status = driver().event_query(w->events.back());
      note_failure(device_, status, "event_query");
      if (status != 0) break;
      events_.push_back(w->events.back());
      w->events.pop_back();
    }
    if (!w->events.empty()) {
      ++not_yet;
      ++w;
      continue;
    }
    put_free(*w->block);
    w = waiting_.erase(w);
  }
  require_usable(device_);
}

void Pool::finish_waiting() {
  for (Waiting& w : waiting_) {
    for (EventHandle event : w.events) {
      ++figures_.driver_calls;
      ERSATZ_CHECK_CUDA_ON(device_, driver().event_synchronize(event));
      events_.push_back(event);
    }
    w.events.clear();
  }
  see_passed_events();
}

void Pool::trim() {
  for (FreeBlocks& f : free_) {
    if (f.by_size.empty()) continue;
    for (auto& [size, first] : f.by_size) {
      for (Block* block = first; block;) to_driver(*std::exchange(block, block->next));
    }
    f.by_size.clear();
    ++figures_.driver_calls;  // the next line waits, because the driver frees memory only after the stream's earlier
                              // work
    ERSATZ_CHECK_CUDA_ON(device_, driver().stream_synchronize(f.stream));
  }
  ++figures_.driver_calls;
  ERSATZ_CHECK_CUDA_ON(device_, driver().trim_pool(device_, 0));
}

void Pool::empty_cache() {
  if (!is_usable(device_)) return;
  std::lock_guard lock(mutex_);
  DeviceScope scope(device_);
  see_passed_events();
  trim();
}

void Pool::stream_ended(StreamHandle stream) {
  std::lock_guard lock(mutex_);
  if (!stream) return;
  for (auto& [address, block] : blocks_) {
    if (block.stream == stream) block.stream = nullptr;
    std::erase(block.users, stream);
  }
  const auto ended = std::find_if(free_.begin(), free_.end(), [&](const FreeBlocks& f) { return f.stream == stream; });
  if (ended == free_.end()) return;
  const auto by_size = std::move(ended->by_size);
  free_.erase(ended);
  for (const auto& [size, first] : by_size) {
    for (Block* block = first; block;) put_free(*std::exchange(block, block->next));
  }
}

PoolFigures Pool::figures() const {
  std::lock_guard lock(mutex_);
  PoolFigures now = figures_;
  now.cached_bytes = cached_bytes();
  return now;
}

void Pool::reset_peak() {
  std::lock_guard lock(mutex_);
  figures_.peak_bytes = figures_.live_bytes;
  figures_.peak_reserved_bytes = figures_.reserved_bytes;
}

}  // namespace ersatz::cuda_module
