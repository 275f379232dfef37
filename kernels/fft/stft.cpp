#include "kernels/fft/stft.h"

#include "kernels/creation/full.h"
#include "kernels/fft/fft.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/extrema.h"
#include "kernels/shape/as_strided.h"
#include "kernels/shape/conjugate.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/pad.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "kernels/shape/unfold_backward.h"
#include "kernels/shape/view.h"
#include "kernels/shape/view_dtype.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_stft {
namespace {

/// The lengths that a call of stft or istft gives, and the window if the call has one.
struct Frames {
  int64_t n_fft, hop, win;
  std::optional<Tensor> window;
  int64_t left() const { return (n_fft - win) / 2; }
  int64_t right() const { return n_fft - win - left(); }
  bool complex_window() const { return window && is_complex(window->dtype()); }
};

Frames frames_of(const CompositeCall& call) {
  Frames f;
  f.n_fft = call.integer(kEach["n_fft"]);
  f.hop = call.has(kEach["hop_length"]) ? call.integer(kEach["hop_length"]) : f.n_fft >> 2;
  f.win = call.has(kEach["win_length"]) ? call.integer(kEach["win_length"]) : f.n_fft;
  if (call.has(kEach["window"])) f.window = call.tensor(kEach["window"]);
  return f;
}

void check_window(const CompositeCall& call, const Frames& f) {
  if (!f.window) return;
  const Tensor self = call.tensor(kEach["self"]);
  call.require(f.window->device() == self.device() && f.window->dim() == 1 && check_eq(f.window->size(0), f.win), "C4",
               "window must have {} elements and the device of self, {}: it is {}", f.win, self.meta(),
               f.window->meta());
}

/// Returns the window, zero-padded to n_fft. nullopt if the padded window would be all ones.
std::optional<Tensor> padded_window(const Frames& f, DType dtype, Device device) {
  if (f.win == f.n_fft) return f.window;
  const SymInt sizes[] = {f.win}, pad[] = {f.left(), f.right()};
  return ops::constant_pad_nd(f.window ? *f.window : ops::ones(sizes, {.dtype = dtype, .device = device}), pad);
}

bool flag(const CompositeCall& call, Position at, bool otherwise) {
  return call.has(at) ? call.boolean(at) : otherwise;
}

/// Pads the signal on both sides. A dim of channels, which reflection_pad requires, is added before and removed after.
Tensor centered(const Tensor& signal, int64_t amount, std::string_view mode) {
  const SymInt pad[] = {amount, amount};
  return ops::squeeze(ops::pad(ops::unsqueeze(signal, 0), pad, mode), 0);
}

template <bool center>
void stft(CompositeCall& call) {
  constexpr const Schema& k = center ? kStftCenter : kStft;
  const Tensor self = call.tensor(k["self"]);
  const Frames f = frames_of(call);
  const bool is_centered = center && call.boolean(kStftCenter["center"]);
  const bool aligned = flag(call, k["align_to_window"], false);
  call.require(!is_centered || !call.has(k["align_to_window"]), "C2", "align_to_window is only for center=False");
  const bool complex_out = flag(call, k["return_complex"], is_complex(self.dtype()) || f.complex_window());
  call.require(call.has(k["return_complex"]) || complex_out, "C2",
               "return_complex must be given for real inputs: self is {}", self.meta());
  if (is_integral(self.dtype())) {
    call.refuse(ErrorFamily::NotImplemented, "C1", "expects floating or complex numbers: self is {}", self.meta());
  }
  call.require(self.dim() == 1 || self.dim() == 2, "C1", "expects [T] or [B, T]: self is {}", self.meta());
  Tensor input = self.dim() == 1 ? ops::unsqueeze(self, 0) : self;
  if (is_centered) input = centered(input, f.n_fft / 2, call[kStftCenter["pad_mode"]].as_string());
  call.require(f.n_fft > 0 && check_le(f.n_fft, input.size(1)) && f.hop > 0 && f.win > 0 && f.win <= f.n_fft, "C3",
               "n_fft {}, win_length {} and hop_length {} must be positive, n_fft at most {}, win_length at most n_fft",
               f.n_fft, f.win, f.hop, input.size(1));
  check_window(call, f);
  const std::optional<Tensor> window = padded_window(f, self.dtype(), self.device());
  if (aligned) {
    const SymInt pad[] = {f.left(), f.right()};
    input = ops::constant_pad_nd(input, pad);
  }
  const SymInt count = floor_div(input.size(1) - SymInt(f.n_fft), f.hop) + SymInt(1);
  const SymInt sizes[] = {input.size(0), count, f.n_fft},
               strides[] = {input.strides()[0], input.strides()[1] * SymInt(f.hop), input.strides()[1]};
  input = ops::as_strided(input, sizes, strides);
  if (window) input = ops::mul(input, *window);
  const bool complex_in = is_complex(input.dtype()), onesided = flag(call, k["onesided"], !complex_in);
  call.require(!complex_in || !onesided, "C5", "complex numbers have no onesided spectrum: self is {}", self.meta());
  const int64_t normalization = call.boolean(k["normalized"]) ? 1 : 0;
  const SymInt last[] = {2};
  Tensor out = complex_in ? ops::_fft_c2c(input, last, normalization, true)
                          : ops::_fft_r2c(input, last, normalization, onesided);
  out = call_op<"aten.transpose_.default">(out, 1, 2);
  if (self.dim() == 1) out = call_op<"aten.squeeze_.dim">(out, 0);
  call.returns(complex_out ? out : ops::view_as_real(out));
}

void istft(CompositeCall& call) {
  const Tensor self = call.tensor(kIstft["self"]);
  const Frames f = frames_of(call);
  if (!is_complex(self.dtype())) {
    call.refuse(ErrorFamily::Type, "C1", "expects complex numbers: self is {}", self.meta());
  }
  call.require_index(self.dim() > 0, "C1", "expects [frequencies, frames]: self is {}", self.meta());
  call.require((self.dim() == 2 || self.dim() == 3) && size_ne(self.numel(), 0), "C1",
               "expects [(B,) frequencies, frames], not empty: self is {}", self.meta());
  const SymInt count = self.size(-1), frequencies = self.size(-2);
  const bool onesided =
      call.has(kIstft["onesided"]) ? call.boolean(kIstft["onesided"]) : size_ne(frequencies, SymInt(f.n_fft));
  call.require(check_eq(frequencies, onesided ? f.n_fft / 2 + 1 : f.n_fft), "C2",
               "n_fft {} with onesided {} has {} frequencies: self is {}", f.n_fft, onesided,
               onesided ? f.n_fft / 2 + 1 : f.n_fft, self.meta());
  call.require(f.win > 0 && f.win <= f.n_fft && f.hop > 0 && f.hop <= f.win, "C3",
               "win_length {} must be positive and at most n_fft {}, hop_length {} positive and at most win_length",
               f.win, f.n_fft, f.hop);
  check_window(call, f);
  const bool complex_out = call.boolean(kIstft["return_complex"]);
  call.require(!complex_out || !onesided, "C5", "a onesided spectrum is of real numbers: return_complex is True");
  call.require(complex_out || !f.complex_window(), "C4", "a complex window is for return_complex=True");

  const FactoryOptions real{.dtype = real_dtype(self.dtype()), .device = self.device()};
  Tensor window;
  if (const std::optional<Tensor> padded = padded_window(f, *real.dtype, self.device())) {
    window = *padded;
  } else {
    const SymInt sizes[] = {f.n_fft};
    window = ops::ones(sizes, real);
  }
  Tensor spectra = ops::resolve_conj(self);
  if (self.dim() == 2) spectra = ops::unsqueeze(spectra, 0);
  spectra = ops::transpose(spectra, 1, 2);
  const int64_t normalization = call.boolean(kIstft["normalized"]) ? 1 : 2;
  const SymInt last[] = {2};
  if (!complex_out && !onesided) spectra = ops::slice(spectra, -1, SymInt(0), SymInt(f.n_fft / 2 + 1));
  const Tensor frames = complex_out ? ops::_fft_c2c(spectra, last, normalization, false)
                                    : ops::_fft_c2r(spectra, last, normalization, f.n_fft);
  const SymInt whole = SymInt(f.n_fft) + SymInt(f.hop) * (count - SymInt(1));
  const SymInt row[] = {1, 1, f.n_fft}, sums[] = {frames.size(0), whole}, one[] = {1, whole},
               all[] = {1, count, f.n_fft};
  Tensor y = ops::unfold_backward(ops::mul(frames, ops::view(window, row)), sums, 1, f.n_fft, f.hop);
  Tensor envelope = ops::unfold_backward(ops::expand(ops::pow(window, Scalar(2)), all), one, 1, f.n_fft, f.hop);
  const SymInt start = call.boolean(kIstft["center"]) ? f.n_fft / 2 : 0;
  const SymInt end = call.has(kIstft["length"]) ? start + call.sym(kIstft["length"]) : whole - start;
  y = ops::slice(y, 1, start, end);
  envelope = ops::slice(envelope, 1, start, end);
  call_op_all<"aten._assert_async.msg">(ops::ge(ops::amin(ops::abs(envelope)), Scalar(1e-11)),
                                        "istft: the windows add up to nothing");
  y = ops::div(y, envelope);
  if (self.dim() == 2) y = ops::squeeze(y, 0);
  if (size_gt(end, whole)) {
    const SymInt pad[] = {0, end - whole};
    y = ops::constant_pad_nd(y, pad);
  }
  call.returns(y);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kStft)
      .with_composite(stft<false>)
      .sample("f32[20], 8, 3, 4, None, False, None, True")
      .sample("f32[2,20], 8, None, None, f32[8], True, False, False")
      .sample("c64[20], 8, 3, 4, None, False, None, True, True")
      .refuses("C1", "i64[20], 8, None, None, None, False, None, True")
      .refuses("C2", "f32[20], 8")
      .refuses("C3", "f32[20], 21, None, None, None, False, None, True")
      .refuses("C4", "f32[20], 8, None, None, f32[7], False, None, True")
      .refuses("C5", "c64[20], 8, None, None, None, False, True, True");
  r.add(kStftCenter)
      .with_composite(stft<true>)
      .sample("f32[20], 8, 3, 4, None, True, \"constant\", False, None, True")
      .sample("f32[2,20], 8, None, None, f32[8], True, \"reflect\", True, None, False")
      .refuses("C2", "f32[20], 8, None, None, None, True, \"reflect\", False, None, True, True");
  r.add(kIstft)
      .tag(Tag::FailsOnValues)
      .with_composite(istft)
      .sample("c64[5,6], 8, 2, None, None, False, True")
      .sample("c64[2,8,6], 8, 2, None, None, True, False, False, 12, True")
      .refuses("C1", "f32[5,6], 8")
      .refuses("C2", "c64[6,6], 8")
      .refuses("C3", "c64[5,6], 8, 9")
      .refuses("C4", "c64[5,6], 8, None, None, f32[7]")
      .refuses("C5", "c64[5,6], 8, None, None, None, True, False, True, None, True");
}

}  // namespace ersatz::op_stft
