// The loops of elementwise ops for complex numbers. They compute one number at a time by the standard library.
#include "kernels/pointwise/row_loops.h"
// This include adds overloads for complex numbers to the functions for reals, so row_loops.h must come first.
#include "kernels/pointwise/math_complex.h"

namespace ersatz::pointwise {
namespace {

template <class T>
struct Params<std::complex<T>> {
  std::complex<T> value[4];
  explicit Params(const RowParams& p) {
    for (int i = 0; i < 4; ++i) value[i] = {static_cast<T>(p.re[i]), static_cast<T>(p.im[i])};
  }
  std::complex<T> operator[](int i) const { return value[i]; }
};

template <class R, int kInputs, unsigned kinds>
void fill_row(RowKernel* places) {
  if constexpr (kinds) {
    places[kC64] = number_loop<R, std::complex<float>, kInputs>;
    places[kC128] = number_loop<R, std::complex<double>, kInputs>;
  }
}

constexpr unsigned kHere = kC;
#include "kernels/pointwise/row_structs.inl"

}  // namespace

void fill_rows_complex(RowTable& table) { fill_rows(table.kernels); }

}  // namespace ersatz::pointwise
