// The times that a fake mode ran a real kernel on made-up inputs. Any thread may write and read.
#pragma once

#include <mutex>
#include <vector>

#include "fake/mode/fallback_event.h"

namespace ersatz {

class FallbackLog {
 public:
  /// True: the first event of its op.
  bool add(FallbackEvent event);
  /// A copy of what there is now, oldest first.
  std::vector<FallbackEvent> events() const;

 private:
  mutable std::mutex mutex_;
  std::vector<FallbackEvent> events_;
};

}  // namespace ersatz
