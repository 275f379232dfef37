#include "tools/output/report_style.h"

#include <algorithm>

namespace ersatz::tools {

namespace {

constexpr std::string_view kRed = "\033[1;31m", kGreen = "\033[32m", kYellow = "\033[33m", kDim = "\033[2m",
                           kPlain = "\033[0m";
constexpr std::string_view kSource = "  # ";

struct Head {
  std::string_view text, color;
};
// What a line begins with.
constexpr Head kHeads[] = {{"finding:", kRed},
                           {"in a part: finding:", kRed},
                           {"missing:", kYellow},
                           {"missing operators:", kYellow},
                           {"refused:", kYellow},
                           {"interrupted:", kYellow},
                           {"skipped:", kYellow},
                           {"record wrong:", kYellow},
                           {"unknown layout:", kYellow},
                           {"ambiguous layout:", kYellow},
                           {"nothing was compared:", kYellow},
                           {"expired ", kYellow},
                           {"unused ", kYellow}};

template <class F>
std::string each_line(std::string_view text, F&& f) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += f(text.substr(0, end));
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string in(std::string_view color, std::string_view text) {
  return std::string(color) + std::string(text) + std::string(kPlain);
}

std::string painted_line(std::string_view line) {
  for (const Head& head : kHeads) {
    if (line.starts_with(head.text)) {
      return in(head.color, head.text) + std::string(line.substr(head.text.size()));
    }
  }
  // A cause of findings among recorded calls is headed by its operator: `aten.abs.default stride: ... (3 findings)`.
  if (!line.starts_with(' ') && line.ends_with(" findings)")) return in(kRed, line);
  const size_t source = line.find(kSource);
  if (source == line.npos) return std::string(line);
  return std::string(line.substr(0, source)) + in(kDim, line.substr(source));
}

}  // namespace

std::string_view closing_line_of(std::string_view text, std::string_view command) {
  if (!text.ends_with('\n')) return "";
  const size_t before = text.rfind('\n', text.size() - 2);
  const std::string_view last = text.size() == 1 ? text : text.substr(before == text.npos ? 0 : before + 1);
  return last.starts_with(command) && last.substr(command.size()).starts_with(": ") ? last : "";
}

std::string painted(std::string_view text, std::string_view command, std::string_view status) {
  const std::string_view closing = closing_line_of(text, command);
  text.remove_suffix(closing.size());
  std::string out = each_line(text, [](std::string_view line) { return painted_line(line); });
  if (closing.empty()) return out;
  const std::string_view color = status == "clean" ? kGreen : status == "interrupted" ? kYellow : kRed;
  return out + in(color, closing.substr(0, closing.size() - 1)) + "\n";
}

std::string cut_sources(std::string_view text, size_t columns) {
  if (columns == 0) return std::string(text);
  return each_line(text, [&](std::string_view line) {
    const size_t source = line.find(kSource);
    if (line.size() <= columns || source == line.npos) return std::string(line);
    constexpr size_t kLeast = 12;  // `  # a.py:1...`: less of it says nothing
    if (source + kLeast > columns) return std::string(line.substr(0, line.find_last_not_of(' ', source) + 1));
    size_t end = columns - 3;
    while ((static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // no half characters
    return std::string(line.substr(0, end)) + "...";
  });
}

}  // namespace ersatz::tools
