#include "runtime/autograd/gradient_ops.h"

#include "runtime/autograd/record.h"
#include "runtime/op/registry.h"

namespace ersatz {

namespace {
GradientOps& installed() {
  static GradientOps ops{};
  return ops;
}
}  // namespace

void install_gradient_ops(const GradientOps& ops) {
  installed() = ops;
  detail::g_record_call = record_call;
  detail::g_keeps_whole = gets_own_node;
  detail::g_is_parameter = [](const Tensor& t) { return is_leaf(t) && !is_view(t); };
}

const GradientOps& gradient_ops() {
  registry();  // the first call registers all operators, which installs the GradientOps
  ERSATZ_ASSERT(installed().add, "no operators for gradients are installed");
  return installed();
}

}  // namespace ersatz
