#include "tools/output/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "runtime/base/one_line.h"

namespace ersatz::tools {

namespace {

constexpr std::string_view kRed = "\033[1;31m", kGreen = "\033[32m", kYellow = "\033[33m", kDim = "\033[2m",
                           kPlain = "\033[0m";

std::string painted(std::string_view color, std::string_view text) {
  return fmt::format("{}{}{}", color, text, kPlain);
}

/// The most of the bytes that ends with a whole character.
size_t whole_characters(std::string_view text, size_t bytes) {
  while (bytes > 0 && bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return bytes;
}

std::string with_source_cut(const Document::Line& line, size_t columns) {
  if (columns == 0 || line.text.size() <= columns || line.source == std::string::npos) return line.text;
  constexpr size_t kLeast = 12;  // `  # a.py:1...`: less of it says nothing
  if (line.source + kLeast > columns) return line.text.substr(0, line.text.find_last_not_of(' ', line.source) + 1);
  return line.text.substr(0, whole_characters(line.text, columns - 3)) + "...";
}

std::string painted_line(const Document::Line& line, std::string_view text) {
  if (line.mark != Mark::None) {
    const std::string_view head = text.substr(0, line.marked);
    return painted(line.mark == Mark::Finding ? kRed : kYellow, head) + std::string(text.substr(head.size()));
  }
  if (line.source >= text.size()) return std::string(text);
  return std::string(text.substr(0, line.source)) + painted(kDim, text.substr(line.source));
}

}  // namespace

void Document::add_lines(std::string_view lines) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    lines_.push_back({std::string(lines.substr(0, end))});
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void Document::add(Mark mark, std::string_view head, std::string_view lines) {
  const size_t first = lines_.size();
  add_lines(fmt::format("{} {}", head, lines));
  lines_[first].mark = mark;
  lines_[first].marked = std::min(head.size(), lines_[first].text.size());
}

void Document::add_row(std::string_view row, std::string_view source) {
  if (source.empty()) return add_lines(row);
  const size_t first = lines_.size();
  add_lines(fmt::format("{}  # {}", row, source));
  lines_[first].source = row.size();
}

void Document::add(Document more) {
  std::move(more.lines_.begin(), more.lines_.end(), std::back_inserter(lines_));
  if (!more.closing.empty()) closing = std::move(more.closing);
}

size_t Document::size() const {
  size_t bytes = 0;
  for (const Line& line : lines_) bytes += line.text.size() + 1;
  return bytes;
}

void Document::cut(size_t bytes) {
  for (size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    if (line.text.size() < bytes) {
      bytes -= line.text.size() + 1;
      continue;
    }
    line.text.resize(whole_characters(line.text, bytes));
    line.text += "...";
    line.marked = std::min(line.marked, line.text.size());
    lines_.resize(i + 1);
    return;
  }
}

void Document::make_printable() {
  for (Line& line : lines_) {
    const std::string_view text = line.text;
    const std::string head = plain_text(text.substr(0, line.marked));
    std::string row = head + plain_text(text.substr(line.marked, std::max(line.source, line.marked) - line.marked));
    if (line.source < text.size()) {
      const size_t source = row.size();
      row += plain_text(text.substr(line.source));
      line.source = source;
    }
    line.marked = head.size();
    line.text = std::move(row);
  }
  closing = plain_text(closing);
}

std::string plain(const Document& document) {
  std::string out;
  out.reserve(document.size() + document.closing.size() + 1);
  for (const Document::Line& line : document.lines()) (out += line.text) += '\n';
  if (!document.closing.empty()) (out += document.closing) += '\n';
  return out;
}

std::string for_terminal(const Document& document, size_t columns, bool color, std::string_view status) {
  std::string out;
  for (const Document::Line& line : document.lines()) {
    const std::string text = with_source_cut(line, columns);
    out += (color ? painted_line(line, text) : text) + "\n";
  }
  if (document.closing.empty()) return out;
  const std::string_view all = status == "clean" ? kGreen : status == "interrupted" ? kYellow : kRed;
  return out + (color ? painted(all, document.closing) : document.closing) + "\n";
}

}  // namespace ersatz::tools
