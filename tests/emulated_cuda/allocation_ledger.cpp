#include "tests/emulated_cuda/allocation_ledger.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/emulated_cuda/arena.h"
#include "tests/emulated_cuda/fault.h"
#include "tests/emulated_cuda/settings.h"

namespace ersatz::cuda_module::emulated {
namespace {

constexpr size_t kGuard = 256, kPatterned = 4096;
constexpr unsigned char kGuardByte = 0xa7, kFreshByte = 0xcb, kFreedByte = 0xdd;

struct Event {
  StreamClock clock;
  std::chrono::steady_clock::time_point time{};
};

/// Writes guard zones around `nbytes` bytes at zone + kGuard.
char* guarded(char* zone, size_t nbytes) {
  std::memset(zone, kGuardByte, kGuard);
  std::memset(zone + kGuard, kFreshByte, std::min(nbytes, kPatterned));
  std::memset(zone + kGuard + nbytes, kGuardByte, kGuard);
  return zone + kGuard;
}

bool has_guards(const char* data, size_t nbytes) {
  const auto is_guard = [](unsigned char byte) { return byte == kGuardByte; };
  const auto* bytes = reinterpret_cast<const unsigned char*>(data);
  return std::all_of(bytes - kGuard, bytes, is_guard) && std::all_of(bytes + nbytes, bytes + nbytes + kGuard, is_guard);
}

char* unguarded(char* data, size_t nbytes) {
  if (!has_guards(data, nbytes)) {
    fault("a kernel wrote outside its block of {} bytes at {}", nbytes, fmt::ptr(data));
  }
  std::memset(data, kFreedByte, std::min(nbytes, kPatterned));
  return data - kGuard;
}

std::string stream_name(int stream) { return stream == 0 ? "the default stream" : fmt::format("stream {}", stream); }

}  // namespace

AllocationLedger& ledger() {
  static auto* all = new AllocationLedger;
  return *all;
}

char* AllocationLedger::allocate(size_t nbytes, StreamHandle stream) {
  std::lock_guard lock(mutex_);
  if (live_ > settings().bytes || nbytes > settings().bytes - live_) return nullptr;
  char* zone = arena().take(nbytes + 2 * kGuard);
  if (!zone) {
    const ArenaOpen open;
    settle();
    zone = arena().take(nbytes + 2 * kGuard);
  }
  if (!zone) return nullptr;
  live_ += nbytes;
  pending_.push_back({zone, nbytes, false});
  char* data = zone + kGuard;
  const BegunWork work = next_work(stream);
  Block& block = blocks_[data];
  block = {nbytes, ++last_block_, {}};
  block.uses.add({work.stream, work.clock.at(work.stream), "the allocation of it", true});
  return data;
}

void AllocationLedger::free(void* address, StreamHandle stream) {
  if (!address) return;
  std::lock_guard lock(mutex_);
  const auto found = blocks_.find(static_cast<char*>(address));
  if (found == blocks_.end()) fault("{} is freed and is no block", fmt::ptr(address));
  const BegunWork work = next_work(stream);
  const size_t nbytes = found->second.nbytes;
  if (const BlockUse* use = found->second.uses.out_of_order(work.clock, true)) {
    fault(
        "the block of {} bytes at {} is freed on {} while {} may still use it on {}: nothing orders the one behind the "
        "other (record_stream, an event)",
        nbytes, fmt::ptr(address), stream_name(work.stream), readable(use->by), stream_name(use->stream));
  }
  blocks_.erase(found);
  live_ -= nbytes;
  pending_.push_back({static_cast<char*>(address) - kGuard, nbytes, true});
}

void AllocationLedger::settle() {
  for (const Pending& p : pending_) {
    if (p.freed) {
      arena().give_back(unguarded(p.zone + kGuard, p.nbytes), p.nbytes + 2 * kGuard);
    } else {
      guarded(p.zone, p.nbytes);
    }
  }
  pending_.clear();
}

char* AllocationLedger::allocate_pinned(size_t nbytes) {
  void* zone = nullptr;
  if (posix_memalign(&zone, Arena::kAlignment, nbytes + 2 * kGuard) != 0) return nullptr;
  char* data = guarded(static_cast<char*>(zone), nbytes);
  std::lock_guard lock(mutex_);
  pinned_[data] = nbytes;
  return data;
}

void AllocationLedger::free_pinned(void* address) {
  if (!address) return;
  std::lock_guard lock(mutex_);
  const auto found = pinned_.find(static_cast<char*>(address));
  if (found == pinned_.end()) fault("{} is unpinned and is no pinned memory", fmt::ptr(address));
  std::free(unguarded(static_cast<char*>(address), found->second));
  pinned_.erase(found);
}

size_t AllocationLedger::free_bytes() {
  std::lock_guard lock(mutex_);
  return settings().bytes - std::min(settings().bytes, live_);
}

AllocationLedger::Blocks::iterator AllocationLedger::at_or_before(const void* address) {
  auto next = blocks_.upper_bound(static_cast<const char*>(address));
  return next == blocks_.begin() ? blocks_.end() : std::prev(next);
}

std::optional<SeenBlock> AllocationLedger::block_at(const void* address) {
  std::lock_guard lock(mutex_);
  const auto found = at_or_before(address);
  if (found == blocks_.end() || static_cast<const char*>(address) > found->first + found->second.nbytes) return {};
  return SeenBlock{const_cast<char*>(found->first), found->second.nbytes, found->second.number};
}

bool AllocationLedger::is_pinned(const void* address) {
  std::lock_guard lock(mutex_);
  const auto next = pinned_.upper_bound(static_cast<const char*>(address));
  if (next == pinned_.begin()) return false;
  const auto& [data, nbytes] = *std::prev(next);
  return static_cast<const char*>(address) <= data + nbytes;
}

std::string AllocationLedger::place(const void* address) {
  std::lock_guard lock(mutex_);
  const auto found = at_or_before(address);
  if (found == blocks_.end()) return fmt::format("{}, device memory that is no block's", fmt::ptr(address));
  const auto& [data, block] = *found;
  const auto offset = static_cast<size_t>(static_cast<const char*>(address) - data);
  if (offset >= block.nbytes) {
    return fmt::format("{}, device memory that is no block's, {} bytes behind the end of the block of {} bytes at {}",
                       fmt::ptr(address), offset - block.nbytes, block.nbytes, fmt::ptr(data));
  }
  return fmt::format("{}, byte {} of the device's block of {} bytes at {}", fmt::ptr(address), offset, block.nbytes,
                     fmt::ptr(data));
}

StreamHandle AllocationLedger::make_stream() {
  std::lock_guard lock(mutex_);
  return new Stream{++last_stream_, {}};
}
void AllocationLedger::drop_stream(StreamHandle stream) { delete static_cast<Stream*>(stream); }
EventHandle AllocationLedger::make_event() { return new Event; }
void AllocationLedger::drop_event(EventHandle event) { delete static_cast<Event*>(event); }

void AllocationLedger::record(EventHandle event, StreamHandle stream) {
  std::lock_guard lock(mutex_);
  *static_cast<Event*>(event) = {stream_of(stream).clock, std::chrono::steady_clock::now()};
}
void AllocationLedger::wait(StreamHandle stream, EventHandle event) {
  std::lock_guard lock(mutex_);
  stream_of(stream).clock.join(static_cast<Event*>(event)->clock);
}
void AllocationLedger::host_waited(StreamHandle stream) {
  std::lock_guard lock(mutex_);
  host_.join(stream_of(stream).clock);
}
void AllocationLedger::host_saw(EventHandle event) {
  std::lock_guard lock(mutex_);
  host_.join(static_cast<Event*>(event)->clock);
}
float AllocationLedger::milliseconds(EventHandle begin, EventHandle end) {
  std::lock_guard lock(mutex_);
  return std::chrono::duration<float, std::milli>(static_cast<Event*>(end)->time - static_cast<Event*>(begin)->time)
      .count();
}

BegunWork AllocationLedger::next_work(StreamHandle handle) {
  Stream& stream = stream_of(handle);
  stream.clock.join(host_);
  stream.clock.tick(stream.number);
  return {stream.number, stream.clock};
}
BegunWork AllocationLedger::begin(StreamHandle stream) {
  std::lock_guard lock(mutex_);
  settle();
  return next_work(stream);
}

void AllocationLedger::use(const BegunWork& work, const SeenBlock& seen, const char* by, bool writes) {
  std::lock_guard lock(mutex_);
  const auto found = blocks_.find(seen.data);
  if (found == blocks_.end() || found->second.number != seen.number) {
    fault("the block of {} bytes at {} was freed while {} ran", seen.nbytes, fmt::ptr(seen.data), readable(by));
  }
  if (!has_guards(seen.data, seen.nbytes)) {
    fault("{} wrote outside the block of {} bytes at {}", readable(by), seen.nbytes, fmt::ptr(seen.data));
  }
  if (const BlockUse* use = found->second.uses.out_of_order(work.clock, writes)) {
    fault(
        "{} on {} {} the block of {} bytes at {}, which {} {} on {}: nothing orders the one behind the other (an "
        "event, "
        "a synchronisation, record_stream)",
        readable(by), stream_name(work.stream), writes ? "writes" : "reads", seen.nbytes, fmt::ptr(seen.data),
        readable(use->by), use->writes ? "writes" : "reads", stream_name(use->stream));
  }
  found->second.uses.add({work.stream, work.clock.at(work.stream), by, writes});
}

}  // namespace ersatz::cuda_module::emulated
