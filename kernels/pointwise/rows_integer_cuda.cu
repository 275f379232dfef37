// Elementwise rows of integers and bool on CUDA.
#include "kernels/pointwise/device_row_loops.h"
#include "runtime/registry.h"

namespace ersatz::op_rows_integer {
namespace {
using namespace pointwise::device;
#define ERSATZ_HERE_F(...)
#define ERSATZ_HERE_FC(...)
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
[[maybe_unused]] constexpr unsigned kKinds_FI = kI, kKinds_FIB = kI | kB, kKinds_FIC = kI, kKinds_FIBC = kI | kB,
                                    kKinds_I = kI, kKinds_IB = kI | kB, kKinds_SI = kI;
#include "kernels/pointwise/device_rows.inl"
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows()); }

}  // namespace ersatz::op_rows_integer
