#include "fake/observe/memory_meter.h"

#include <algorithm>
#include <vector>

#include "fake/observe/storage_ledger.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

namespace {

constexpr int64_t kCudaBlock = 512;

std::pair<DeviceType, int> key_of(Device d) { return {d.type, d.index}; }

/// Returns the storage's allocated bytes. A symbolic size is evaluated at the hints of its symbols; without hints it is
/// 0.
int64_t bytes_of(const Storage& s) { return allocated_bytes(value_at_hints(s.nbytes()).value_or(0), s.device()); }

}  // namespace

int64_t allocated_bytes(int64_t nbytes, Device device) {
  if (device.is_meta()) return 0;
  return device.is_cuda() ? (nbytes + kCudaBlock - 1) / kCudaBlock * kCudaBlock : nbytes;
}

SymInt allocated_bytes(SymInt nbytes, Device device) {
  if (nbytes.is_int()) return allocated_bytes(nbytes.as_int(), device);
  if (device.is_meta()) return 0;
  return device.is_cuda() ? floor_div(nbytes + (kCudaBlock - 1), kCudaBlock) * kCudaBlock : nbytes;
}

int64_t StorageLedger::asks(const Storage& s) const {
  const auto found = live_.find(s.id());
  const int64_t bytes = bytes_of(s);
  return found != live_.end() && found->second.bytes == bytes ? 0 : bytes;
}

void StorageLedger::take(Device device, int64_t bytes) {
  for (MemoryFigures* f : {&by_device_[key_of(device)], &total_}) {
    f->live += bytes;
    f->peak = std::max(f->peak, f->live);
  }
}

bool StorageLedger::add(const Storage& s) {
  const int64_t bytes = bytes_of(s);
  const auto [entry, fresh] = live_.try_emplace(s.id(), Entry{bytes, s.device()});
  if (!fresh && entry->second.bytes == bytes) return false;
  take(s.device(), bytes);
  if (!fresh) take(s.device(), -std::exchange(entry->second.bytes, bytes));
  return fresh;
}

void StorageLedger::remove(uint64_t storage_id) {
  const auto found = live_.find(storage_id);
  if (found == live_.end()) return;
  take(found->second.device, -found->second.bytes);
  live_.erase(found);
}

MemoryFigures StorageLedger::figures(Device device) const {
  const auto found = by_device_.find(key_of(device));
  return found == by_device_.end() ? MemoryFigures() : found->second;
}

struct MemoryMeter::Impl {
  struct Seen {
    uint64_t id;
    WeakRef<Storage> storage;
  };
  void see(const Ref<Storage>& s);
  void forget_dead(std::vector<Seen>& seen);
  void forget_dead() {
    forget_dead(young);
    forget_dead(old);
  }

  StorageLedger ledger;
  // The meter is not notified when a storage is freed. It looks for freed storages only if a new storage would raise
  // the peak. Most storages live briefly, so it first looks in `young`, and in `old` only if that did not free enough.
  std::vector<Seen> young, old;
  size_t sort_out_at = 1024;  // `young` is also searched for freed storages if it has this many entries
};

MemoryMeter::MemoryMeter() : impl_(std::make_unique<Impl>()) {}
MemoryMeter::~MemoryMeter() = default;

void MemoryMeter::watch(const Value& v) {
  for_each_tensor(std::span<const Value>(&v, 1), [this](const TensorImpl* t) { impl_->see(t->storage); });
}

void MemoryMeter::answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) {
  for_each_tensor(results, [this](const TensorImpl* t) { impl_->see(t->storage); });
  for (uint16_t i : op.written) {  // the storage of a written argument may have grown
    for_each_tensor(args.subspan(i, 1), [this](const TensorImpl* t) { impl_->see(t->storage); });
  }
}

void MemoryMeter::Impl::see(const Ref<Storage>& s) {
  const int64_t asked = ledger.asks(*s);
  if (asked == 0) return;
  const auto moves_peak = [&] {
    const MemoryFigures on_device = ledger.figures(s->device()), all = ledger.total();
    return on_device.live + asked > on_device.peak || all.live + asked > all.peak;
  };
  if (young.size() >= sort_out_at || moves_peak()) {
    forget_dead(young);
    sort_out_at = std::max<size_t>(1024, 2 * young.size());
    if (moves_peak()) {
      old.insert(old.end(), std::make_move_iterator(young.begin()), std::make_move_iterator(young.end()));
      young.clear();
      forget_dead(old);
    }
  }
  if (ledger.add(*s)) young.push_back({s->id(), WeakRef<Storage>(s)});
}

void MemoryMeter::Impl::forget_dead(std::vector<Seen>& seen) {
  std::erase_if(seen, [this](const Seen& s) {
    if (!s.storage.expired()) return false;
    ledger.remove(s.id);
    return true;
  });
}

MemoryFigures MemoryMeter::figures(Device device) {
  impl_->forget_dead();
  return impl_->ledger.figures(device);
}

MemoryFigures MemoryMeter::total() {
  impl_->forget_dead();
  return impl_->ledger.total();
}

}  // namespace ersatz
