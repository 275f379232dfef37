// A plugin whose ops have derivative formulas. The environment variable ERSATZ_TEST_FAULT names the fault of one op.
#include <cstddef>
#include <cstdlib>

#include "runtime/plugin/plugin_op.h"

using namespace ersatz::plugin;

namespace {

Meta alike(const View& x, double) { return Meta(x.dtype(), x.sizes()); }

Result cube(Call& call, const View& x, double scale) {
  Result out = call.allocate(x.dtype(), x.sizes());
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double v = x.at<double>(i);
    out.at<double>(i) = scale * v * v * v;
  }
  return out;
}

Meta backward_rule(const View& gradient, const View&, double) { return Meta(gradient.dtype(), gradient.sizes()); }

Result cube_backward(Call& call, const View& gradient, const View& x, double scale) {
  Result out = call.allocate(x.dtype(), x.sizes());
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double v = x.at<double>(i);
    out.at<double>(i) = gradient.at<double>(i) * scale * 3 * v * v;
  }
  return out;
}

Result sign(Call& call, const View& x, double scale) {
  Result out = call.allocate(x.dtype(), x.sizes());
  for (int64_t i = 0; i < x.numel(); ++i) out.at<double>(i) = x.at<double>(i) > 0 ? scale : -scale;
  return out;
}

void scale_into(const View& x, double scale) {
  for (int64_t i = 0; i < x.numel(); ++i) x.at<double>(i) *= scale;
}
void scale_into_rule(const View&, double) {}

/// Adds an op as a plugin does whose header has an ErsatzOp without the member `derivative`.
int add_without_derivative(const ErsatzHost* host) {
  ErsatzOp op{};
  op.size = offsetof(ErsatzOp, derivative);
  op.schema = "grads::older(Tensor x) -> Tensor";
  op.derivative = reinterpret_cast<const char*>(1);  // must not be read, because it is beyond `size`
  op.cpu = [](const ErsatzCall* call, void*) { return call->host->add_argument(call, 0); };
  return host->add_op(host, &op);
}

void add_ops(Plugin& p) {
  const char* fault = std::getenv("ERSATZ_TEST_FAULT");
  p.op("grads::cube(Tensor x, float scale=1.0) -> Tensor")
      .kernel(cube)
      .rule(alike)
      .derivative(fault ? fault : "x = cube_backward(grad, x, scale)");
  p.op("grads::cube_backward(Tensor gradient, Tensor x, float scale) -> Tensor")
      .kernel(cube_backward)
      .rule(backward_rule)
      .derivative("gradient = cube_backward(grad, x, scale); x = grad * gradient * x * (6 * scale)");
  p.op("grads::sign(Tensor x, float scale=1.0) -> Tensor").kernel(sign).rule(alike).derivative("none");
  p.op("grads::silent(Tensor x, float scale=1.0) -> Tensor").kernel(cube).rule(alike);
  p.op("grads::scale_(Tensor(a!) x, float scale) -> ()")
      .kernel(scale_into)
      .rule(scale_into_rule)
      .derivative("x = grad * scale");
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int ersatz_plugin(const ErsatzHost* host, uint32_t abi) {
  if (const int status = add_without_derivative(host)) return status;
  return Plugin::run(host, abi, add_ops);
}
