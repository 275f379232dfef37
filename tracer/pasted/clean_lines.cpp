#include "tracer/pasted/clean_lines.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

/// The text that a log writes before a line.
struct Prefix {
  size_t length = 0;  ///< 0: there is none
  std::string_view process, compile_id, artifact;
};

/// `V1126 12:00:00.000000 123 path.py:29] `, then `[0/0] ` and `[__name] `, each where it is there.
Prefix prefix_of(std::string_view line) {
  Prefix p;
  size_t at = 0;
  std::string_view rank;
  if (line.starts_with("[rank")) {
    const size_t end = line.find("]:");
    if (end == line.npos || end > 16) return p;
    rank = line.substr(0, end);
    at = end + 2;
    if (at < line.size() && line[at] == ' ') ++at;
  }
  const std::string_view rest = line.substr(at);
  if (rest.size() < 24 || std::string_view("VDIWEC").find(rest[0]) == rest.npos) return p;
  for (size_t i = 1; i < 5; ++i) {
    if (!is_digit(rest[i])) return p;
  }
  if (rest[5] != ' ' || !is_digit(rest[6]) || rest[8] != ':') return p;
  const size_t time_end = rest.find(' ', 6);
  if (time_end == rest.npos || time_end > 32) return p;
  const size_t process = rest.find_first_not_of(' ', time_end);
  if (process == rest.npos || !is_digit(rest[process])) return p;
  const size_t process_end = rest.find(' ', process);
  if (process_end == rest.npos) return p;
  const size_t close = rest.find(']', process_end);
  if (close == rest.npos || close > 1024) return p;
  // Two ranks have process numbers of their own; a rank without one is told apart by it.
  p.process = line.substr(0, at + process_end).substr(at + process);
  if (!rank.empty()) p.process = line.substr(0, rank.size());
  at += close + 1;
  if (at < line.size() && line[at] == ' ') ++at;
  while (at < line.size() && line[at] == '[') {
    const size_t end = line.find(']', at);
    if (end == line.npos || end - at > 96) break;
    const std::string_view inside = line.substr(at + 1, end - at - 1);
    if (inside.starts_with("__")) {
      p.artifact = inside.substr(2);
    } else if (!inside.empty() && is_digit(inside[0]) && inside.find_first_not_of("0123456789/_!") == inside.npos) {
      p.compile_id = inside;
    } else if (inside != "None" && !inside.starts_with("!")) {
      break;
    }
    at = end + 1;
    if (at < line.size() && line[at] == ' ') ++at;
    if (!p.artifact.empty()) break;
  }
  p.length = at;
  return p;
}

constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
    {"&lt;", "<"},          {"&gt;", ">"},          {"&amp;", "&"},         {"&quot;", "\""},
    {"&#34;", "\""},        {"&#39;", "'"},         {"&#x27;", "'"},        {"&nbsp;", " "},
    {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""}, {"\xe2\x80\x9e", "\""}, {"\xe2\x80\x98", "'"},
    {"\xe2\x80\x99", "'"},  {"\xc2\xa0", " "}};

bool needs_repair(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\x1b' || c == '\xe2' || c == '\xc2') return true;
    if (c == '&' && i + 1 < line.size() && line[i + 1] != ' ') return true;
  }
  return false;
}

/// Without escapes, and with plain characters for entities and typographic quotes.
std::string repaired(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  for (size_t i = 0; i < line.size();) {
    if (line[i] == '\x1b') {
      ++i;
      if (i < line.size() && line[i] == '[') {
        ++i;
        while (i < line.size() && (is_digit(line[i]) || line[i] == ';' || line[i] == '?')) ++i;
        if (i < line.size()) ++i;
      }
      continue;
    }
    const auto* found = std::find_if(std::begin(kPlain), std::end(kPlain),
                                     [&](const auto& row) { return line.substr(i).starts_with(row.first); });
    if (found != std::end(kPlain)) {
      out += found->second;
      i += found->first.size();
    } else {
      out += line[i++];
    }
  }
  return out;
}

/// The indentation's tabs as blanks.
std::string without_tabs(std::string_view line) {
  const size_t end = std::min(line.find_first_not_of(" \t"), line.size());
  std::string out;
  for (const char c : line.substr(0, end)) out.append(c == '\t' ? 4 : 1, ' ');
  return out + std::string(line.substr(end));
}

std::string_view without_quote(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  if (at == line.npos || at > 3 || line[at] != '>' || line.substr(at).starts_with(">>>")) return line;
  line.remove_prefix(at + 1);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

}  // namespace

size_t CleanLine::indent() const { return std::min(text.find_first_not_of(" \t"), text.size()); }

bool join_wrapped(CleanText& text) {
  size_t width = 0, times = 0;
  for (const CleanLine& line : text.lines) {
    if (line.text.size() > width) times = 0;
    width = std::max(width, line.text.size());
    times += line.text.size() == width;
  }
  constexpr size_t kNarrowest = 40, kWidest = 400, kFewest = 3;
  if (width < kNarrowest || width > kWidest || times < kFewest || text.prefixed > 0) return false;
  std::vector<CleanLine> joined;
  for (size_t i = 0; i < text.lines.size(); ++i) {
    CleanLine line = text.lines[i];
    std::string whole(line.text);
    const size_t first = i;
    while (text.lines[i].text.size() == width && i + 1 < text.lines.size()) whole += text.lines[++i].text;
    if (i > first) line.text = text.owned.emplace_back(std::move(whole));
    joined.push_back(line);
  }
  text.lines = std::move(joined);
  return true;
}

CleanText clean_lines(std::string_view text) {
  CleanText out;
  std::map<std::string_view, uint32_t> streams;
  uint32_t number = 0, stream = 0;
  bool in_payload = false;
  std::string_view compile_id, artifact;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view raw = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (number == 1 && raw.starts_with("\xef\xbb\xbf")) raw.remove_prefix(3);
    if (raw.ends_with('\r')) raw.remove_suffix(1);
    CleanLine line;
    line.number = number;
    if (raw.size() > kMaxLine) {  // kept with its beginning, so that it can be named
      line.text = raw.substr(0, kMaxLine + 1);
      line.stream = stream;
      out.lines.push_back(line);
      continue;
    }
    if (!raw.empty() && raw[0] != '\t') raw = without_quote(raw);
    if (needs_repair(raw)) raw = out.owned.emplace_back(repaired(raw));
    const Prefix prefix = prefix_of(raw);
    if (prefix.length) {
      ++out.prefixed;
      stream = streams.emplace(prefix.process, static_cast<uint32_t>(streams.size())).first->second;
      raw.remove_prefix(std::min(prefix.length, raw.size()));
      line.record = raw.starts_with("{\"");
      out.records += line.record;
      in_payload = line.record;
      compile_id = prefix.compile_id;
      artifact = prefix.artifact;
    } else if (in_payload && raw.starts_with('\t')) {
      raw.remove_prefix(1);
    } else if (!raw.empty()) {
      in_payload = false;
      compile_id = artifact = {};
    }
    if (raw.substr(0, std::min(raw.find_first_not_of(" \t"), raw.size())).find('\t') != raw.npos)
      raw = out.owned.emplace_back(without_tabs(raw));
    line.compile_id = compile_id;
    line.artifact = artifact;
    line.stream = stream;
    line.text = raw;
    out.lines.push_back(line);
  }
  out.streams = std::max<size_t>(1, streams.size());
  return out;
}

}  // namespace ersatz::pasted
