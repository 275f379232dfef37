// How autocast changes the calls of an op, by device (runtime/op/autocast.h).
#pragma once

#include <array>
#include <cstdint>

#include "runtime/base/device.h"

namespace ersatz {

struct OpEntry;

enum class AutocastKind : uint8_t {
  None,
  Narrow,      ///< runs in the scope's dtype: matrix products, convolutions, attention
  Wide,        ///< runs in f32: losses, interpolations, functions of a wide range
  WideResult,  ///< gives an f32 result of operands as they are, unless the call names a dtype: sums, softmax, norms
  Promote,     ///< runs in the widest dtype of its tensors: joins
  Refused,     ///< an error: its result has no room in a narrow dtype
};

struct Autocasts {
  std::array<AutocastKind, kDeviceTypeCount> kinds{};
  /// For WideResult: the overload that takes the result's dtype after the same arguments. Null: the op itself takes it.
  const OpEntry* wide_form = nullptr;

  AutocastKind on(DeviceType d) const { return kinds[static_cast<size_t>(d)]; }
};

}  // namespace ersatz
