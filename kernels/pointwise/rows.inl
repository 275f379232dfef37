// The loops of all rows (ops of the tables) for vectors and integers. rows_baseline_cpu.cpp, rows_avx2.cpp and
// rows_avx512.cpp include this file, each for its own instruction set.
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

constexpr unsigned kHere = kF | kI | kB;
#include "kernels/pointwise/row_structs.inl"

}  // namespace
}  // namespace ersatz::pointwise
