// Sentences in which PyTorch reports that a fake kernel and the real kernel of an operator differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct FakeMismatch {
  enum class Field { Size, Stride, DType, Device, Offset, Conj, Neg, RequiresGrad, Alias, Other };
  std::string op;  ///< `my.op.default`; empty if the text does not name it
  std::optional<int64_t> result;
  Field field = Field::Other;
  std::string real, fake;  ///< copied from the text: `[30, 1, 5]`, `torch.int64`; empty if it gives none
  std::string message;
};

/// Reads a line of opcheck, CrossRefFakeMode, draft_export or real tensor propagation. Returns nullopt for other lines.
std::optional<FakeMismatch> fake_mismatch(std::string_view line);
/// Returns all mismatches of a text, each once. A line that names the operator replaces an equal one that does not.
std::vector<FakeMismatch> fake_mismatches(const std::vector<std::string>& lines);

}  // namespace ersatz
