#include "tracer/pasted/torch_names.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <regex>
#include <utility>

namespace ersatz::pasted {

namespace {

constexpr size_t kMostOfLine = 400;  // only this many bytes of a line are searched for a Form

/// A way in which texts name the version of PyTorch.
struct Form {
  std::string_view mark;  ///< a fixed part of the pattern; a text without it is not searched with `pattern`
  std::regex pattern;     ///< matches a line, or a line and the next one; its first group is the version
  bool by_run;
};

constexpr auto kAnyCase = std::regex::ECMAScript | std::regex::icase | std::regex::optimize;
constexpr auto kExact = std::regex::ECMAScript | std::regex::optimize;

const std::array<Form, 8>& forms() {
  static const std::array<Form, 8> all = {{
      {"\"pytorch_version\"", std::regex(R"re("pytorch_version":[ \t]*"(\d+\.\d+[\w.+-]*)")re", kExact), true},
      {"# torch version", std::regex(R"re(# torch version:[ \t]*(\d+\.\d+[\w.+-]*))re", kExact), true},
      {"orch version",
       std::regex(
           R"re((?:^|[^\w-])(?:py)?torch version[ \t]*(?:\([^)\n]*\)[ \t]*)?\**[ \t]*[:=][ \t]*[*`'"]*(\d+\.\d+[\w.+-]*))re",
           kAnyCase),
       false},
      {"torch==", std::regex(R"re((?:^|[^\w.-])(?:py)?torch==(\d+\.\d+[\w.+-]*))re", kExact), false},
      {"[conda] ", std::regex(R"re(\[conda\] +(?:py)?torch[ \t]+(\d+\.\d+[\w.+-]*))re", kExact), false},
      {"torch:", std::regex(R"re(^[ \t*>|-]*(?:py)?torch:\**[ \t]+(\d+\.\d+[\w.+-]*))re", kAnyCase), false},
      {"torch.__version__", std::regex(R"re(torch\.__version__[ \t]*[:=][ \t]*['"]?(\d+\.\d+[\w.+-]*))re", kExact),
       false},
      // An interpreter, or a script that prints the version, shows the version in the next line.
      {"torch.__version__",
       std::regex(R"re(torch\.__version__[)'" \t]*\r?\n[ \t>]*['"]?(\d+\.\d+[\w.+-]*)['"]?[ \t]*(?:[\r\n]|$))re",
                  kExact),
       false},
  }};
  return all;
}

/// Computes `text.find(mark, from)`. On logs, memmem takes a fifth of the time, because most letters of a mark are
/// frequent there.
size_t found(std::string_view text, std::string_view mark, size_t from) {
  const void* at = ::memmem(text.data() + from, text.size() - from, mark.data(), mark.size());
  return at ? static_cast<size_t>(static_cast<const char*>(at) - text.data()) : text.npos;
}

}  // namespace

void TorchNames::read(std::string_view part, size_t before, bool listings) { read(part, before, listings, ""); }

void TorchNames::read_file(std::string_view text, const std::string& file) { read(text, 0, true, file); }

void TorchNames::read(std::string_view part, size_t before, bool listings, const std::string& file) {
  for (const Form& form : forms()) {
    if (!listings && !form.by_run) continue;
    size_t counted = 0;  // number of bytes of `part` whose line ends have been counted in `line`
    auto line = static_cast<uint32_t>(before + 1);
    for (size_t at = found(part, form.mark, 0); at != part.npos;) {
      const size_t begin = at == 0 ? 0 : part.rfind('\n', at - 1) + 1;  // npos + 1 is 0
      const size_t from = std::max(begin, at - std::min(at, kMostOfLine));
      const size_t end = std::min(part.find('\n', at), part.size());
      const size_t two = end == part.size() ? end : std::min(part.find('\n', end + 1), part.size());
      const std::string_view lines = part.substr(from, std::min(two - from, 2 * kMostOfLine));
      line += static_cast<uint32_t>(std::count(part.begin() + static_cast<ptrdiff_t>(counted),
                                               part.begin() + static_cast<ptrdiff_t>(begin), '\n'));
      counted = begin;
      using Match = std::regex_iterator<std::string_view::iterator>;
      for (Match m(lines.begin(), lines.end(), form.pattern); m != Match(); ++m) {
        // The match is in the next line, which is searched on its own.
        if (from + static_cast<size_t>(m->position()) >= end) break;
        NamedTorch named{(*m)[1].str(), {}, line, file, form.by_run};
        while (named.text.ends_with('.')) named.text.pop_back();  // removes the full stop of a sentence
        const auto version = torch_version(named.text);
        if (!version) continue;
        named.version = *version;
        add(std::move(named));
      }
      at = end == part.size() ? part.npos : found(part, form.mark, end);
    }
  }
}

void TorchNames::add(NamedTorch named) {
  const auto same = std::find_if(all_.begin(), all_.end(), [&](const NamedTorch& n) {
    return n.version == named.version && n.by_run == named.by_run && n.file == named.file;
  });
  if (same == all_.end()) {
    all_.push_back(std::move(named));
  } else if (named.line < same->line) {
    *same = std::move(named);
  }
}

std::vector<NamedTorch> TorchNames::rows() const {
  const bool by_run = std::any_of(all_.begin(), all_.end(), [](const NamedTorch& n) { return n.by_run; });
  std::vector<NamedTorch> rows;
  for (const NamedTorch& n : all_) {
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const NamedTorch& r) { return r.version == n.version; });
    if (n.by_run == by_run && same == rows.end()) rows.push_back(n);
  }
  std::sort(rows.begin(), rows.end(), [](const NamedTorch& a, const NamedTorch& b) { return a.line < b.line; });
  return rows;
}

std::string TorchNames::only() const {
  const std::vector<NamedTorch> named = rows();
  return named.size() == 1 ? named[0].text : "";
}

}  // namespace ersatz::pasted
