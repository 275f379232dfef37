// What ersatz logs while an object of this lives.
#pragma once

#include <memory>
#include <string>

#include "runtime/base/log.h"

namespace ersatz {

class LogText {
 public:
  /// Takes lines of `level` and above.
  explicit LogText(LogLevel level);
  ~LogText();
  LogText(const LogText&) = delete;
  LogText& operator=(const LogText&) = delete;
  /// The messages so far, one a line, without time and level.
  std::string text() const;

 private:
  struct Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace ersatz
