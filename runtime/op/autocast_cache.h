// Switches the cache of weights that autocast converted (autocast.h).
#pragma once

namespace ersatz {

/// Scope in which no converted weight is kept or taken. A tracer records in it: each use of a weight is a call.
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
