#include <numeric>

#include "kernels/random/draw.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_randperm {

// Fisher and Yates: each place, from the last, changes with one at or before it. A draw is the upper half of a 64-bit
// number times the count of places, as `randint` scales. Each step needs the one before it, so a CUDA tensor's numbers
// are put in order here as well, and copied to it.
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const Tensor order = make_real_tensor(TensorMeta(DType::I64, out.sizes()));
  int64_t* at = order.data<int64_t>();
  std::iota(at, at + n, int64_t(0));
  const GeneratorState start = default_generator(out.device()).reserve(static_cast<uint64_t>((n + 1) / 2));
  for (int64_t i = n - 1; i > 0; --i) {
    const auto words = philox_4x32_10(start.seed, start.offset + static_cast<uint64_t>(i / 2));
    const uint64_t word = (uint64_t(words[i % 2 * 2]) << 32) + words[i % 2 * 2 + 1];
    const auto product = static_cast<unsigned __int128>(word) * static_cast<uint64_t>(i + 1);
    std::swap(at[i], at[static_cast<int64_t>(product >> 64)]);
  }
  copy_elements(out, order);
}

}  // namespace ersatz::op_randperm
