// Helpers for tests of gradients: leaves, short calls, and error messages.
#pragma once

#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "tests/ops/op_values.h"

namespace ersatz {

/// A tensor that requires a gradient; its values are 0, 1, 2, ... by default.
inline Tensor leaf(const char* meta, std::vector<double> values = {}) {
  const Tensor t = values.empty() ? ramp(meta) : make(meta, std::move(values));
  set_requires_grad(t);
  return t;
}
inline Tensor mul(const Tensor& a, const Tensor& b) { return call_op<"aten.mul.Tensor">(a, b); }
inline Tensor times(const Tensor& a, double factor) { return call_op<"aten.mul.Scalar">(a, factor); }
inline Tensor sum(const Tensor& t) { return call_op<"aten.sum.default">(t, Value()); }
inline std::string node_of(const Tensor& t) {
  const GradNode* node = grad_fn(t);
  return node ? std::string(node->node_name()) : "None";
}

/// The message of the error that `f` raises, of PyTorch's RuntimeError unless another family is given.
template <class F>
std::string refusal(F&& f, ErrorFamily family = ErrorFamily::Runtime) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.family, family) << e.message;
    return e.message;
  }
  return "nothing was refused";
}

/// Expects that `f` raises an error whose message contains `words`.
template <class F>
void expect_refused(F&& f, std::string_view words, ErrorFamily family = ErrorFamily::Runtime) {
  const std::string message = refusal(std::forward<F>(f), family);
  EXPECT_NE(message.find(words), std::string::npos) << "says: " << message << "\nwanted: " << words;
}

}  // namespace ersatz
