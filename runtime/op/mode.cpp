#include "runtime/op/mode.h"

namespace ersatz {

namespace detail {
thread_local constinit ModeGuard* t_outermost_mode = nullptr;
}
using detail::t_outermost_mode;

ModeGuard::ModeGuard(Mode& mode) : mode_(mode) {
  ModeGuard** at = &t_outermost_mode;
  while (*at && (*at)->mode_.order() > mode.order()) at = &(*at)->inner_;
  inner_ = *at;
  *at = this;
}

ModeGuard::~ModeGuard() {
  ModeGuard** at = &t_outermost_mode;
  while (*at && *at != this) at = &(*at)->inner_;
  if (*at) *at = inner_;
}

SuspendModes::SuspendModes() : saved_(t_outermost_mode) { t_outermost_mode = nullptr; }
SuspendModes::~SuspendModes() { t_outermost_mode = saved_; }

Mode* active_mode(ModeOrder order) {
  for (ModeGuard* g = t_outermost_mode; g; g = g->inner()) {
    if (g->mode().order() == order) return &g->mode();
  }
  return nullptr;
}

}  // namespace ersatz
