// Dtypes of PyTorch that do not exist here. A tensor of one is told with a dtype of its width in its place, so that its
// sizes, strides and memory can be judged, and with the name of its own.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/base/dtype.h"
#include "runtime/plugin/plugin.h"

namespace ersatz {

struct ForeignDType {
  std::string_view name;  ///< as call records spell it: `float8_e4m3fn`, `u16`
  ErsatzDType code;       ///< DLPack's
  DType stand_in;
};

/// Null: no such dtype, or one that exists here.
const ForeignDType* foreign_dtype(std::string_view name);
const ForeignDType* foreign_dtype(ErsatzDType code);

}  // namespace ersatz
