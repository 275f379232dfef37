#include "tracer/pasted/graph_marks.h"

#include <algorithm>

#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

/// Returns whether the line annotates a parameter in the way of a printed graph: `x: "f32[2]"`, `s: "Sym(s77)"`.
bool annotates_parameter(std::string_view line) {
  constexpr std::string_view kQuote = ": \"";
  constexpr size_t kLongestDtype = 16;
  for (size_t at = 0; (at = line.find(kQuote, at)) != line.npos;) {
    at += kQuote.size();
    const std::string_view rest = line.substr(at, kLongestDtype);
    if (rest.starts_with("Sym(")) return true;
    const size_t end = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
    if (end != rest.npos && end > 0 && rest[end] == '[') return true;
  }
  return false;
}

/// Returns whether the line calls an operator by its full name, for example `torch.ops.aten.add.Tensor`.
bool names_overload(std::string_view line) {
  constexpr std::string_view kOps = "torch.ops.";
  const size_t at = line.find(kOps);
  if (at == line.npos) return false;
  const std::string_view rest = line.substr(at + kOps.size());
  const std::string_view name = rest.substr(0, rest.find_first_of(" (,)"));
  return std::count(name.begin(), name.end(), '.') >= 2;
}

}  // namespace

bool is_comment(const CleanLine& line) { return trimmed(line.text).starts_with('#'); }

bool is_annotated_line(std::string_view line) {
  line = trimmed(line);
  const size_t colon = line.find(": \"");
  if (colon == line.npos || colon == 0 || colon > 256) return false;
  if (line.substr(0, colon).find_first_of(" ('\"=[") != line.npos) return false;
  const size_t quote = line.find("\" = ", colon + 3);
  return quote != line.npos;
}

bool is_mark(const CleanLine& line) {
  if (is_comment(line)) return false;
  const bool gives_names_free = line.text.ends_with(" = None") && line.text.find(';') != line.text.npos;
  return gives_names_free || names_overload(line.text) || is_annotated_line(line.text) ||
         annotates_parameter(line.text);
}

}  // namespace ersatz::pasted
