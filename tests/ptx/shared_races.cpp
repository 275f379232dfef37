#include "tests/ptx/shared_races.h"

namespace ersatz::ptx {

bool SharedRaces::races(const Mark& earlier, int thread) const {
  if (earlier.epoch != epoch_ || earlier.thread == kNobody || earlier.thread == thread) return false;
  if (earlier.thread == kSeveral || earlier.thread / 32 != thread / 32) return true;
  return earlier.warp_epoch == warp_epochs_[thread / 32];
}

const char* SharedRaces::use(Use use, uint32_t at, uint32_t bytes, int thread) {
  for (uint32_t k = at; k < at + bytes && k < bytes_.size(); ++k) {
    Byte& b = bytes_[k];
    const bool both_atomic = use == Use::Updates && b.written.atomic;
    if (!both_atomic && races(b.written, thread))
      return use == Use::Reads ? "a read of what another thread wrote" : "a write over what another thread wrote";
    if (use == Use::Writes && races(b.read, thread)) return "a write over what another thread read";
    if (use != Use::Reads) {
      b.written = mark(thread, use == Use::Updates);
    } else {
      const bool first = b.read.epoch != epoch_ || b.read.thread == thread;
      const bool same_warp = !first && b.read.thread >= 0 && b.read.thread / 32 == thread / 32;
      b.read = mark(first || same_warp ? thread : kSeveral, false);
    }
  }
  return nullptr;
}

}  // namespace ersatz::ptx
