#include "runtime/op/mode.h"

namespace ersatz {

namespace detail {
thread_local constinit ModeGuard* t_outermost_mode = nullptr;
}
using detail::t_outermost_mode;

ModeGuard::ModeGuard(Mode& mode) : mode_(mode), order_(mode.order()) {
  ModeGuard** at = &t_outermost_mode;
  while (*at && (*at)->order_ > order_) at = &(*at)->inner_;
  inner_ = *at;
  *at = this;
}

ModeGuard::~ModeGuard() {
  ModeGuard** at = &t_outermost_mode;
  while (*at && *at != this) at = &(*at)->inner_;
  if (*at) *at = inner_;
}

SuspendModes::SuspendModes() : outermost_(t_outermost_mode) { t_outermost_mode = nullptr; }

SuspendModes::SuspendModes(ModeOrder only) : outermost_(t_outermost_mode) {
  const auto next_kept = [only](ModeGuard* g) {
    while (g && g->mode().order() == only) g = g->inner();
    return g;
  };
  t_outermost_mode = next_kept(t_outermost_mode);
  for (ModeGuard* g = t_outermost_mode; g; g = g->inner_) {
    ModeGuard* const kept = next_kept(g->inner_);
    if (kept == g->inner_) continue;
    links_.push_back({g, g->inner_});
    g->inner_ = kept;
  }
}

SuspendModes::~SuspendModes() {
  for (const Link& l : links_) l.guard->inner_ = l.inner;
  t_outermost_mode = outermost_;
}

std::vector<Mode*> active_modes() {
  std::vector<Mode*> modes;
  for (ModeGuard* g = t_outermost_mode; g; g = g->inner()) modes.push_back(&g->mode());
  return modes;
}

Mode* active_mode(ModeOrder order) {
  for (ModeGuard* g = t_outermost_mode; g; g = g->inner()) {
    if (g->mode().order() == order) return &g->mode();
  }
  return nullptr;
}

}  // namespace ersatz
