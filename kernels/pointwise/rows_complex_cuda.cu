// Elementwise loops for complex numbers on CUDA.
#include "kernels/pointwise/device_row_launch.h"
// This include adds overloads for complex numbers to the functions for reals, so the include above must come first.
#include "kernels/pointwise/math_complex.h"
#include "runtime/op/registry.h"

namespace ersatz::op_rows_complex {
namespace {
using namespace pointwise::device;
constexpr unsigned kHere = pointwise::kC;
#include "kernels/pointwise/row_structs.inl"
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows().rows); }

}  // namespace ersatz::op_rows_complex
