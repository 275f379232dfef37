#include "runtime/base/dtype.h"

#include <algorithm>

namespace ersatz {
namespace {
template <class Is>
std::optional<DType> found(Is&& is) {
  const auto* const at = std::find_if(std::begin(kDTypeRows), std::end(kDTypeRows), is);
  return at == std::end(kDTypeRows) ? std::nullopt : std::optional(static_cast<DType>(at - kDTypeRows));
}
}  // namespace

std::optional<DType> parse_dtype(std::string_view short_name) {
  return found([&](const DTypeRow& row) { return row.short_name == short_name; });
}

std::optional<DType> dtype_named(std::string_view name) {
  return found([&](const DTypeRow& row) { return row.short_name == name || row.long_name == name; });
}

std::optional<DType> dtype_of_c10(int64_t number) {
  return found([&](const DTypeRow& row) { return row.c10 == number; });
}

std::string_view long_name(DType t) { return row_of(t).long_name; }

}  // namespace ersatz
