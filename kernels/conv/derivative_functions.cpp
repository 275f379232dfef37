// Functions for derivatives.def: second gradients of convolutions that a formula there cannot express.
#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/op/dispatch.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

/// Calls _convolution_double_backward. The arguments are grad0, grad1, grad2, grad_output, weight, input, stride,
/// padding, dilation, transposed, output_padding, groups and needed. A gradient without elements is passed as None.
Value convolution_second_gradients(Arguments a) {
  std::vector<Value> args(a.begin(), a.end());
  bool any = false;
  for (size_t i = 0; i < 3; ++i) {
    if (args[i].is_tensor() && size_eq(args[i].tensor().numel(), 0)) args[i] = Value();
    any |= args[i].is_tensor();
  }
  if (!any) return {};
  return Value::list(dispatch(op_entry<"aten._convolution_double_backward.default">(), args));
}

}  // namespace

void add_conv_functions() { add_gradient_function("convolution_second_gradients", convolution_second_gradients); }

}  // namespace ersatz::derivatives
