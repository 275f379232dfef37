// Which sizes of a converted tensor become symbols, and why some never do.
//
//   mode.from_tensor(x, {.symbolic_context = SymbolicContext{{{DimKind::Dynamic}, {}, {}}}, .source = "x"});
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

enum class DimKind : uint8_t {
  Static,    ///< a number
  Dynamic,   ///< a backed symbol: the tensor's size is its hint
  Unbacked,  ///< a symbol without a hint
};

struct DimContext {
  DimKind kind = DimKind::Static;
  /// The symbol's name; the same name is the same size. Empty: one of its own, `s0` or `u0`.
  std::string name = {};
  int64_t min = 2, max = INT64_MAX;
  bool operator==(const DimContext&) const = default;
};

/// One entry for each dim of a tensor.
struct SymbolicContext {
  std::vector<DimContext> dims;
  bool operator==(const SymbolicContext&) const = default;
};

struct FromTensorOptions {
  /// In place of the mode's setting. Without static shapes each size of 2 or more is a symbol of its own; 0 and 1 stay.
  std::optional<bool> static_shapes = {};
  /// Not together with static shapes. Kept with the tensor: converting it again gives the same symbols.
  std::optional<SymbolicContext> symbolic_context = {};
  /// Where the tensor comes from, `x`: facts of its symbols name it, and a 0-dim one has a symbol for its value.
  std::string source = {};
  /// Does a module own it?
  bool of_module = false;
};

/// Which tensors never get symbols, beside values that are none.
struct StaticTensors {
  bool of_modules = true;
  bool parameters = true;
};

enum class StaticReason : uint8_t { Parameter, NotTensor, ModuleOwned };
/// Does the value never get symbols, and why?
std::pair<bool, std::optional<StaticReason>> always_static(const Value& v, bool of_module, const StaticTensors& rules);
/// The reason in a sentence, in PyTorch's words. A value that is none of the enumeration is an InternalError.
std::string_view message(StaticReason reason);

}  // namespace ersatz
