// What ersatz logs while an object of this lives.
#pragma once

#include <spdlog/sinks/ostream_sink.h>

#include <memory>
#include <sstream>

#include "runtime/log.h"

namespace ersatz {

class LogText {
 public:
  explicit LogText(spdlog::level::level_enum level)
      : sink_(std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)), level_(log().level()) {
    sink_->set_pattern("%v");
    log().sinks().push_back(sink_);
    log().set_level(level);
  }
  ~LogText() {
    log().sinks().pop_back();
    log().set_level(level_);
  }
  LogText(const LogText&) = delete;
  LogText& operator=(const LogText&) = delete;
  /// The messages so far, one a line, without time and level.
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::sinks::sink> sink_;
  spdlog::level::level_enum level_;
};

}  // namespace ersatz
