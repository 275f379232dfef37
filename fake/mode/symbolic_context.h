// Options of FakeMode::from_tensor that decide which sizes become symbols.
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
  /// The symbol's name. Dims with equal names share one symbol. Empty: a new symbol with a name like `s0` or `u0`.
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
  /// Overrides FakeOptions::static_shapes. If false, each size of 2 or more becomes a symbol of its own; 0 and 1 stay
  /// numbers.
  std::optional<bool> static_shapes = {};
  /// The kind of each dim. It must not be set with static shapes. Later conversions of the tensor give the same
  /// symbols.
  std::optional<SymbolicContext> symbolic_context = {};
  /// The tensor's name in the program, `x`, which facts about its symbols mention. If a 0-dim tensor has a name, its
  /// value gets a symbol.
  std::string source = {};
  /// Whether a module owns the tensor.
  bool of_module = false;
};

/// Says which kinds of tensors never get symbols.
struct StaticTensors {
  bool of_modules = true;
  bool parameters = true;
};

enum class StaticReason : uint8_t { Parameter, NotTensor, ModuleOwned };
/// Returns whether a value never gets symbols, and the reason. A value that is no tensor never does.
std::pair<bool, std::optional<StaticReason>> always_static(const Value& v, bool of_module, const StaticTensors& rules);
/// Returns PyTorch's text for the reason. Raises InternalError for a value outside of the enumeration.
std::string_view message(StaticReason reason);

}  // namespace ersatz
