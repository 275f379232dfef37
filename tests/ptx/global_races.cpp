#include "tests/ptx/global_races.h"

#include <algorithm>

namespace ersatz::ptx {

void GlobalRaces::launch() {
  bytes_.clear();
  released_.clear();
}

void GlobalRaces::block(uint32_t number) {
  known_.clear();
  block_ = number;
  time_ = 1;
  barriers_ = 0;
}

void GlobalRaces::join(Clock& to, const Clock& from) {
  for (const auto& [block, time] : from) to[block] = std::max(to[block], time);
}

void GlobalRaces::synchronise(uint64_t address) {
  Clock& released = released_[address];
  join(known_, released);
  join(released, known_);
  released[block_] = std::max(released[block_], time_);
  ++time_;
}

bool GlobalRaces::races(const Mark& earlier, int thread) const {
  if (earlier.thread < 0) return false;
  if (earlier.block == block_)
    return earlier.thread != thread && earlier.thread / 32 != thread / 32 && earlier.barriers == barriers_;
  const auto known = known_.find(earlier.block);
  return known == known_.end() || known->second < earlier.time;
}

const char* GlobalRaces::use(Use use, uint64_t address, uint32_t bytes, int thread) {
  const bool atomic = use == Use::Updates;
  for (uint64_t k = address; k < address + bytes; ++k) {
    Byte& b = bytes_[k];
    if (!(atomic && b.written.atomic) && races(b.written, thread))
      return use == Use::Reads ? "a read of what another thread wrote" : "a write over what another thread wrote";
    if (use == Use::Reads) {
      const auto mine = std::find_if(b.read.begin(), b.read.end(), [&](const Mark& m) { return m.block == block_; });
      if (mine == b.read.end())
        b.read.push_back(mark(thread, false));
      else
        *mine = mark(thread, false);
      continue;
    }
    if (!atomic && std::any_of(b.read.begin(), b.read.end(), [&](const Mark& m) { return races(m, thread); }))
      return "a write over what another thread read";
    b.read.clear();
    b.written = mark(thread, atomic);
  }
  return nullptr;
}

}  // namespace ersatz::ptx
