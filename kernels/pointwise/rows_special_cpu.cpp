// The rows that have no vector form: floats and doubles one at a time.
#include "kernels/pointwise/row_loops.h"
// After it: the special functions join the vocabulary.
#include "kernels/pointwise/math_special.h"

namespace ersatz::pointwise {
namespace {

template <class R, int kInputs>
void fill_row(RowKernel* places) {
  places[kF32] = number_loop<R, float, kInputs>;
  places[kF64] = number_loop<R, double, kInputs>;
}

#define ERSATZ_HERE_F(...)
#define ERSATZ_HERE_FC(...)
#define ERSATZ_HERE_FI(...)
#define ERSATZ_HERE_FIB(...)
#define ERSATZ_HERE_FIC(...)
#define ERSATZ_HERE_FIBC(...)
#define ERSATZ_HERE_I(...)
#define ERSATZ_HERE_IB(...)
#define ERSATZ_HERE_S(...) __VA_ARGS__
#define ERSATZ_HERE_SI(...) __VA_ARGS__
#define ERSATZ_HERE_SC(...) __VA_ARGS__
#define ERSATZ_HERE_C(...)
#include "kernels/pointwise/row_structs.inl"

}  // namespace

void fill_rows_special(RowTable& table) {
#define ERSATZ_FILL(name, inputs, kinds) fill_row<Row_##name, inputs>(table.kernels[static_cast<int>(Row::name)]);
#include "kernels/pointwise/row_fill.inl"
}

}  // namespace ersatz::pointwise
