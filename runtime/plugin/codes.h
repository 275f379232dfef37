// Converts dtypes, devices and plain values to the representation of c_value.h and back. The codes of dtypes and
// devices are DLPack's.
#pragma once

#include <optional>

#include "runtime/base/device.h"
#include "runtime/base/dtype.h"
#include "runtime/op/value.h"
#include "runtime/plugin/c_value.h"

namespace ersatz {

ErsatzDType to_c(DType t);
ErsatzDevice to_c(Device d);
/// Returns the dtype with this code, or nullopt if ersatz has none.
std::optional<DType> dtype_from_c(ErsatzDType t);
/// Returns the device, or nullopt if its type is unknown or its index is out of range.
std::optional<Device> device_from_c(ErsatzDevice d);

/// Sets `c` to `v` and returns true if `c` needs no further memory. Returns false for tensors, strings and lists.
bool plain_to_c(const Value& v, ErsatzValue& c);
/// Returns None or a number; nullopt if the value is of another kind.
std::optional<Value> number_from_c(const ErsatzValue& c);

}  // namespace ersatz
