// Dtypes and devices as the C interfaces spell them, which is DLPack's way, and back.
#pragma once

#include <optional>

#include "runtime/base/device.h"
#include "runtime/base/dtype.h"
#include "runtime/plugin/plugin.h"

namespace ersatz {

ErsatzDType to_c(DType t);
ErsatzDevice to_c(Device d);
/// Empty: there is no such dtype here.
std::optional<DType> dtype_from_c(ErsatzDType t);
/// Empty: no device of that type, or an index that no device has.
std::optional<Device> device_from_c(ErsatzDevice d);

}  // namespace ersatz
