#include "runtime/copy.h"
#include "runtime/kernel.h"

namespace ersatz::op_item {

void run_cpu(KernelCall& call, Values& results) {
  const Tensor self = call.tensor(0);
  TensorMeta first = self.meta();
  first.sizes.clear();
  first.strides.clear();
  const Tensor element = make_view(self, std::move(first));
  const DType from = self.dtype();
  const DType wide = from == DType::Bool ? DType::Bool
                     : is_integral(from) ? DType::I64
                     : is_complex(from)  ? DType::C128
                                         : DType::F64;
  const Tensor number = make_real_tensor(TensorMeta(wide, {}));
  copy_elements(number, element);
  switch (wide) {
    case DType::Bool:
      results.push_back(*number.data<bool>());
      break;
    case DType::I64:
      results.push_back(*number.data<int64_t>());
      break;
    case DType::C128:
      results.push_back(*number.data<std::complex<double>>());
      break;
    default:
      results.push_back(*number.data<double>());
  }
}

}  // namespace ersatz::op_item
