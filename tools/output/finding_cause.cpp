#include "tools/output/finding_cause.h"

#include <fmt/format.h>

#include "runtime/base/dtype.h"

namespace ersatz::tools {

namespace {

constexpr size_t kLongestCause = 160;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the length of the metadata at the start of `text`, which begin with a dtype and a bracket:
/// `f32[2,3]{3,1}+0@cpu`. 0 if `text` does not begin with metadata.
size_t metadata_length(std::string_view text) {
  const size_t bracket = text.find('[');
  if (bracket == text.npos || bracket > 4 || !parse_dtype(text.substr(0, bracket))) return 0;
  size_t end = text.find(']', bracket);
  if (end == text.npos) return 0;
  ++end;
  if (end < text.size() && text[end] == '{') {
    end = text.find('}', end);
    if (end == text.npos) return text.size();
    ++end;
  }
  while (end < text.size() && (is_word(text[end]) || text[end] == '+' || text[end] == '@' || text[end] == ':') &&
         !(text[end] == ':' && (end + 1 >= text.size() || !is_digit(text[end + 1])))) {
    ++end;
  }
  return end;
}

std::string_view dtype_word(std::string_view meta) { return meta.substr(0, std::min(meta.find('['), meta.size())); }

}  // namespace

std::string without_details(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size() && out.size() < kLongestCause;) {
    const bool starts_word = i == 0 || !is_word(text[i - 1]);
    if (const size_t n = starts_word ? metadata_length(text.substr(i)) : 0) {
      out += 'T';
      i += n;
    } else if (text[i] == '[' && (i + 1 < text.size()) && (is_digit(text[i + 1]) || text[i + 1] == '-')) {
      const size_t end = std::min(text.find(']', i), text.size() - 1);  // the text up to `]` is a list of numbers
      out += "[#]";
      i = end + 1;
    } else if (starts_word && is_digit(text[i])) {
      while (i < text.size() && (is_digit(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1]))))
        ++i;
      out += '#';
    } else {
      size_t end = i + 1;
      if (starts_word && is_word(text[i])) {
        while (end < text.size() && is_word(text[end])) ++end;
      }
      const std::string_view word = text.substr(i, end - i);
      out += parse_dtype(word) && word != "bool" ? "DTYPE" : word;
      i = end;
    }
  }
  return out.size() < kLongestCause ? out : out + "...";
}

std::string cause_of(const Finding& f) {
  switch (f.field) {
    case FindingField::DType:
      return fmt::format("{} instead of {}", dtype_word(f.predicted), dtype_word(f.observed));
    case FindingField::Size:
    case FindingField::Stride:
    case FindingField::Offset:
    case FindingField::Device:
      return f.predicted.find('[') == std::string::npos
                 ? fmt::format("{} instead of {}", without_details(f.predicted), without_details(f.observed))
                 : fmt::format("{} differs", name(f.field));
    case FindingField::Value:
      return f.words.empty() ? "values differ" : f.words;
    default:
      return fmt::format("{} instead of {}", without_details(f.predicted), without_details(f.observed));
  }
}

}  // namespace ersatz::tools
