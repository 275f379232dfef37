#include "fake/watch/input_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "fake/watch/host_bytes.h"
#include "fake/watch/poison.h"
#include "runtime/tensor/allocator.h"

namespace ersatz {

uint64_t hash_bytes(const std::byte* data, int64_t nbytes) {
  // Four independent lanes let the CPU multiply in parallel. The constants are those of splitmix64.
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

namespace {

/// Returns the hash of each block of the storage's first `nbytes` bytes. A device's bytes are copied to the host in
/// pieces, which need less memory.
std::vector<uint64_t> hash_blocks(const Storage& storage, int64_t nbytes) {
  constexpr int64_t kPiece = InputWatch::kMostCopied;
  static_assert(kPiece % InputWatch::kBlock == 0);
  std::vector<uint64_t> hashes;
  for (int64_t piece = 0; piece < nbytes; piece += kPiece) {
    const int64_t end = std::min(kPiece, nbytes - piece);
    const HostBytes bytes(storage, piece, end);
    for (int64_t at = 0; at < end; at += InputWatch::kBlock) {
      hashes.push_back(hash_bytes(bytes.data() + at, std::min(InputWatch::kBlock, end - at)));
    }
  }
  return hashes;
}

}  // namespace

std::byte* CopyBuffers::take(size_t nbytes) {
  if (taken_ == buffers_.size()) buffers_.emplace_back();
  Buffer& b = buffers_[taken_++];
  if (b.size < nbytes) {
    b.size = std::max<size_t>(nbytes, 1024);
    b.bytes = std::make_unique_for_overwrite<std::byte[]>(b.size);
  }
  return b.bytes.get();
}

void CopyBuffers::give_back() {
  taken_ = 0;
  size_t kept = 0;
  for (Buffer& b : buffers_) {
    kept += b.size;
    if (kept <= kKept) continue;
    kept -= b.size;
    b = Buffer();
  }
}

void InputWatch::watch(const TensorImpl* t, int argument, bool all) {
  const Ref<Storage>& storage = t->storage;
  if (!storage->has_bytes() || storage->nbytes().as_int() == 0) return;
  for (const Watched& w : watched_) {
    if (w.storage == storage) return;
  }
  const bool written =
      std::any_of(written_.begin(), written_.end(), [&](const Written& x) { return x.storage == storage; });
  if (!written && !all) return;
  Watched w;
  w.storage = storage;
  w.argument = argument;
  w.nbytes = storage->nbytes().as_int();
  w.written = written;
  if (written || w.nbytes <= kMostCopied) {
    w.copy = buffers_.take(static_cast<size_t>(w.nbytes));
    copy_bytes(w.copy, kCPU, storage->data(), storage->device(), w.nbytes);
  } else {
    w.hashes = hash_blocks(*storage, w.nbytes);
  }
  watched_.push_back(std::move(w));
}

void InputWatch::covers_now(const TensorImpl* t) {
  const bool same = std::any_of(written_.begin(), written_.end(),
                                [&](const Written& w) { return w.storage == t->storage && w.meta == t->meta; });
  if (!same) written_.push_back({t->storage, t->meta});
}

std::vector<InputWatch::Change> InputWatch::find_changes() const {
  std::vector<Change> changes;
  for (const Watched& w : watched_) {
    const int64_t n = std::min(w.nbytes, w.storage->nbytes().as_int());
    if (!w.hashes.empty()) {
      const std::vector<uint64_t> now = hash_blocks(*w.storage, n);
      for (size_t block = 0; block < w.hashes.size(); ++block) {
        if (block < now.size() && now[block] == w.hashes[block]) continue;
        const int64_t at = static_cast<int64_t>(block) * kBlock;
        changes.push_back({w.argument, at, std::max<int64_t>(std::min(kBlock, n - at), 1)});
        break;
      }
    }
    if (!w.copy || n == 0) continue;
    const HostBytes bytes(*w.storage, 0, n);
    const std::byte* now = bytes.data();
    if (std::memcmp(w.copy, now, static_cast<size_t>(n)) == 0) continue;
    // `undone` has the new bytes with the declared writes undone. Its bytes that differ from the old ones were written
    // without a declaration.
    std::vector<std::byte> undone(now, now + n);
    for (const Written& x : written_) {
      if (x.storage != w.storage) continue;
      const int64_t item = item_size(x.meta.dtype);
      for_each_element(x.meta, [&](int64_t at) {
        if (at >= 0 && at + item <= n) std::memcpy(undone.data() + at, w.copy + at, static_cast<size_t>(item));
      });
    }
    const auto [a, b] = std::mismatch(undone.begin(), undone.end(), w.copy);
    if (a != undone.end()) changes.push_back({w.argument, a - undone.begin()});
  }
  return changes;
}

void InputWatch::restore() {
  for (Watched& w : watched_) {
    if (!w.written) continue;
    const int64_t n = std::min(w.nbytes, w.storage->nbytes().as_int());
    copy_bytes(w.storage->data(), w.storage->device(), w.copy, kCPU, n);
  }
}

std::string byte_place(const TensorMeta& meta, int64_t byte, int64_t span) {
  if (span > 1) return fmt::format("one of the bytes [{},{}) of its storage", byte, byte + span);
  const int64_t item = item_size(meta.dtype);
  int64_t number = -1, i = 0;
  for_each_element(meta, [&](int64_t at) {
    if (number < 0 && at <= byte && byte < at + item) number = i;
    ++i;
  });
  if (number < 0) return fmt::format("byte {} of its storage, beside its elements", byte);
  std::vector<int64_t> index(meta.sizes.size());
  for (size_t d = index.size(); d-- > 0;) {
    const int64_t n = meta.sizes[d].as_int();
    index[d] = number % n;
    number /= n;
  }
  return fmt::format("element [{}]", fmt::join(index, ", "));
}

}  // namespace ersatz
