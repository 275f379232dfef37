// A version of PyTorch. Rules predict the results of one version. The few rules whose results differ between versions
// read RuleContext::torch.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ersatz {

/// The first two numbers of a version, because patch releases change no prediction. The default is the version that the
/// rules were written for.
struct TorchVersion {
  int first = 2, second = 15;
  auto operator<=>(const TorchVersion&) const = default;
};

/// The oldest version whose differences are known. Older versions are predicted like this one.
inline constexpr TorchVersion kOldestTorch{2, 9};

/// Parses `2.11`, `2.11.0` or `2.11.0+cu130`; nullopt for other text.
std::optional<TorchVersion> torch_version(std::string_view text);
/// Parses the producer of a program, `torch 2.11.0, schema 8.16, ATEN`. Returns nullopt if it names no version of
/// PyTorch.
std::optional<TorchVersion> torch_version_of_producer(std::string_view producer);
std::string to_string(TorchVersion v);  ///< `2.11`

}  // namespace ersatz
