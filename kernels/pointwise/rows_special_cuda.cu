// Elementwise rows without a vector form: floats and doubles, mostly special functions.
#include "kernels/pointwise/device_row_loops.h"
// After it: the special functions join the vocabulary.
#include "kernels/pointwise/math_special.h"
#include "runtime/registry.h"

namespace ersatz::op_rows_special {
namespace {
using namespace pointwise::device;
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
[[maybe_unused]] constexpr unsigned kKinds_S = kS, kKinds_SI = kS, kKinds_SC = kS;
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

}  // namespace ersatz::op_rows_special
