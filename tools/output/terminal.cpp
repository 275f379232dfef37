#include "tools/output/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace ersatz::tools {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Returns the environment variable COLUMNS; 0 if it is no number.
size_t columns_variable() {
  const std::string_view text = environment("COLUMNS");
  size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  return error == std::errc() && end == text.data() + text.size() ? columns : 0;
}

}  // namespace

bool wants_color(Color choice, int fd) {
  if (choice != Color::Auto) return choice == Color::Always;
  return ::isatty(fd) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

size_t columns_of(int fd) {
  if (::isatty(fd) != 1) return 0;
  if (const size_t set = columns_variable()) return set;
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

size_t columns_of_help() {
  size_t columns = columns_variable();
  if (columns == 0) columns = columns_of(STDOUT_FILENO);
  return std::clamp<size_t>(columns == 0 ? 120 : columns, 40, 140);
}

std::string filled(std::string_view text, size_t columns) {
  std::string out;
  size_t used = 0;  // columns that the current line has used; 0 outside a paragraph
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const bool ends = end < text.size();
    if (line.empty() || line[0] == ' ') {
      if (used > 0) out += '\n';
      used = 0;
      out += line;
      if (ends) out += '\n';
      continue;
    }
    while (!line.empty()) {
      const std::string_view word = line.substr(0, std::min(line.find(' '), line.size()));
      line.remove_prefix(std::min(word.size() + 1, line.size()));
      if (used > 0) {
        const bool fits = used + 1 + word.size() <= columns;
        out += fits ? ' ' : '\n';
        used = fits ? used + 1 : 0;
      }
      out += word;
      used += word.size();
    }
    if (ends && at == text.size()) out += '\n';
  }
  return out;
}

}  // namespace ersatz::tools
