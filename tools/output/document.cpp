#include "tools/output/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/base/one_line.h"

namespace ersatz::tools {

namespace {

constexpr std::string_view kRed = "\033[1;31m", kGreen = "\033[32m", kYellow = "\033[33m", kDim = "\033[2m",
                           kPlain = "\033[0m";

std::string painted(std::string_view color, std::string_view text) {
  return fmt::format("{}{}{}", color, text, kPlain);
}

/// Returns the largest length, at most `bytes`, at which `text` can be cut without splitting a UTF-8 character.
size_t whole_characters(std::string_view text, size_t bytes) {
  while (bytes > 0 && bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return bytes;
}

std::string with_source_cut(const Document::Line& line, size_t columns) {
  if (columns == 0 || line.text.size() <= columns || line.source == std::string::npos) return line.text;
  constexpr size_t kLeast = 12;  // a shorter source than `  # a.py:1...` is useless
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

constexpr size_t indentation(Document::Kind kind) {
  return kind == Document::Kind::Code ? 4 : kind == Document::Kind::Below || kind == Document::Kind::Term ? 2 : 0;
}

void set_kind(Document::Line& line, Document::Kind kind) {
  line.kind = kind;
  line.text.insert(0, indentation(kind), ' ');
}

}  // namespace

std::string_view Document::Line::words() const {
  return std::string_view(text).substr(std::min(indentation(kind), text.size()));
}

std::string_view Document::Line::term() const {
  return std::string_view(text).substr(0, name).substr(indentation(Kind::Term));
}

void Document::add_lines(std::string_view lines) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    lines_.push_back({std::string(lines.substr(0, end))});
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void Document::add(Mark mark, std::string_view head, Document more) {
  const size_t first = lines_.size();
  if (more.lines_.empty()) more.lines_.emplace_back();
  add(std::move(more));
  lines_[first].text.insert(0, fmt::format("{} ", head));
  lines_[first].mark = mark;
  lines_[first].marked = head.size();
}

void Document::add(Kind kind, std::string_view text) {
  const size_t first = lines_.size();
  add_lines(text);
  if (lines_.size() > first) set_kind(lines_[first], kind);
}

void Document::add_code(std::string_view text, Kind kind) {
  const size_t first = lines_.size();
  add_lines(text);
  for (size_t i = first; i < lines_.size(); ++i) set_kind(lines_[i], kind);
}

void Document::add_term(std::string_view name, std::string_view says, size_t width) {
  const size_t first = lines_.size();
  add(Kind::Below, fmt::format("{:<{}} {}", fmt::format("{}:", name), width, says));
  lines_[first].kind = Kind::Term;
  lines_[first].name = indentation(Kind::Term) + name.size();
  lines_[first].says = lines_[first].text.size() - says.substr(0, says.find('\n')).size();
}

void Document::add_row(std::string_view row, std::string_view source, Kind kind) {
  const size_t first = lines_.size();
  add_lines(source.empty() ? std::string(row) : fmt::format("{}{}# {}", row, row.empty() ? "" : "  ", source));
  if (lines_.size() == first) return;
  Line& line = lines_[first];
  set_kind(line, kind);
  if (!source.empty()) line.source = row.empty() ? 0 : indentation(kind) + row.size();
}

void Document::add(Document more) {
  std::move(more.lines_.begin(), more.lines_.end(), std::back_inserter(lines_));
  if (!more.closing.empty()) closing = std::move(more.closing);
}

void Document::add_part(Document part) {
  add_keys(data, std::exchange(part.data, nullptr));
  add(std::move(part));
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
    std::string row;
    size_t done = 0;
    // `at` visits the positions in the order that they have in the line.
    for (size_t* at : {&line.marked, &line.name, &line.says, &line.source}) {
      if (*at < done || *at > line.text.size()) continue;
      row += plain_text(std::string_view(line.text).substr(done, *at - done));
      done = std::exchange(*at, row.size());
    }
    line.text = row + plain_text(std::string_view(line.text).substr(done));
  }
  closing = plain_text(closing);
}

void add_keys(nlohmann::ordered_json& to, nlohmann::ordered_json part) {
  for (auto& [key, value] : part.items()) to[key] = std::move(value);
}

std::string plain(const Document& document) {
  std::string out;
  out.reserve(document.size() + document.closing.size() + 1);
  for (const Document::Line& line : document.lines()) (out += line.text) += '\n';
  if (!document.closing.empty()) (out += document.closing) += '\n';
  return out;
}

std::string json_text(const Document& document) {
  return document.data.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string for_terminal(const Document& document, size_t columns, bool color) {
  const std::string status = document.status();
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
