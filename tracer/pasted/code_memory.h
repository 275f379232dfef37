// Memory that generated code allocates or views, in the notation of printed graphs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ersatz::pasted {

/// Layout of a tensor. The strings have expressions over symbols.
struct CodeMemory {
  std::string dtype, device, sizes, strides;  ///< for example `float32`, `cuda:0`, `4, s77`, `s77, 1`
  std::string offset = "0";

  /// Returns for example `float32[4, s77][s77, 1]cuda:0`; empty if the dtype is unknown.
  std::string annotation() const;
};

/// Returns `float32` for `torch.float32`.
std::string dtype_word(std::string_view dtype);
/// Joins the items with ", ".
std::string joined(const std::vector<std::string>& items);
/// Returns sizes in the notation of printed graphs: `Max(1, s27)` for `max(1, s27)`.
std::string sizes_text(const std::vector<std::string>& items);
/// Returns whether `name` is a symbol's name: `s77`, `u0`.
bool is_symbol(std::string_view name);

}  // namespace ersatz::pasted
