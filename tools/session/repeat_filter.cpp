#include "tools/session/repeat_filter.h"

#include <mutex>

#include "runtime/base/log.h"

namespace ersatz::tools {

bool RepeatFilter::add(const std::string& key) {
  const auto [at, fresh] = places_.try_emplace(key);
  if (!fresh) keys_.erase(at->second);
  keys_.push_front(key);
  at->second = keys_.begin();
  if (keys_.size() > capacity_) {
    places_.erase(keys_.back());
    keys_.pop_back();
  }
  return fresh || verbose_;
}

void RepeatFilter::reset() {
  keys_.clear();
  places_.clear();
}

void warn_once(const std::string& message) {
  static std::mutex mutex;
  static RepeatFilter said;
  const std::lock_guard lock(mutex);
  if (said.add(message)) log().warn("{}", message);
}

}  // namespace ersatz::tools
