#include "runtime/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string>

namespace ersatz {

namespace {
spdlog::level::level_enum level_of(LogLevel level) {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                                  spdlog::level::err};
  return levels[static_cast<size_t>(level)];
}
}  // namespace

spdlog::logger& Log::backend() const {
  static spdlog::logger* logger = [] {
    auto* l = new spdlog::logger("ersatz", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    const char* level = std::getenv("ERSATZ_LOG");
    l->set_level(level ? spdlog::level::from_str(level) : spdlog::level::off);
    l->set_pattern("[%H:%M:%S.%e] [%n %l] %v");
    return l;
  }();
  return *logger;
}

bool Log::writes(LogLevel level) const { return backend().should_log(level_of(level)); }

void Log::write(LogLevel level, fmt::string_view format, fmt::format_args values) {
  if (!writes(level)) return;
  const std::string line = fmt::vformat(format, values);
  backend().log(level_of(level), spdlog::string_view_t(line));
}

Log& log() {
  static Log log;
  return log;
}

}  // namespace ersatz
