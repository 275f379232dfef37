// A version of PyTorch. Rules answer as one version does; the few that differ between versions ask the context for it.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ersatz {

/// Its first two numbers: patches change no rule. The default is the version that the rules were made with.
struct TorchVersion {
  int first = 2, second = 15;
  auto operator<=>(const TorchVersion&) const = default;
};

/// The oldest version whose differences are known. Older ones are answered as this one.
inline constexpr TorchVersion kOldestTorch{2, 9};

/// Of `2.11`, `2.11.0` or `2.11.0+cu130`; none of another text.
std::optional<TorchVersion> torch_version(std::string_view text);
/// Of what a program says of its maker, `torch 2.11.0, schema 8.16, ATEN`; none where it names no version of PyTorch.
std::optional<TorchVersion> torch_version_of_producer(std::string_view producer);
std::string to_string(TorchVersion v);  ///< `2.11`

}  // namespace ersatz
