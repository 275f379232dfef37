// A version of PyTorch. Rules model one version; the few that differ between versions read it from the context.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ersatz {

/// The first two numbers of a version: patches change no rule. The default is the version that the rules were written
/// for.
struct TorchVersion {
  int first = 2, second = 15;
  auto operator<=>(const TorchVersion&) const = default;
};

/// The oldest version with known differences. Older versions are modelled as this one.
inline constexpr TorchVersion kOldestTorch{2, 9};

/// Parses `2.11`, `2.11.0` or `2.11.0+cu130`; nullopt for other text.
std::optional<TorchVersion> torch_version(std::string_view text);
/// Parses a program's producer, `torch 2.11.0, schema 8.16, ATEN`; nullopt if it names no version of PyTorch.
std::optional<TorchVersion> torch_version_of_producer(std::string_view producer);
std::string to_string(TorchVersion v);  ///< `2.11`

}  // namespace ersatz
