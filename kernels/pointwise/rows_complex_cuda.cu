// Elementwise rows of complex numbers on CUDA.
#include "kernels/pointwise/device_row_loops.h"
// After it: the overloads for complex numbers join those for reals.
#include "kernels/pointwise/math_complex.h"
#include "runtime/registry.h"

namespace ersatz::op_rows_complex {
namespace {
using namespace pointwise::device;
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
[[maybe_unused]] constexpr unsigned kKinds_FC = kC, kKinds_FIC = kC, kKinds_FIBC = kC, kKinds_SC = kC, kKinds_C = kC;
#include "kernels/pointwise/row_structs.inl"
}  // namespace

void attach_cuda(Registry&) {
  pointwise::DeviceRows& table = pointwise::device_rows();
#define ERSATZ_FILL(name, inputs, kinds) \
  fill_row<Row_##name, inputs, kKinds_##kinds>(table.rows[static_cast<int>(pointwise::Row::name)]);
#include "kernels/pointwise/row_fill.inl"
}

#undef ERSATZ_HERE_F
#undef ERSATZ_HERE_FC
#undef ERSATZ_HERE_FI
#undef ERSATZ_HERE_FIB
#undef ERSATZ_HERE_FIC
#undef ERSATZ_HERE_FIBC
#undef ERSATZ_HERE_I
#undef ERSATZ_HERE_IB
#undef ERSATZ_HERE_S
#undef ERSATZ_HERE_SI
#undef ERSATZ_HERE_SC
#undef ERSATZ_HERE_C

}  // namespace ersatz::op_rows_complex
