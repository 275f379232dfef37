#include "kernels/pointwise/rows.inl"

namespace ersatz::pointwise {
void fill_rows_avx512(RowTable& table) { fill_rows(table.kernels); }
}  // namespace ersatz::pointwise
