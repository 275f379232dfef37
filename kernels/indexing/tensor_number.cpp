#include "kernels/indexing/tensor_number.h"

#include "kernels/shape/scalar_fit.h"
#include "runtime/op/copy.h"

namespace ersatz {

Scalar first_number(const Tensor& t) {
  TensorMeta first = t.meta();
  first.sizes.clear();
  first.strides.clear();
  const DType from = t.dtype();
  const DType wide = from == DType::Bool ? DType::Bool
                     : is_integral(from) ? DType::I64
                     : is_complex(from)  ? DType::C128
                                         : DType::F64;
  const Tensor number = make_real_tensor(TensorMeta(wide, {}));
  copy_elements(number, make_view(t, std::move(first)));
  switch (wide) {
    case DType::Bool:
      return *number.data<bool>();
    case DType::I64:
      return *number.data<int64_t>();
    case DType::C128:
      return *number.data<std::complex<double>>();
    default:
      return *number.data<double>();
  }
}

Scalar fitting_number(const KernelCall& call, const Tensor& t, DType dtype) {
  const Scalar value = first_number(t);
  if (!scalar_fits(value, dtype)) {
    fail_on_value(call, ErrorFamily::Runtime, "the value {} does not fit dtype {}", to_string(Value(value)),
                  name(dtype));
  }
  return value;
}

}  // namespace ersatz
