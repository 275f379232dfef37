// Switches off the cache in which autocast keeps converted weights (autocast.h).
#pragma once

namespace ersatz {

/// While a NoAutocastCache exists, autocast converts weights in each call and caches none. A tracer records inside this
/// scope, so that each use of a weight is a recorded call.
class NoAutocastCache {
 public:
  NoAutocastCache();
  ~NoAutocastCache();
  NoAutocastCache(const NoAutocastCache&) = delete;
  NoAutocastCache& operator=(const NoAutocastCache&) = delete;

 private:
  bool kept_before_;
};

}  // namespace ersatz
