#include "kernels/pointwise/row_table.h"

#include <memory>

#include "kernels/loop_levels.h"

namespace ersatz::pointwise {

static_assert(kRowDTypes == kCommonDTypeCount);

namespace {
// Fills the table from the slowest to the fastest instruction set, so that a later fill replaces entries by faster
// loops.
const RowTable& rows() {
  static const std::unique_ptr<const RowTable> table = [] {
    auto t = std::make_unique<RowTable>();
    fill_rows_complex(*t);
    fill_rows_special(*t);
    fill_levels(*t, ERSATZ_LEVELS(fill_rows));
    return std::unique_ptr<const RowTable>(std::move(t));
  }();
  return *table;
}
}  // namespace

RowKernel find_row(Row row, DType compute) {
  if (static_cast<int>(compute) >= kRowDTypes) return nullptr;
  return rows().kernels[static_cast<int>(row)][static_cast<int>(compute)];
}

}  // namespace ersatz::pointwise
