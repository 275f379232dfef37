#include <algorithm>

#include "kernels/cpu_features.h"
#include "kernels/dense_operand.h"
#include "kernels/linalg/mm.h"
#include "kernels/quantized/packed_weights.h"
#include "kernels/shape/copy.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_packed_weights {
namespace {

/// Returns the number of rows in a block. 0 means that each row shares bytes with the adjacent row.
int64_t block_rows() {
  const CpuLevel level = detected_cpu_level();
  return level == CpuLevel::Avx512 ? 64 : level == CpuLevel::Avx2 ? 32 : 0;
}

/// Calls f(row, column, byte, high) for each number of an [n, k] weight. `high` is true for the high half of the byte.
template <class F>
void each_number(int64_t n, int64_t k, F&& f) {
  const int64_t block = block_rows();
  for (int64_t from = 0; from < n;) {
    const int64_t rows = block > 0 ? std::min(block, n - from) : n, half = rows / 2;
    const bool full = rows == block;
    for (int64_t column = 0; column < k; ++column) {
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t byte = from * k / 2 + column * half + (full ? row % half : row / 2);
        f(from + row, column, byte, full ? row >= half : row % 2 == 1);
      }
    }
    from += rows;
  }
}

}  // namespace

void pack_cpu(KernelCall& call) {
  const Tensor weight = dense_input(call.tensor(kPackForCpu["self"])), &out = call.outputs[0];
  const int64_t n = weight.sizes()[0].as_int(), k = weight.sizes()[1].as_int();
  const int32_t* from = weight.data<int32_t>();
  const Tensor packed = make_real_tensor(TensorMeta(DType::U8, out.sizes()));
  uint8_t* to = packed.data<uint8_t>();
  each_number(n, k, [&](int64_t row, int64_t column, int64_t byte, bool high) {
    const auto number = static_cast<uint8_t>(from[row * k + column] & 15);
    to[byte] = static_cast<uint8_t>(high ? to[byte] | number << 4 : number);
  });
  if (n * k > 0) copy_elements(out, packed);
}

void multiply_cpu(KernelCall& call) {
  const Tensor a = call.tensor(kMm["self"]), packed = dense_input(call.tensor(kMm["mat2"]));
  const int64_t n = packed.sizes()[0].as_int(), k = packed.sizes()[1].as_int() * 2,
                group = call.integer(kMm["qGroupSize"]);
  const Tensor scales = dense_input(ops::to(call.tensor(kMm["qScaleAndZeros"]), DType::F32));
  const uint8_t* bytes = packed.data<uint8_t>();
  const float* of_groups = scales.data<float>();
  const SymInt sizes[] = {k, n};
  const Tensor weight = make_real_tensor(TensorMeta(DType::F32, sizes));
  float* to = weight.data<float>();
  each_number(n, k, [&](int64_t row, int64_t column, int64_t byte, bool high) {
    const int number = high ? bytes[byte] >> 4 : bytes[byte] & 15;
    const float* pair = of_groups + (column / group * n + row) * 2;
    to[column * n + row] = static_cast<float>(number - 8) * pair[0] + pair[1];
  });
  ops::copy_(call.outputs[0], ops::mm(ops::to(a, DType::F32), weight));
}

}  // namespace ersatz::op_packed_weights
