#include "tests/fake/log_text.h"

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>

namespace ersatz {

struct LogText::Sink {
  std::ostringstream text;
  std::shared_ptr<spdlog::sinks::sink> sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
  spdlog::level::level_enum level = log().backend().level();  // restored by the destructor
};

LogText::LogText(LogLevel level) : sink_(std::make_unique<Sink>()) {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                                  spdlog::level::err};
  sink_->sink->set_pattern("%v");
  log().backend().sinks().push_back(sink_->sink);
  log().backend().set_level(levels[static_cast<size_t>(level)]);
}

LogText::~LogText() {
  log().backend().sinks().pop_back();
  log().backend().set_level(sink_->level);
}

std::string LogText::text() const { return sink_->text.str(); }

}  // namespace ersatz
