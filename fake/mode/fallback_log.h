// The fallbacks of a fake mode. Any thread may add and read them.
#pragma once

#include <mutex>
#include <vector>

#include "fake/mode/fallback_event.h"

namespace ersatz {

class FallbackLog {
 public:
  /// Adds an event. Returns whether it is the first one of its op.
  bool add(FallbackEvent event);
  /// Returns a copy of the events, oldest first.
  std::vector<FallbackEvent> events() const;

 private:
  mutable std::mutex mutex_;
  std::vector<FallbackEvent> events_;
};

}  // namespace ersatz
