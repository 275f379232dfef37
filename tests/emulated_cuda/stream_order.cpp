#include "tests/emulated_cuda/stream_order.h"

#include <algorithm>

namespace ersatz::cuda_module::emulated {

void StreamClock::join(const StreamClock& other) {
  if (seen_.size() < other.seen_.size()) seen_.resize(other.seen_.size());
  for (size_t s = 0; s < other.seen_.size(); ++s) seen_[s] = std::max(seen_[s], other.seen_[s]);
}

void StreamClock::tick(int stream) {
  const auto s = static_cast<size_t>(stream);
  if (seen_.size() <= s) seen_.resize(s + 1);
  ++seen_[s];
}

const BlockUse* BlockUses::out_of_order(const StreamClock& now, bool writes) const {
  for (const BlockUse& use : since_write_) {
    if ((writes || use.writes) && now.at(use.stream) < use.at) return &use;
  }
  return nullptr;
}

void BlockUses::add(const BlockUse& use) {
  if (use.writes) {
    since_write_.assign(1, use);
    return;
  }
  for (BlockUse& known : since_write_) {
    if (!known.writes && known.stream == use.stream) {
      known = use;
      return;
    }
  }
  since_write_.push_back(use);
}

}  // namespace ersatz::cuda_module::emulated
