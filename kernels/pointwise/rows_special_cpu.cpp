// The loops of elementwise ops that have no vector code. They compute one float or double at a time.
#include "kernels/pointwise/row_loops.h"

namespace ersatz::pointwise {
namespace {

template <class R, int kInputs, unsigned kinds>
void fill_row(RowKernel* places) {
  if constexpr (kinds) {
    places[kF32] = number_loop<R, float, kInputs>;
    places[kF64] = number_loop<R, double, kInputs>;
  }
}

constexpr unsigned kHere = kS;
#include "kernels/pointwise/row_structs.inl"

}  // namespace

void fill_rows_special(RowTable& table) { fill_rows(table.kernels); }

}  // namespace ersatz::pointwise
