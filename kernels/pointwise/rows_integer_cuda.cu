// Elementwise loops for integers and bool on CUDA.
#include "kernels/pointwise/device_row_launch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_rows_integer {
namespace {
using namespace pointwise::device;
constexpr unsigned kHere = pointwise::kI | pointwise::kB;
#include "kernels/pointwise/row_structs.inl"
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows().rows); }

}  // namespace ersatz::op_rows_integer
