// Elementwise loops for floats and doubles on CUDA, of ops without vector code: mostly special functions.
#include "kernels/pointwise/device_row_launch.h"
#include "kernels/pointwise/elementwise.h"
#include "runtime/op/registry.h"

namespace ersatz::op_rows_special {
namespace {
using namespace pointwise::device;
constexpr unsigned kHere = pointwise::kS;

/// Whether the op of a row takes f16 and bf16. If not, there are no loops over packets of halves.
template <class R>
constexpr bool kTakesHalves = true;

template <class R, class T, int kInputs>
void run_wide(int device, std::span<const int64_t> sizes, std::span<const pointwise::DeviceOperand> operands,
              const pointwise::RowParams& params) {
  static constexpr typename RowLaunches<kInputs>::Packed kPacked[] = {packed_as<R, T, T, kInputs>(kDeviceDType<T>)};
  constexpr bool kKeepsDType = std::is_same_v<typename ResultOf<R, kInputs, T>::type, T>;
  run_row<kInputs>(device, sizes, operands, params, {kPacked, launch_strided<R, T, kInputs>, kKeepsDType});
}

template <class R, int kInputs, unsigned kinds>
void fill_row(pointwise::DeviceRow* places) {
  if constexpr (kTakesHalves<R> || kinds == 0) {
    pointwise::device::fill_row<R, kInputs, kinds>(places);
  } else {
    places[static_cast<int>(DType::F32)] = run_wide<Called<R>, float, kInputs>;
    places[static_cast<int>(DType::F64)] = run_wide<Called<R>, double, kInputs>;
  }
}

#include "kernels/pointwise/row_structs.inl"

#define ERSATZ_HALVES(name, dtypes) \
  template <>                       \
  constexpr bool kTakesHalves<Row_##name> = (dtypes).has(DType::F16);
#define UNARY(name, forms, dtypes, ...) ERSATZ_HALVES(name, dtypes)
#define BINARY(name, dtypes, ...) ERSATZ_HALVES(name, dtypes)
#include "kernels/pointwise/all_rows.def"
#undef ERSATZ_HALVES
}  // namespace

void attach_cuda(Registry&) { fill_rows(pointwise::device_rows().rows); }

}  // namespace ersatz::op_rows_special
