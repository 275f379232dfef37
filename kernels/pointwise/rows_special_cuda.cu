// Elementwise loops for floats and doubles on CUDA, of ops without vector code: mostly special functions.
#include "kernels/pointwise/device_row_launch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_rows_special {
namespace {
using namespace pointwise::device;
constexpr unsigned kHere = pointwise::kS;
#include "kernels/pointwise/row_structs.inl"
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows().rows); }

}  // namespace ersatz::op_rows_special
