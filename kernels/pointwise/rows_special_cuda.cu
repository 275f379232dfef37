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
#include "kernels/pointwise/device_rows.inl"
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows()); }

}  // namespace ersatz::op_rows_special
