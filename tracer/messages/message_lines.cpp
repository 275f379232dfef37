#include "tracer/messages/message_lines.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ersatz {

namespace {

constexpr int kMaxPrefixes = 6;  // of one line
constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"&lt;", "<"},         {"&gt;", ">"},         {"&amp;", "&"},    {"&quot;", "\""},       {"&#39;", "'"},
    {"&#x27;", "'"},       {"&#34;", "\""},       {"&nbsp;", " "},   {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""},
    {"\xe2\x80\x98", "'"}, {"\xe2\x80\x99", "'"}, {"\xc2\xa0", " "}, {"\xef\xbb\xbf", ""}};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

/// How long `text` is that matches: 9 is one or more digits, each other character itself. 0: no match.
size_t match(std::string_view text, std::string_view pattern) {
  size_t at = 0;
  for (const char p : pattern) {
    if (p == '9') {
      const size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      if (at == begin) return 0;
    } else if (at < text.size() && text[at] == p) {
      ++at;
    } else {
      return 0;
    }
  }
  return at;
}

/// An escape sequence of a terminal at the start of `text`: `\x1b[1;31m`, or `[31m` where a page lost the escape.
size_t colour(std::string_view text) {
  size_t at = text.starts_with('\x1b') ? 1 : 0;
  const bool escaped = at == 1;
  if (at >= text.size() || text[at] != '[') return 0;
  ++at;
  const size_t digits = at;
  while (at < text.size() && (is_digit(text[at]) || text[at] == ';')) ++at;
  if (at >= text.size() || at - digits > 12) return 0;
  if (escaped) return std::isalpha(static_cast<unsigned char>(text[at])) ? at + 1 : 0;
  return text[at] == 'm' && at > digits ? at + 1 : 0;
}

std::string respelled(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  for (size_t at = 0; at < line.size();) {
    const char c = line[at];
    const std::string_view rest = line.substr(at);
    if (c == '\r') {
      ++at;
      continue;
    }
    if (c == '\x1b' || c == '[') {
      if (const size_t n = colour(rest)) {
        at += n;
        continue;
      }
    }
    if (c == '&' || static_cast<unsigned char>(c) >= 0x80) {
      const auto* const known = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                                             [&](const auto& s) { return rest.starts_with(s.first); });
      if (known != std::end(kSpellings)) {
        out += known->second;
        at += known->first.size();
        continue;
      }
    }
    out += c;
    ++at;
  }
  return out;
}

/// A tag of a log in brackets: `[0/0]`, `[0/0_1]`, `[__graph_code]`, `[rank0]:`.
size_t tag(std::string_view text) {
  for (const std::string_view pattern : {"[9/9_9]", "[9/9]", "[rank9]:", "[rank9]"}) {
    if (const size_t n = match(text, pattern)) return n;
  }
  if (!text.starts_with("[__")) return 0;
  const size_t end = text.find(']');
  return end == text.npos || end > 64 ? 0 : end + 1;
}

/// `V1126 12:00:00.000000 123 torch/_dynamo/x.py:29] `, `ERROR 11-26 12:00:00 [core.py:590] `, `2026-11-26T12:00:00Z `.
size_t log_prefix(std::string_view text) {
  if (text.size() > 1 && std::string_view("VIWEC").find(text[0]) != text.npos) {
    const size_t n = match(text.substr(1), "9 9:9:9.9 9 ");
    const size_t end = text.find("] ");
    if (n && end != text.npos && end < 512) return end + 2;
    if (n && text.ends_with(']')) return text.size();
  }
  for (const std::string_view level : {"ERROR ", "WARNING ", "INFO ", "DEBUG "}) {
    if (!text.starts_with(level)) continue;
    const size_t n = match(text.substr(level.size()), "9-9 9:9:9 ");
    const size_t end = text.find("] ");
    if (n && end != text.npos && end < 256) return end + 2;
  }
  if (const size_t n = match(text, "[9-9-9 9:9:9,9] ")) {  // PyTorch 2.3 and older: ... torch._dynamo: [WARNING]
    const size_t end = text.find("] ", n);
    return end != text.npos && end < 160 && text.substr(n, end - n).find(": [") != text.npos ? end + 2 : n;
  }
  if (const size_t n = match(text, "9-9-9T9:9:9")) {
    const size_t end = text.find(' ');
    return end != text.npos && end < n + 12 ? end + 1 : 0;
  }
  if (text.starts_with('(')) {  // (EngineCore_0 pid=123)
    const size_t end = text.find(") ");
    if (end != text.npos && end < 80 && text.substr(0, end).find("pid=") != text.npos) return end + 2;
  }
  return 0;
}

size_t prefix(std::string_view text) {
  if (text.starts_with('>')) return text.starts_with("> ") ? 2 : 1;
  if (text == "E" || text.starts_with("E   ")) return std::min<size_t>(text.size(), 4);
  if (size_t n = tag(text)) return n + text.substr(n).starts_with(' ');
  return log_prefix(text);
}

}  // namespace

std::vector<std::string> message_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string line = respelled(text.substr(0, end));
    size_t begin = 0;
    for (int i = 0; i < kMaxPrefixes; ++i) {
      const size_t n = prefix(std::string_view(line).substr(begin));
      if (!n) break;
      begin += n;
    }
    lines.push_back(begin ? line.substr(begin) : std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace ersatz
