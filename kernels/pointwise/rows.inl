// The vector and integer rows of all tables, filled in by the including file's FILL function (rows_baseline_cpu.cpp,
// rows_avx2.cpp, rows_avx512.cpp).
#include "kernels/pointwise/row_loops.h"

namespace ersatz::pointwise {
namespace {

template <class R, int kInputs, unsigned kinds>
void fill_row(RowKernel* places) {
  if constexpr (kinds & kF) {
    places[kF32] = vector_loop<R, float, kInputs>;
    places[kF64] = vector_loop<R, double, kInputs>;
  }
  if constexpr (kinds & kI) {
    places[kU8] = number_loop<R, uint8_t, kInputs>;
    places[kI8] = number_loop<R, int8_t, kInputs>;
    places[kI16] = number_loop<R, int16_t, kInputs>;
    places[kI32] = number_loop<R, int32_t, kInputs>;
    places[kI64] = number_loop<R, int64_t, kInputs>;
  }
  if constexpr (kinds & kB) places[kBool] = number_loop<R, bool, kInputs>;
}

// A row without a vector or integer form is not compiled here at all.
#define ERSATZ_HERE_F(...) __VA_ARGS__
#define ERSATZ_HERE_FC(...) __VA_ARGS__
#define ERSATZ_HERE_FI(...) __VA_ARGS__
#define ERSATZ_HERE_FIB(...) __VA_ARGS__
#define ERSATZ_HERE_FIC(...) __VA_ARGS__
#define ERSATZ_HERE_FIBC(...) __VA_ARGS__
#define ERSATZ_HERE_I(...) __VA_ARGS__
#define ERSATZ_HERE_IB(...) __VA_ARGS__
#define ERSATZ_HERE_S(...)
#define ERSATZ_HERE_SI(...) __VA_ARGS__
#define ERSATZ_HERE_SC(...)
#define ERSATZ_HERE_C(...)
constexpr unsigned kKinds_F = kF, kKinds_FC = kF, kKinds_FI = kF | kI, kKinds_FIB = kF | kI | kB, kKinds_FIC = kF | kI,
                   kKinds_FIBC = kF | kI | kB, kKinds_I = kI, kKinds_IB = kI | kB, kKinds_SI = kI;

#include "kernels/pointwise/row_structs.inl"

void fill_rows(RowTable& table) {
#define ERSATZ_FILL(name, inputs, kinds) \
  fill_row<Row_##name, inputs, kKinds_##kinds>(table.kernels[static_cast<int>(Row::name)]);
#include "kernels/pointwise/row_fill.inl"
}

}  // namespace
}  // namespace ersatz::pointwise
