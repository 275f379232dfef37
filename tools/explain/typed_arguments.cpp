#include "tools/explain/typed_arguments.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ersatz::tools {

namespace {

constexpr std::pair<std::string_view, std::string_view> kDTypeWords[] = {
    {"float32", "f32"},   {"float", "f32"},      {"float64", "f64"}, {"double", "f64"}, {"float16", "f16"},
    {"half", "f16"},      {"bfloat16", "bf16"},  {"int64", "i64"},   {"long", "i64"},   {"int32", "i32"},
    {"int", "i32"},       {"int16", "i16"},      {"short", "i16"},   {"int8", "i8"},    {"uint8", "u8"},
    {"complex64", "c64"}, {"complex128", "c128"}};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

std::string word_of(std::string_view word, bool keyword) {
  if (keyword) return std::string(word);
  constexpr std::string_view kModule = "torch.";
  if (word.starts_with(kModule)) word.remove_prefix(kModule.size());
  const auto* const known =
      std::find_if(std::begin(kDTypeWords), std::end(kDTypeWords), [&](const auto& row) { return row.first == word; });
  return std::string(known == std::end(kDTypeWords) ? word : known->second);
}

}  // namespace

std::string typed_arguments(std::string_view text) {
  std::string out;
  int depth = 0;  // nesting depth of brackets
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
      // The string is not terminated; the parser will report that.
      if (end >= text.size()) return out + std::string(text.substr(i));
      const std::string_view inner = text.substr(i + 1, end - i - 1);
      const bool plain = c == '\'' && inner.find('"') == inner.npos;
      out += plain ? '"' + std::string(inner) + '"' : std::string(text.substr(i, end + 1 - i));
      i = end + 1;
    } else if (in_word(c)) {
      size_t end = i;
      while (end < text.size() && in_word(text[end])) ++end;
      const size_t next = std::min(text.find_first_not_of(' ', end), text.size());
      out += word_of(text.substr(i, end - i), next < text.size() && text[next] == '=');
      i = end;
    } else {
      depth += (c == '[') - (c == ']');
      if (c != ' ' || depth <= 0) out += c;
      ++i;
    }
  }
  return out;
}

}  // namespace ersatz::tools
