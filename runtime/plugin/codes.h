// Dtypes, devices and plain values as the C interfaces spell them, and back. Codes of dtypes and devices are DLPack's.
#pragma once

#include <optional>

#include "runtime/base/device.h"
#include "runtime/base/dtype.h"
#include "runtime/op/value.h"
#include "runtime/plugin/c_value.h"

namespace ersatz {

ErsatzDType to_c(DType t);
ErsatzDevice to_c(Device d);
/// Empty: there is no such dtype here.
std::optional<DType> dtype_from_c(ErsatzDType t);
/// Empty: no device of that type, or an index that no device has.
std::optional<Device> device_from_c(ErsatzDevice d);

/// Sets `c` to a value that needs no memory beside it: all but tensors, strings and lists, of which it returns false.
bool plain_to_c(const Value& v, ErsatzValue& c);
/// None, or a number. Empty: the value is of another kind.
std::optional<Value> number_from_c(const ErsatzValue& c);

}  // namespace ersatz
