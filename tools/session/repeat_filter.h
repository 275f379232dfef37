// Filters that pass each message once.
#pragma once

#include <list>
#include <string>
#include <unordered_map>

namespace ersatz::tools {

/// Remembers at most `capacity` keys. A new key above the limit replaces the oldest one. Not thread-safe.
class RepeatFilter {
 public:
  static constexpr size_t kCapacity = 4096;
  explicit RepeatFilter(bool verbose = false, size_t capacity = kCapacity) : verbose_(verbose), capacity_(capacity) {}

  /// True if the key is new, or if the filter is verbose.
  bool add(const std::string& key);
  void reset();

 private:
  bool verbose_;
  size_t capacity_;
  std::list<std::string> keys_;  // most recently added first
  std::unordered_map<std::string, std::list<std::string>::iterator> places_;
};

/// Writes a warning to the log, once in a process for each message. Any thread may call it.
void warn_once(const std::string& message);

}  // namespace ersatz::tools
