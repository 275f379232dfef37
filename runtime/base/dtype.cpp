#include "runtime/base/dtype.h"

namespace ersatz {

std::optional<DType> parse_dtype(std::string_view short_name) {
  for (int i = 0; i < kDTypeCount; ++i)
    if (short_name == name(static_cast<DType>(i))) return static_cast<DType>(i);
  return std::nullopt;
}

std::string_view long_name(DType t) {
  constexpr std::string_view names[kDTypeCount] = {"bool",    "uint8",   "int8",      "int16",
                                                   "int32",   "int64",   "float16",   "bfloat16",
                                                   "float32", "float64", "complex64", "complex128"};
  return names[static_cast<int>(t)];
}

}  // namespace ersatz
