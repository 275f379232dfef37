#include "fake/observe/memory_meter.h"

#include <algorithm>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

namespace {

constexpr int64_t kCudaBlock = 512;

std::pair<DeviceType, int> key_of(Device d) { return {d.type, d.index}; }

/// Symbolic sizes count by their symbols' hints, and not at all without.
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

void MemoryMeter::watch(const Value& v) {
  for_each_tensor(std::span<const Value>(&v, 1), [this](const TensorImpl* t) { see(t->storage); });
}

void MemoryMeter::answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) {
  for_each_tensor(results, [this](const TensorImpl* t) { see(t->storage); });
  for (uint16_t i : op.written) {  // it may have grown
    for_each_tensor(args.subspan(i, 1), [this](const TensorImpl* t) { see(t->storage); });
  }
}

void MemoryMeter::see(const Ref<Storage>& s) {
  const int64_t asked = ledger_.asks(*s);
  if (asked == 0) return;
  const auto moves_peak = [&] {
    const MemoryFigures on_device = ledger_.figures(s->device()), all = ledger_.total();
    return on_device.live + asked > on_device.peak || all.live + asked > all.peak;
  };
  if (young_.size() >= sort_out_at_ || moves_peak()) {
    forget_dead(young_);
    sort_out_at_ = std::max<size_t>(1024, 2 * young_.size());
    if (moves_peak()) {
      old_.insert(old_.end(), std::make_move_iterator(young_.begin()), std::make_move_iterator(young_.end()));
      young_.clear();
      forget_dead(old_);
    }
  }
  if (ledger_.add(*s)) young_.push_back({s->id(), WeakRef<Storage>(s)});
}

void MemoryMeter::forget_dead(std::vector<Seen>& seen) {
  std::erase_if(seen, [this](const Seen& s) {
    if (!s.storage.expired()) return false;
    ledger_.remove(s.id);
    return true;
  });
}

MemoryFigures MemoryMeter::figures(Device device) {
  forget_dead(young_);
  forget_dead(old_);
  return ledger_.figures(device);
}

MemoryFigures MemoryMeter::total() {
  forget_dead(young_);
  forget_dead(old_);
  return ledger_.total();
}

}  // namespace ersatz
