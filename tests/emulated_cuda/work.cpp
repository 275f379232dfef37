#include "tests/emulated_cuda/work.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/cuda/stream.h"
#include "tests/emulated_cuda/fault.h"

namespace ersatz::cuda_module::emulated {
namespace {

constexpr uintptr_t kPage = 4096;

/// Returns whether the word may be an address of this process. Heaps, stacks and images occupy few ranges, in which two
/// small numbers packed into one word seldom are. The sanitizers' own mappings are not in these ranges.
bool is_like_an_address(uintptr_t word) {
#if defined(__x86_64__)
  const uintptr_t top = word >> 40;
#if defined(__SANITIZE_ADDRESS__)
  if (top >= 0x60 && top <= 0x64) return true;
#endif
  return (top >= 0x55 && top <= 0x57) || (top >= 0x7a && top <= 0x7f);
#else
  return word >> 32 != 0 && word >> 48 == 0;
#endif
}

bool is_mapped(uintptr_t address) {
  unsigned char resident;
  return mincore(reinterpret_cast<void*>(address / kPage * kPage), 1, &resident) == 0;
}

/// Returns a checksum of a block: of all bytes of a small one, of pieces of a big one. Other streams may read the block
/// at the same time, so the thread sanitizer does not watch this access.
__attribute__((no_sanitize("thread"))) uint64_t digest(const SeenBlock& block) {
  constexpr size_t kPieces = 64, kPiece = 1024;
  const bool whole = block.nbytes <= kPieces * kPiece;
  const size_t pieces = whole ? 1 : kPieces, piece = whole ? block.nbytes : kPiece;
  const size_t step = whole ? 0 : (block.nbytes - kPiece) / (kPieces - 1) / 8 * 8;
  uint64_t sum = 0;
  for (size_t p = 0; p < pieces; ++p) {
    const char* at = block.data + p * step;
    size_t i = 0;
    for (; i + 8 <= piece; i += 8) {
      const uint64_t word = *reinterpret_cast<const uint64_t*>(at + i);
      sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
      sum ^= sum >> 32;
    }
    for (; i < piece; ++i) sum = (sum ^ static_cast<unsigned char>(at[i])) * 0x9e3779b97f4a7c15u;
  }
  return sum;
}

}  // namespace

Work::Work(int device, const char* name) : Work(current_stream(device), name) {}
Work::Work(StreamHandle stream, const char* name) : name_(name), begun_(ledger().begin(stream)) {}

Work::~Work() {
  for (const Use& u : uses_) {
    const bool writes = u.kind == Kind::Writes || (u.kind == Kind::Unknown && digest(u.block) != u.bytes_before);
    ledger().use(begun_, u.block, name_, writes);
  }
}

void Work::use(const void* address, Kind kind) {
  if (!address) return;
  if (!arena().holds(address)) {
    if (kind == Kind::Unknown || ledger().is_pinned(address)) return;
    fault("{} is given {}, which is the host's: a GPU cannot reach it", readable(name_), fmt::ptr(address));
  }
  const std::optional<SeenBlock> block = ledger().block_at(address);
  if (!block) fault("{} is given {}", readable(name_), ledger().place(address));
  const auto known =
      std::find_if(uses_.begin(), uses_.end(), [&](const Use& u) { return u.block.data == block->data; });
  if (known == uses_.end()) {
    uses_.push_back({*block, kind, kind == Kind::Unknown ? digest(*block) : 0});
  } else if (kind == Kind::Writes) {
    known->kind = kind;
  }
}

void Work::functor(const void* bytes, size_t nbytes) {
  for (size_t i = 0; i + sizeof(uintptr_t) <= nbytes; i += sizeof(uintptr_t)) {
    uintptr_t word;
    std::memcpy(&word, static_cast<const char*>(bytes) + i, sizeof word);
    const auto* address = reinterpret_cast<const void*>(word);
    if (arena().has_handed_out(address)) {
      use(address, Kind::Unknown);
    } else if (is_like_an_address(word) && !ledger().is_pinned(address) && is_mapped(word)) {
      fault("{} holds the host's address {} in its bytes from {}: a GPU cannot reach it", readable(name_), address, i);
    }
  }
}

}  // namespace ersatz::cuda_module::emulated
