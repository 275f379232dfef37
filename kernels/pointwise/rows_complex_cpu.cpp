// The rows of complex numbers: one number at a time, through the standard library.
#include "kernels/pointwise/row_loops.h"
// After it: the overloads for complex numbers join those for reals.
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

template <class R, int kInputs>
void fill_row(RowKernel* places) {
  places[kC64] = number_loop<R, std::complex<float>, kInputs>;
  places[kC128] = number_loop<R, std::complex<double>, kInputs>;
}

#define ERSATZ_HERE_F(...)
#define ERSATZ_HERE_FC(...) __VA_ARGS__
#define ERSATZ_HERE_FI(...)
#define ERSATZ_HERE_FIB(...)
#define ERSATZ_HERE_FIC(...) __VA_ARGS__
#define ERSATZ_HERE_FIBC(...) __VA_ARGS__
#define ERSATZ_HERE_I(...)
#define ERSATZ_HERE_IB(...)
#define ERSATZ_HERE_S(...)
#define ERSATZ_HERE_SI(...)
#define ERSATZ_HERE_SC(...) __VA_ARGS__
#define ERSATZ_HERE_C(...) __VA_ARGS__
#include "kernels/pointwise/row_structs.inl"

}  // namespace

void fill_rows_complex(RowTable& table) {
#define ERSATZ_FILL(name, inputs, kinds) fill_row<Row_##name, inputs>(table.kernels[static_cast<int>(Row::name)]);
#include "kernels/pointwise/row_fill.inl"
}

}  // namespace ersatz::pointwise
