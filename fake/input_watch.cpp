#include "fake/input_watch.h"

#include <algorithm>
#include <cstring>

#include "fake/poison.h"

namespace ersatz {

uint64_t hash_bytes(const std::byte* data, int64_t nbytes) {
  // Four independent lanes keep the multiplier busy; constants are those of splitmix64.
  constexpr uint64_t k1 = 0x9E3779B97F4A7C15ull, k2 = 0xBF58476D1CE4E5B9ull;
  uint64_t lanes[4] = {k1, k2, k1 ^ k2, ~k1};
  int64_t i = 0;
  for (; i + 32 <= nbytes; i += 32) {
    for (int lane = 0; lane < 4; ++lane) {
      uint64_t w;
      std::memcpy(&w, data + i + 8 * lane, 8);
      lanes[lane] = ((lanes[lane] << 23 | lanes[lane] >> 41) ^ w) * k2;
    }
  }
  uint64_t h = static_cast<uint64_t>(nbytes) * k1;
  for (const uint64_t lane : lanes) h = ((h << 31 | h >> 33) ^ lane) * k1;
  for (; i < nbytes; ++i) h = (h ^ static_cast<uint64_t>(data[i])) * k2 + (h >> 29);
  return h ^ (h >> 32);
}

void InputWatch::watch(const TensorImpl* t, int argument, bool hash_unwritten) {
  const Ref<Storage>& storage = t->storage;
  if (!storage->has_bytes() || !storage->device().is_cpu() || storage->nbytes().as_int() == 0) return;
  for (const Watched& w : watched_) {
    if (w.storage == storage) return;
  }
  Watched w;
  w.storage = storage;
  w.argument = argument;
  w.nbytes = storage->nbytes().as_int();
  w.written = std::any_of(written_.begin(), written_.end(), [&](const Written& x) { return x.storage == storage; });
  if (w.written) {
    w.copy.assign(storage->data(), storage->data() + w.nbytes);
  } else if (hash_unwritten) {
    w.hash = hash_bytes(storage->data(), w.nbytes);
    w.hashed = true;
  }
  watched_.push_back(std::move(w));
}

std::vector<InputWatch::Change> InputWatch::find_changes() const {
  std::vector<Change> changes;
  for (const Watched& w : watched_) {
    if (!w.written) {
      const bool same =
          !w.hashed || (w.storage->nbytes().as_int() == w.nbytes && hash_bytes(w.storage->data(), w.nbytes) == w.hash);
      if (!same) changes.push_back({w.argument, -1});
      continue;
    }
    const int64_t n = std::min(w.nbytes, w.storage->nbytes().as_int());
    const std::byte* now = w.storage->data();
    if (n == 0 || std::memcmp(w.copy.data(), now, static_cast<size_t>(n)) == 0) continue;
    // Undo the declared writes in a copy of the new bytes; what still differs was not declared.
    std::vector<std::byte> undone(now, now + n);
    for (const Written& x : written_) {
      if (x.storage != w.storage) continue;
      const int64_t item = item_size(x.meta.dtype);
      for_each_element(x.meta, [&](int64_t at) {
        if (at >= 0 && at + item <= n) std::memcpy(undone.data() + at, w.copy.data() + at, static_cast<size_t>(item));
      });
    }
    const auto [a, b] = std::mismatch(undone.begin(), undone.end(), w.copy.begin());
    if (a != undone.end()) changes.push_back({w.argument, a - undone.begin()});
  }
  return changes;
}

void InputWatch::restore() {
  for (Watched& w : watched_) {
    if (!w.written) continue;
    const int64_t n = std::min(w.nbytes, w.storage->nbytes().as_int());
    if (n > 0) std::memcpy(w.storage->data(), w.copy.data(), static_cast<size_t>(n));
  }
}

}  // namespace ersatz
