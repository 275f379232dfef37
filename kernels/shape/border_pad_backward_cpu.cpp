#include <vector>

#include "kernels/shape/border_pad_backward.h"
#include "kernels/shape/border_source.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_border_pad_backward {
namespace {

/// Adds each element of the gradient to the input element that it was copied from. `source(i, size)` is the index of
/// this input element for padded index i. Sums are made in a row-major tensor: of f32 for f16 and bf16.
template <class Source>
void scatter(KernelCall& call, Source&& source) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor grad = call.tensor(kBorderPadBackward["grad_output"]);
  const auto padding = call.ints(kBorderPadBackward["padding"]);
  const size_t spatial = padding.size() / 2, lead = out.sizes().size() - spatial;
  std::vector<int64_t> sources[3] = {{0}, {0}, {0}};
  int64_t points = 1;
  for (size_t d = spatial; d-- > 0;) {
    const int64_t size = out.sizes()[lead + d].as_int(), padded = grad.sizes()[lead + d].as_int();
    std::vector<int64_t>& at = sources[3 - spatial + d];
    at.clear();
    for (int64_t o = 0; o < padded; ++o) at.push_back(source(o - padding[2 * (spatial - 1 - d)], size) * points);
    points *= size;
  }
  const int64_t planes = out.numel().as_int() / points;
  int64_t places = 1;
  for (const auto& at : sources) places *= static_cast<int64_t>(at.size());
  const DType dtype = is_reduced_float(out.dtype()) ? DType::F32 : out.dtype();
  const Tensor sums = make_real_tensor(TensorMeta(dtype, out.sizes()));
  const Tensor from = make_real_tensor(TensorMeta(dtype, grad.sizes()));
  fill_elements(sums, 0);
  copy_elements(from, grad);
  dispatch_dtype<kFloatsAndComplexes.without({DType::F16, DType::BF16})>(dtype, [&]<class T>() {
    parallel_for(planes, 1 + (1 << 15) / places, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        T* to = sums.data<T>() + p * points;
        const T* g = from.data<T>() + p * places;
        for (const int64_t i : sources[0]) {
          for (const int64_t j : sources[1]) {
            for (const int64_t k : sources[2]) to[i + j + k] = to[i + j + k] + *g++;
          }
        }
      }
    });
  });
  copy_elements(out, sums);
}

}  // namespace

void reflect_cpu(KernelCall& call) { scatter(call, ReflectedSource()); }
void replicate_cpu(KernelCall& call) { scatter(call, ReplicatedSource()); }

}  // namespace ersatz::op_border_pad_backward
