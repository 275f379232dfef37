#include <algorithm>
#include <vector>

#include "kernels/dense_operand.h"
#include "kernels/sorting/isin.h"
#include "kernels/sorting/order.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_isin {
namespace {

constexpr size_t kFew = 8;  // up to this number of test elements, each element is compared with all of them

/// Returns an operand's elements, row-major and in `dtype`.
Tensor operand(const Value& side, DType dtype) {
  if (side.is_tensor()) {
    const Tensor t = side.tensor();
    if (t.dtype() == dtype) return dense_input(t);
    const Tensor converted = make_real_tensor(TensorMeta(dtype, t.sizes()));
    if (t.numel().as_int() > 0) copy_elements(converted, t);
    return converted;
  }
  const Tensor number = make_real_tensor(TensorMeta(dtype, std::span<const SymInt>()));
  const Scalar value = side.as_scalar();
  dispatch_dtype<kReals>(dtype, [&]<class T>() { *reinterpret_cast<T*>(number.raw_data()) = value.to<T>(); });
  return number;
}

template <class T>
void find(const Tensor& elements, const Tensor& tests, bool invert, const Tensor& out) {
  using C = Compute_t<T>;
  const T* t = reinterpret_cast<const T*>(tests.raw_data());
  std::vector<C> among;
  for (int64_t i = 0; i < tests.numel().as_int(); ++i) {
    if (const C v = C(t[i]); !is_nan(v)) among.push_back(v);
  }
  const bool few = among.size() <= kFew;
  if (!few) std::sort(among.begin(), among.end());
  const T* x = reinterpret_cast<const T*>(elements.raw_data());
  uint8_t* y = reinterpret_cast<uint8_t*>(out.raw_data());
  parallel_for(elements.numel().as_int(), 1 << 12, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const C v = C(x[i]);
      const bool found = few ? std::find(among.begin(), among.end(), v) != among.end()
                             : !is_nan(v) && std::binary_search(among.begin(), among.end(), v);
      y[i] = found != invert;
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  ResultType common(call.context.default_dtype);
  common.add(call[kIsin["{0}"]]);
  common.add(call[kIsin["{1}"]]);
  const Tensor elements = operand(call[kIsin["{0}"]], common.result()),
               tests = operand(call[kIsin["{1}"]], common.result());
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kReals>(common.result(),
                         [&]<class T>() { find<T>(elements, tests, call.boolean(kIsin["invert"]), out.tensor); });
  out.finish();
}

}  // namespace ersatz::op_isin
