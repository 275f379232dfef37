#include "runtime/plugin/foreign_dtypes.h"

#include <algorithm>

namespace ersatz {
namespace {

constexpr ForeignDType kForeign[] = {{"float8_e4m3fn", {10, 8, 1}, DType::U8},
                                     {"float8_e4m3fnuz", {11, 8, 1}, DType::U8},
                                     {"float8_e5m2", {12, 8, 1}, DType::U8},
                                     {"float8_e5m2fnuz", {13, 8, 1}, DType::U8},
                                     {"float8_e8m0fnu", {14, 8, 1}, DType::U8},
                                     {"float4_e2m1fn_x2", {17, 4, 2}, DType::U8},
                                     {"u16", {1, 16, 1}, DType::I16},
                                     {"u32", {1, 32, 1}, DType::I32},
                                     {"u64", {1, 64, 1}, DType::I64}};

template <class F>
const ForeignDType* found(F&& is) {
  const auto at = std::find_if(std::begin(kForeign), std::end(kForeign), is);
  return at == std::end(kForeign) ? nullptr : at;
}

}  // namespace

const ForeignDType* foreign_dtype(std::string_view name) {
  return found([&](const ForeignDType& t) { return t.name == name; });
}

const ForeignDType* foreign_dtype(ErsatzDType code) {
  return found([&](const ForeignDType& t) {
    return t.code.code == code.code && t.code.bits == code.bits && t.code.lanes == code.lanes;
  });
}

}  // namespace ersatz
