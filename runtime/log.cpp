#include "runtime/log.h"

#include <spdlog/sinks/stdout_sinks.h>

#include <cstdlib>

namespace ersatz {

spdlog::logger& log() {
  static spdlog::logger* logger = [] {
    auto* l = new spdlog::logger("ersatz", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    const char* level = std::getenv("ERSATZ_LOG");
    l->set_level(level ? spdlog::level::from_str(level) : spdlog::level::off);
    l->set_pattern("[%H:%M:%S.%e] [%n %l] %v");
    return l;
  }();
  return *logger;
}

}  // namespace ersatz
