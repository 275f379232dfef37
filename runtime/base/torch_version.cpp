#include "runtime/base/torch_version.h"

#include <fmt/format.h>

#include <charconv>

namespace ersatz {

std::optional<TorchVersion> torch_version(std::string_view text) {
  TorchVersion v;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, v.first);
  if (first.ec != std::errc() || v.first < 0 || first.ptr == end || *first.ptr != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, v.second);
  if (second.ec != std::errc() || v.second < 0) return std::nullopt;
  if (second.ptr != end && *second.ptr != '.' && *second.ptr != '+' && *second.ptr != 'a') return std::nullopt;
  return v;
}

std::optional<TorchVersion> torch_version_of_producer(std::string_view producer) {
  constexpr std::string_view kMaker = "torch ";
  if (!producer.starts_with(kMaker)) return std::nullopt;
  producer.remove_prefix(kMaker.size());
  return torch_version(producer.substr(0, producer.find(',')));
}

std::string to_string(TorchVersion v) { return fmt::format("{}.{}", v.first, v.second); }

}  // namespace ersatz
