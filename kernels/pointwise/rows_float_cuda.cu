// Elementwise rows of floats and doubles on CUDA.
#include "kernels/pointwise/device_row_loops.h"
#include "runtime/registry.h"

namespace ersatz::op_rows_float {
namespace {
using namespace pointwise::device;
#define ERSATZ_HERE_F(...) __VA_ARGS__
#define ERSATZ_HERE_FC(...) __VA_ARGS__
#define ERSATZ_HERE_FI(...) __VA_ARGS__
#define ERSATZ_HERE_FIB(...) __VA_ARGS__
#define ERSATZ_HERE_FIC(...) __VA_ARGS__
#define ERSATZ_HERE_FIBC(...) __VA_ARGS__
#define ERSATZ_HERE_I(...)
#define ERSATZ_HERE_IB(...)
#define ERSATZ_HERE_S(...)
#define ERSATZ_HERE_SI(...)
#define ERSATZ_HERE_SC(...)
#define ERSATZ_HERE_C(...)
[[maybe_unused]] constexpr unsigned kKinds_F = kF, kKinds_FC = kF, kKinds_FI = kF, kKinds_FIB = kF, kKinds_FIC = kF,
                                    kKinds_FIBC = kF;
#include "kernels/pointwise/device_rows.inl"
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows()); }

}  // namespace ersatz::op_rows_float
