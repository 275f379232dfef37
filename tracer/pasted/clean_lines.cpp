#include "tracer/pasted/clean_lines.h"

#include <algorithm>
#include <utility>

namespace ersatz::pasted {

namespace {

/// Returns how many characters of `text` match the pattern; 0 if it does not match. In a pattern, 9 means one or more
/// digits. Any other character means itself.
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

size_t behind_blank(std::string_view line, size_t at) { return at < line.size() && line[at] == ' ' ? at + 1 : at; }

/// The prefix that PyTorch's log writes before a line.
struct Prefix {
  size_t length = 0;    ///< length of the prefix; 0: there is none
  bool header = false;  ///< the prefix has level, time and process
  std::string_view process, compile_id, artifact;
};

/// Parses the optional parts `[rank0]: `, `V1126 12:00:00.000000 123 path.py:29] `, `[0/0] ` and `[__name] `.
Prefix prefix_of(std::string_view line) {
  constexpr size_t kLongestPath = 1024, kLongestTag = 96;
  Prefix p;
  if (const size_t rank = match(line, "[rank9]")) {
    p.process = line.substr(0, rank);
    p.length = behind_blank(line, rank + (line.substr(rank).starts_with(':') ? 1 : 0));
  }
  const std::string_view rest = line.substr(p.length);
  if (!rest.empty() && std::string_view("VDIWEC").find(rest[0]) != rest.npos) {
    size_t at = match(rest.substr(1), "9 9:9:9.9 ");
    while (at && at + 1 < rest.size() && rest[at + 1] == ' ') ++at;
    const size_t process = at ? match(rest.substr(at + 1), "9 ") : 0;
    const size_t close = process ? rest.substr(0, kLongestPath).find(']', at + process) : rest.npos;
    if (close != rest.npos) {
      p.header = true;
      // Ranks have different process numbers, so the number identifies the process of a line without a rank.
      if (p.process.empty()) p.process = rest.substr(at + 1, process - 1);
      p.length = behind_blank(line, p.length + close + 1);
    }
  }
  while (p.length < line.size() && line[p.length] == '[' && p.artifact.empty()) {
    const size_t end = line.substr(0, p.length + kLongestTag).find(']', p.length);
    if (end == line.npos) break;
    const std::string_view inside = line.substr(p.length + 1, end - p.length - 1);
    if (inside.starts_with("__")) {
      p.artifact = inside.substr(2);
    } else if (match(inside, "9/9") && inside.find_first_not_of("0123456789/_") == inside.npos) {
      p.compile_id = inside;
    } else if (!p.header || (inside != "None" && !inside.starts_with("!"))) {
      break;
    }
    p.length = behind_blank(line, end + 1);
  }
  return p;
}

constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
    {"&lt;", "<"},          {"&gt;", ">"},          {"&amp;", "&"},         {"&quot;", "\""},
    {"&#34;", "\""},        {"&#39;", "'"},         {"&#x27;", "'"},        {"&nbsp;", " "},
    {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""}, {"\xe2\x80\x9e", "\""}, {"\xe2\x80\x98", "'"},
    {"\xe2\x80\x99", "'"},  {"\xc2\xa0", " "}};

/// Returns the length of the terminal escape sequence at the start of `text`, 0 if there is none. Examples:
/// `\x1b[1;31m`, and `[31m` from a page that lost the escape character.
size_t colour(std::string_view text) {
  constexpr size_t kMostDigits = 12;
  size_t at = text.starts_with('\x1b') ? 1 : 0;
  const bool escaped = at == 1;
  if (at >= text.size() || text[at] != '[') return escaped ? 1 : 0;
  const size_t digits = ++at;
  while (at < text.size() && (is_digit(text[at]) || text[at] == ';' || text[at] == '?')) ++at;
  if (escaped) return std::min(at + 1, text.size());
  return at < text.size() && text[at] == 'm' && at > digits && at - digits <= kMostDigits ? at + 1 : 0;
}

/// Returns whether a colour without its escape character (`[31m`) ends at `m`.
bool ends_colour(std::string_view line, size_t m) {
  size_t at = m;
  while (at > 0 && (is_digit(line[at - 1]) || line[at - 1] == ';' || line[at - 1] == '?')) --at;
  return at < m && at > 0 && line[at - 1] == '[' && colour(line.substr(at - 1)) > 0;
}

/// Returns whether `repaired` would change the line. Every byte of a log is tested, so single characters are searched,
/// which the C library does fast.
bool needs_repair(std::string_view line) {
  for (const char c : {'\x1b', '\xe2', '\xc2', '\r'}) {
    if (line.find(c) != line.npos) return true;
  }
  for (size_t at = 0; (at = line.find('&', at)) != line.npos; ++at) {
    if (at + 1 < line.size() && line[at + 1] != ' ') return true;
  }
  for (size_t at = 0; (at = line.find('m', at)) != line.npos; ++at) {
    if (ends_colour(line, at)) return true;
  }
  return false;
}

/// Removes escape sequences, and replaces entities and typographic quotes by plain characters.
std::string repaired(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  for (size_t i = 0; i < line.size();) {
    if (line[i] == '\r') {
      ++i;
      continue;
    }
    if (const size_t n = line[i] == '\x1b' || line[i] == '[' ? colour(line.substr(i)) : 0) {
      i += n;
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

/// Replaces each tab of the indentation by four blanks.
std::string without_tabs(std::string_view line) {
  const size_t end = blanks_before(line);
  std::string out;
  for (const char c : line.substr(0, end)) out.append(c == '\t' ? 4 : 1, ' ');
  return out + std::string(line.substr(end));
}

/// Returns the length of a prefix from another logger; 0 if there is none. Examples: `ERROR 11-26 12:00:00
/// [core.py:590] `, `[2024-01-01 12:00:00,000] a.b: [WARNING] ` of PyTorch 2.3 and older, `2026-11-26T12:00:00Z ` of CI
/// systems, `(EngineCore_0 pid=123) `.
size_t other_log_prefix(std::string_view text) {
  constexpr size_t kLongest = 256, kLongestLogger = 160, kLongestProcess = 80, kLongestZone = 12;
  for (const std::string_view level : {"ERROR ", "WARNING ", "INFO ", "DEBUG "}) {
    if (!text.starts_with(level)) continue;
    const size_t n = match(text.substr(level.size()), "9-9 9:9:9 ");
    const size_t end = n ? text.substr(0, kLongest).find("] ") : text.npos;
    if (end != text.npos) return end + 2;
  }
  if (const size_t n = match(text, "[9-9-9 9:9:9,9] ")) {
    const size_t end = text.substr(0, kLongestLogger).find("] ", n);
    return end != text.npos && text.substr(n, end - n).find(": [") != text.npos ? end + 2 : n;
  }
  if (const size_t n = match(text, "9-9-9T9:9:9")) {
    const size_t end = text.substr(0, n + kLongestZone).find(' ');
    return end != text.npos ? end + 1 : 0;
  }
  if (text.starts_with('(')) {
    const size_t end = text.substr(0, kLongestProcess).find(") ");
    if (end != text.npos && text.substr(0, end).find("pid=") != text.npos) return end + 2;
  }
  return 0;
}

/// Returns the length of a quotation mark before the line: Markdown's `> ` after at most three blanks, or pytest's `>`
/// or `E`. `>>>` is Python's prompt, so it does not count.
size_t quote(std::string_view line) {
  const size_t at = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view rest = line.substr(at);
  if (at <= 3 && rest.starts_with('>') && !rest.starts_with(">>>"))
    return at + (rest.substr(1).starts_with(' ') ? 2 : 1);
  if (line == "E" || line.starts_with("E   ")) return std::min<size_t>(line.size(), 4);
  return 0;
}

constexpr int kMostPrefixes = 6;  // most prefixes that are removed from one line

}  // namespace

namespace {

/// Returns the greatest length of a line, and how many lines have it.
std::pair<size_t, size_t> widest(const CleanText& text) {
  size_t width = 0, times = 0;
  for (const CleanLine& line : text.lines) {
    if (line.text.size() > width) times = 0;
    width = std::max(width, line.text.size());
    times += line.text.size() == width;
  }
  return {width, times};
}

/// Returns how many bytes of `line` match `head`; 0 if `line` does not begin with `head`. Two numbers, with the blanks
/// before them, count as equal.
size_t match_head(std::string_view line, std::string_view head) {
  size_t at = 0;
  const auto number_end = [](std::string_view text, size_t i) {
    while (i < text.size() && text[i] == ' ') ++i;
    const size_t digits = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i > digits ? i : text.npos;
  };
  for (size_t i = 0; i < head.size();) {
    if (const size_t end = number_end(head, i); end != head.npos) {
      at = number_end(line, at);
      if (at == line.npos) return 0;
      i = end;
    } else if (at < line.size() && line[at] == head[i]) {
      ++at;
      ++i;
    } else {
      return 0;
    }
  }
  return at;
}

}  // namespace

bool looks_wrapped(const CleanText& text) {
  const auto [width, times] = widest(text);
  constexpr size_t kNarrowest = 40, kWidest = 400, kFewest = 3;
  return width >= kNarrowest && width <= kWidest && times >= kFewest && text.prefixed == 0;
}

bool strip_line_heads(CleanText& text) {
  constexpr size_t kLongest = 160;
  for (size_t i = 1; i + 1 < text.lines.size(); ++i) {
    const std::string_view line = text.lines[i].text;
    const size_t at = line.substr(0, kLongest).find("def forward(self");
    if (at == line.npos) continue;
    const std::string head(line.substr(0, line.substr(0, at).find_last_not_of(' ') + 1));
    if (head.empty() || !match_head(text.lines[i - 1].text, head) || !match_head(text.lines[i + 1].text, head))
      continue;
    for (CleanLine& each : text.lines) each.text.remove_prefix(match_head(each.text, head));
    return true;
  }
  return false;
}

bool join_wrapped(CleanText& text) {
  if (!looks_wrapped(text)) return false;
  constexpr size_t kIndented = 4;  // a line indented this far does not continue the line before it
  const size_t width = widest(text).first;
  std::vector<CleanLine> joined;
  for (size_t i = 0; i < text.lines.size(); ++i) {
    CleanLine line = text.lines[i];
    std::string whole(line.text);
    const size_t first = i;
    const auto goes_on = [&] {
      return text.lines[i].text.size() == width && i + 1 < text.lines.size() && text.lines[i + 1].indent() < kIndented;
    };
    while (goes_on()) whole += text.lines[++i].text;
    if (i > first) line.text = text.owned.emplace_back(std::move(whole));
    joined.push_back(line);
  }
  text.lines = std::move(joined);
  return true;
}

CleanText clean_lines(std::string_view text, Processes& streams, uint32_t before) {
  CleanText out;
  uint32_t number = before, stream = 0;
  bool in_payload = false;
  std::string_view compile_id, artifact;
  constexpr size_t kMeanLine = 64;  // expected mean length of a line in bytes, for the reservation
  out.lines.reserve(text.size() / kMeanLine + 1);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view raw = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (number == 1 && raw.starts_with("\xef\xbb\xbf")) raw.remove_prefix(3);
    if (raw.ends_with('\r')) raw.remove_suffix(1);
    CleanLine line;
    line.number = number;
    if (raw.size() > kMaxLine) {  // the start is kept so that messages can quote the line
      line.text = raw.substr(0, kMaxLine + 1);
      line.stream = stream;
      out.lines.push_back(line);
      continue;
    }
    if (needs_repair(raw)) raw = out.owned.emplace_back(repaired(raw));
    Prefix prefix;
    for (int i = 0; i < kMostPrefixes && !raw.empty() && raw[0] != '\t' && !prefix.length; ++i) {
      size_t n = quote(raw);
      if (!n) {
        prefix = prefix_of(raw);
        n = prefix.length ? prefix.length : other_log_prefix(raw);
      }
      if (!n) break;
      raw.remove_prefix(std::min(n, raw.size()));
    }
    if (prefix.length) {
      out.prefixed += prefix.header;
      if (!prefix.process.empty())
        stream = streams.emplace(std::string(prefix.process), static_cast<uint32_t>(streams.size())).first->second;
      line.record = prefix.header && raw.starts_with("{\"");
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
    if (raw.substr(0, blanks_before(raw)).find('\t') != raw.npos) raw = out.owned.emplace_back(without_tabs(raw));
    line.compile_id = compile_id;
    line.artifact = artifact;
    line.stream = stream;
    line.text = raw;
    out.lines.push_back(line);
  }
  out.streams = std::max<size_t>(1, streams.size());
  return out;
}

CleanText clean_lines(std::string_view text) {
  Processes processes;
  return clean_lines(text, processes);
}

size_t last_begin(std::string_view text) {
  for (size_t end = text.size(); end > 0;) {
    const size_t newline = text.rfind('\n', end - 1);
    if (newline == text.npos) return 0;
    const std::string_view line = text.substr(newline + 1, std::min(end - newline - 1, kMaxLine));
    if (line.find("] {\"") != line.npos || line.ends_with("TRACED GRAPH")) {
      const CleanText clean = clean_lines(line);
      if (clean.prefixed > 0 && (clean.records > 0 || trimmed(clean.lines[0].text) == "TRACED GRAPH"))
        return newline + 1;
    }
    end = newline;
  }
  return 0;
}

std::vector<std::string> plain_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const CleanLine& line : clean_lines(text).lines) lines.emplace_back(line.text);
  return lines;
}

}  // namespace ersatz::pasted
