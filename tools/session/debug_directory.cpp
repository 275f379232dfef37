#include "tools/session/debug_directory.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>

#include "runtime/base/error.h"
#include "runtime/base/log.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

std::string debug_directory(const std::string& root) {
  static std::mutex mutex;
  static std::map<std::string, std::pair<pid_t, std::string>> names;
  const std::lock_guard lock(mutex);
  auto& [pid, path] = names[root];
  if (pid == ::getpid()) return path;  // a forked child gets its own folder
  pid = ::getpid();
  const auto now = std::chrono::system_clock::now();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
  const std::tm utc = fmt::gmtime(std::chrono::system_clock::to_time_t(now));
  path = (fs::path(root) / fmt::format("run_{:%Y_%m_%d_%H_%M_%S}_{:06}-pid_{}", utc, micros, pid)).string();
  return path;
}

struct LogFile::Sink {
  std::shared_ptr<spdlog::sinks::sink> sink;
  // The logger's state before the change, which the destructor restores:
  spdlog::level::level_enum level = log().backend().level();
  std::vector<std::pair<std::shared_ptr<spdlog::sinks::sink>, spdlog::level::level_enum>> others;
};

LogFile::LogFile(const std::string& path) : sink_(std::make_unique<Sink>()) {
  try {
    sink_->sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
  } catch (const spdlog::spdlog_ex& e) {
    fail_argument("{}: the log cannot be written there: {}", path, e.what());
  }
  sink_->sink->set_pattern("[%H:%M:%S.%e] [%n %l] %v");
  spdlog::logger& logger = log().backend();
  for (const auto& other : logger.sinks()) {
    sink_->others.emplace_back(other, other->level());
    other->set_level(std::max(other->level(), sink_->level));
  }
  logger.sinks().push_back(sink_->sink);
  logger.set_level(spdlog::level::debug);
}

LogFile::~LogFile() {
  spdlog::logger& logger = log().backend();
  sink_->sink->flush();
  auto& sinks = logger.sinks();
  sinks.erase(std::remove(sinks.begin(), sinks.end(), sink_->sink), sinks.end());
  logger.set_level(sink_->level);
  for (const auto& [other, level] : sink_->others) other->set_level(level);
}

}  // namespace ersatz::tools
