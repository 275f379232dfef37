// Things said once.
#pragma once

#include <list>
#include <string>
#include <unordered_map>

namespace ersatz::tools {

/// Which keys have been there. At most `capacity` are remembered: the one that was added longest ago makes room. One
/// thread.
class RepeatFilter {
 public:
  static constexpr size_t kCapacity = 4096;
  explicit RepeatFilter(bool verbose = false, size_t capacity = kCapacity) : verbose_(verbose), capacity_(capacity) {}

  /// Is the key new? Always, where the filter is verbose.
  bool add(const std::string& key);
  void reset();

 private:
  bool verbose_;
  size_t capacity_;
  std::list<std::string> keys_;  // most recently added first
  std::unordered_map<std::string, std::list<std::string>::iterator> places_;
};

/// A warning in the log that a process writes once, whoever has it. Any thread.
void warn_once(const std::string& message);

}  // namespace ersatz::tools
