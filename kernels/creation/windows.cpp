#include "kernels/creation/windows.h"

#include <numbers>

#include "kernels/creation/arange.h"
#include "kernels/creation/full.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/pointwise/clamp.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_windows {
namespace {

using namespace arithmetic;

/// Returns the number of arguments that describe the window, which are those before the four options or before `out`.
template <class Call>
size_t parameters(const Call& call) {
  return call.args.size() - (call.op.written.empty() ? 4 : 1);
}

void rule(RuleCall& call) {
  const int64_t n = call.integer(kEach["window_length"]);
  const Position options = parameters(call);
  const DType dtype = dtype_of_factory(call, options, call.context.default_dtype);
  call.require(!is_integral(dtype), "C2", "expects a floating dtype: got {}", name(dtype));
  if (n > 1) call.require_dtype(dtype, kFloats);
  const SymInt sizes[] = {n};
  answer_sized(call, options, dtype, call.device, sizes, SharedElements::Refused);
}

Tensor triangle(const Tensor& x) { return ops::rsub(ops::abs(ops::sub(x * Scalar(2), Scalar(1))), Scalar(1)); }
/// Returns cos(2 pi m x).
Tensor wave(const Tensor& x, double m) { return ops::cos(x * Scalar(2 * std::numbers::pi * m)); }
Tensor raised_cosine(const Tensor& x, double alpha, double beta) {
  return ops::add(wave(x, 1) * Scalar(-beta), Scalar(alpha));
}
Tensor blackman(const Tensor& x) {
  return ops::add(wave(x, 1) * Scalar(-0.5) + wave(x, 2) * Scalar(0.08), Scalar(0.42));
}
Tensor kaiser(const Tensor& x, double beta) {
  const Tensor middle = ops::sub(x * Scalar(2), Scalar(1));
  const Tensor inside = ops::clamp_min(ops::rsub(middle * middle, Scalar(1)), Scalar(0));
  const Tensor whole = ops::full(DimVec(), Scalar(beta), {.dtype = DType::F64, .device = x.device()});
  return ops::i0(ops::sqrt(inside) * Scalar(beta)) / ops::i0(whole);
}

enum class Window : uint8_t { Bartlett, Blackman, Hamming, Hann, Kaiser };

/// Computes the window in f64 and rounds it once.
template <Window window>
void run(KernelCall& call) {
  const int64_t n = call.integer(kEach["window_length"]);
  if (n < 2) return fill_elements(call.outputs[0], 1);
  const size_t given = parameters(call);
  const bool periodic = given == 1 || call.boolean(kEitherWay["periodic"]);
  const Tensor k = ops::arange(Scalar(n), {.dtype = DType::F64, .device = call.outputs[0].device()});
  const Tensor x = k / Scalar(static_cast<double>(periodic ? n : n - 1));
  Tensor y;
  if constexpr (window == Window::Bartlett) y = triangle(x);
  if constexpr (window == Window::Blackman) y = blackman(x);
  if constexpr (window == Window::Hann) y = raised_cosine(x, 0.5, 0.5);
  if constexpr (window == Window::Hamming)
    y = raised_cosine(x, given > 2 ? call.real(kAlphas["alpha"]) : 0.54,
                      given > 3 ? call.real(kAlphaBeta["beta"]) : 0.46);
  if constexpr (window == Window::Kaiser) y = kaiser(x, given > 2 ? call.real(kBeta["beta"]) : 12.0);
  ops::copy_(call.outputs[0], y);
}

void add(Registry& r, const std::string& schema, FillKernel kernel, std::string_view out, std::string sample) {
  OpEntry& op = r.add(schema)
                    .tag(Tag::Factory)
                    .with_rule(rule)
                    .every_device(kernel)
                    .sample("6" + sample)
                    .sample("1" + sample + ", dtype=f64")
                    .refuses("C1", "-1" + sample)
                    .refuses("C2", "6" + sample + ", dtype=i64");
  r.add_out_alike(op, out).sample("6" + sample + ", out=f32[0]");
}

template <Window window>
void add(Registry& r, const char* name) {
  add(r, kWindow.with(name), run<window>, "out", "");
  add(r, kPeriodic.with(name), run<window>, "periodic_out", ", False");
}

}  // namespace

void register_ops(Registry& r) {
  add<Window::Bartlett>(r, "bartlett");
  add<Window::Blackman>(r, "blackman");
  add<Window::Hamming>(r, "hamming");
  add<Window::Hann>(r, "hann");
  add<Window::Kaiser>(r, "kaiser");
  add(r, kAlpha.with(), run<Window::Hamming>, "periodic_alpha_out", ", True, 0.5");
  add(r, kAlphaBeta.with(), run<Window::Hamming>, "periodic_alpha_beta_out", ", False, 0.5, 0.25");
  add(r, kBeta.with(), run<Window::Kaiser>, "beta_out", ", True, 5.0");
}

}  // namespace ersatz::op_windows
