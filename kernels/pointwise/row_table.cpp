#include "kernels/pointwise/row_table.h"

#include <memory>

#include "kernels/cpu_features.h"

namespace ersatz::pointwise {

static_assert(kRowDTypes == kDTypeCount);

namespace {
// Better tables overwrite what they have; the rest stays.
const RowTable& rows() {
  static const std::unique_ptr<const RowTable> table = [] {
    auto t = std::make_unique<RowTable>();
    fill_rows_complex(*t);
    fill_rows_special(*t);
    fill_rows_baseline(*t);
#if defined(__x86_64__)
    if (cpu_level() >= CpuLevel::Avx2) fill_rows_avx2(*t);
    if (cpu_level() >= CpuLevel::Avx512) fill_rows_avx512(*t);
#endif
    return std::unique_ptr<const RowTable>(std::move(t));
  }();
  return *table;
}
}  // namespace

RowKernel find_row(Row row, DType compute) { return rows().kernels[static_cast<int>(row)][static_cast<int>(compute)]; }

}  // namespace ersatz::pointwise
