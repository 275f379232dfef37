#include "tracer/messages/gradient_text.h"

#include <algorithm>

#include "tracer/messages/python_text.h"

namespace ersatz {

namespace {

constexpr size_t kLinesBelow = 4;

std::string list_behind(std::string_view line, std::string_view phrase) {
  const auto rest = behind(line, phrase);
  if (!rest || !rest->starts_with('[')) return {};
  const size_t close = closing_bracket(*rest, 0);
  return close == rest->npos ? std::string() : std::string(rest->substr(0, close + 1));
}

}  // namespace

std::optional<GradientStrides> gradient_strides(const std::vector<std::string>& lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("Grad strides do not match bucket view strides") == std::string::npos) continue;
    GradientStrides found;
    found.at = i;
    for (size_t k = i; k < std::min(lines.size(), i + kLinesBelow); ++k) {
      const std::string& line = lines[k];
      const size_t bucket = line.find("bucket_view.sizes()");
      const std::string_view grad = std::string_view(line).substr(0, bucket);
      if (const std::string list = list_behind(grad, "grad.sizes() = "); !list.empty()) {
        found.sizes = list;
        found.strides = list_behind(grad, "strides() = ");
      }
      if (bucket == std::string::npos) continue;
      found.bucket_sizes = list_behind(std::string_view(line).substr(bucket), "sizes() = ");
      found.bucket_strides = list_behind(std::string_view(line).substr(bucket), "strides() = ");
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace ersatz
