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
#include "kernels/pointwise/device_rows.inl"
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows()); }

}  // namespace ersatz::op_rows_complex
