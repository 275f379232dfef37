// The log of ersatz: spdlog's logger `ersatz` on stderr, off unless ERSATZ_LOG has a level (`debug`, `info`, `warn`).
// This header does not include spdlog, which takes seconds to compile; only code that adds a sink to `backend()` does.
#pragma once

#include <fmt/format.h>

#include <cstdint>

namespace spdlog {
class logger;
}

namespace ersatz {

enum class LogLevel : uint8_t { Debug, Info, Warn, Error };

class Log {
 public:
  /// Returns whether any sink writes messages of this level. Call it before you compute the values of a costly message.
  bool writes(LogLevel level) const;
  template <class... A>
  void debug(fmt::format_string<A...> format, const A&... values) {
    write(LogLevel::Debug, format, fmt::make_format_args(values...));
  }
  template <class... A>
  void info(fmt::format_string<A...> format, const A&... values) {
    write(LogLevel::Info, format, fmt::make_format_args(values...));
  }
  template <class... A>
  void warn(fmt::format_string<A...> format, const A&... values) {
    write(LogLevel::Warn, format, fmt::make_format_args(values...));
  }
  template <class... A>
  void error(fmt::format_string<A...> format, const A&... values) {
    write(LogLevel::Error, format, fmt::make_format_args(values...));
  }
  spdlog::logger& backend() const;

 private:
  void write(LogLevel level, fmt::string_view format, fmt::format_args values);
};

Log& log();

}  // namespace ersatz
