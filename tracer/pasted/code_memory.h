// Memory as generated code lays it out, in the words of printed graphs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ersatz::pasted {

/// Texts are expressions over symbols.
struct CodeMemory {
  std::string dtype, device, sizes, strides;  ///< `float32`, `cuda:0`, `4, s77`, `s77, 1`
  std::string offset = "0";

  /// `float32[4, s77][s77, 1]cuda:0`; empty where the dtype is not known.
  std::string annotation() const;
};

/// `float32` of `torch.float32`.
std::string dtype_word(std::string_view dtype);
/// The items with commas between them.
std::string joined(const std::vector<std::string>& items);
/// Sizes of the code as PyTorch prints them in graphs: `Max(1, s27)` for `max(1, s27)`.
std::string sizes_text(const std::vector<std::string>& items);
/// `s77`, `u0`: a name that PyTorch gives to a symbol.
bool is_symbol(std::string_view name);

}  // namespace ersatz::pasted
