// Captures the log of ersatz while an object lives.
#pragma once

#include <memory>
#include <string>

#include "runtime/base/log.h"

namespace ersatz {

class LogText {
 public:
  /// Captures messages of `level` and above.
  explicit LogText(LogLevel level);
  ~LogText();
  LogText(const LogText&) = delete;
  LogText& operator=(const LogText&) = delete;
  /// Returns the messages up to now, one per line, without time and level.
  std::string text() const;

 private:
  struct Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace ersatz
