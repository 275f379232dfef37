// How autocast changes the calls of an op, by device (runtime/op/autocast.h).
#pragma once

#include <array>
#include <cstdint>

#include "runtime/base/device.h"

namespace ersatz {

struct OpEntry;

enum class AutocastKind : uint8_t {
  None,
  Narrow,  ///< runs in the scope's dtype: matrix products, convolutions, attention
  Wide,    ///< runs in f32: losses, interpolations, functions with a wide range of values
  /// the operands are not converted, but the result is f32, unless the call has a dtype: sums, softmax, norms
  WideResult,
  Promote,  ///< all tensors are converted to the widest dtype among them: `cat`, `stack`
  Refused,  ///< raises an error, because the result can overflow in a narrow dtype
};

struct Autocasts {
  std::array<AutocastKind, kDeviceTypeCount> kinds{};
  /// For WideResult: the overload that has the same arguments and then the result's dtype. Null: the op itself has a
  /// `dtype` argument.
  const OpEntry* wide_form = nullptr;

  AutocastKind on(DeviceType d) const { return kinds[static_cast<size_t>(d)]; }
};

}  // namespace ersatz
