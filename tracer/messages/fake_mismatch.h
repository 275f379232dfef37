// Finds sentences in which PyTorch reports that an operator's fake kernel and its real kernel differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct FakeMismatch {
  enum class Field { Size, Stride, DType, Device, Offset, Conj, Neg, RequiresGrad, Alias, Other };
  std::string op;  ///< for example `my.op.default`; empty if the text does not name it
  std::optional<int64_t> result;
  Field field = Field::Other;
  /// The real and the fake value in the text's spelling: `[30, 1, 5]`, `torch.int64`; empty if the text gives none.
  std::string real, fake;
  std::string message;
};

/// Parses a line of opcheck, CrossRefFakeMode, draft_export or real tensor propagation. nullopt for other lines.
std::optional<FakeMismatch> fake_mismatch(std::string_view line);
/// Returns all mismatches in a text, each once. If two lines report one mismatch, the line that names the operator is
/// kept.
std::vector<FakeMismatch> fake_mismatches(const std::vector<std::string>& lines);

}  // namespace ersatz
