// The sentence by which PyTorch says that a fake kernel and its kernel differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct FakeMismatch {
  enum class Field { Size, Stride, DType, Device, Offset, Conj, Neg, RequiresGrad, Alias, Other };
  std::string op;  ///< `my.op.default`; empty where the text does not name it
  std::optional<int64_t> result;
  Field field = Field::Other;
  std::string real, fake;  ///< as the text has them: `[30, 1, 5]`, `torch.int64`; empty where it does not say
  std::string message;
};

/// Reads a line of opcheck, CrossRefFakeMode, draft_export or the propagation of real tensors. None for another line.
std::optional<FakeMismatch> fake_mismatch(std::string_view line);
/// All of a text, each once; what a line says without its operator is left out where another line names it.
std::vector<FakeMismatch> fake_mismatches(const std::vector<std::string>& lines);

}  // namespace ersatz
