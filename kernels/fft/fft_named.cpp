#include "kernels/fft/fft_named.h"

#include "kernels/fft/fft.h"
#include "kernels/pointwise/identity.h"
#include "kernels/shape/conjugate.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/dim_set.h"
#include "kernels/shape/pad.h"
#include "kernels/shape/roll.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_fft_named {
namespace {

enum class Direction : bool { Forward, Inverse };
constexpr Direction kForward = Direction::Forward, kInverse = Direction::Inverse;

/// Returns the argument `normalization` of `_fft_*` for a `norm`: 0 does not scale, 1 divides by the root of n, 2
/// divides by n.
int64_t normalization(const CompositeCall& call, const Value& norm, Direction direction) {
  const std::string_view mode = norm.is_none() ? "backward" : norm.as_string();
  call.require(mode == "backward" || mode == "forward" || mode == "ortho", "C1", "no such normalization: {}", mode);
  if (mode == "ortho") return 1;
  return (mode == "forward") == (direction == kForward) ? 2 : 0;
}

Tensor promoted(const CompositeCall& call, const Tensor& t, bool complex_wanted) {
  DType dtype = is_integral(t.dtype()) ? call.context.default_dtype : t.dtype();
  call.require_dtype(dtype, DTypeSet{DType::F32, DType::F64, DType::C64, DType::C128});
  if (complex_wanted) dtype = complex_dtype(dtype);
  return dtype == t.dtype() ? t : ops::to(t, dtype);
}

/// Cuts or zero-pads `t` at the end of each of `dims`, so that these dims have the sizes `sizes`.
Tensor resized(const Tensor& t, std::span<const int64_t> dims, std::span<const SymInt> sizes) {
  DimVec pad(t.sizes().size() * 2, SymInt(0));
  Tensor cut = t;
  bool grows = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const SymInt have = cut.sizes()[static_cast<size_t>(dims[i])];
    if (size_lt(have, sizes[i])) {
      grows = true;
      pad[pad.size() - 2 * static_cast<size_t>(dims[i]) - 1] = sizes[i] - have;
    } else if (size_gt(have, sizes[i])) {
      cut = ops::slice(cut, dims[i], SymInt(0), sizes[i], 1);
    }
  }
  return grows ? ops::constant_pad_nd(cut, pad, Scalar(0)) : cut;
}

/// The kind of numbers that a transform returns.
enum class Numbers : bool { Complex, Real };

/// Returns the `out` argument, or None if the call has none. Raises [C6] unless its dtype is complex, or floating if
/// `results` is Real.
Value out_of(const CompositeCall& call, Numbers results) {
  if (call.op.written.empty()) return {};
  const TensorMeta& out = call.meta(call.op.written[0]);
  call.require(results == Numbers::Complex ? is_complex(out.dtype) : is_float(out.dtype), "C6",
               "expects a {} out argument: out is {}", results == Numbers::Complex ? "complex" : "floating", out);
  return call.args.back().borrowed();
}

Tensor c2c(const Tensor& t, std::span<const SymInt> dims, int64_t norm, bool forward, const Value& out) {
  if (out.is_none()) return ops::_fft_c2c(t, dims, norm, forward);
  call_op_all<"aten._fft_c2c.out">(t, dims, norm, forward, out);
  return out.tensor();
}
Tensor r2c(const Tensor& t, std::span<const SymInt> dims, int64_t norm, bool onesided, const Value& out) {
  if (out.is_none()) return ops::_fft_r2c(t, dims, norm, onesided);
  call_op_all<"aten._fft_r2c.out">(t, dims, norm, onesided, out);
  return out.tensor();
}
Tensor c2r(const Tensor& t, std::span<const SymInt> dims, int64_t norm, SymInt n, const Value& out) {
  if (out.is_none()) return ops::_fft_c2r(t, dims, norm, n);
  call_op_all<"aten._fft_c2r.out">(t, dims, norm, n, out);
  return out.tensor();
}
/// Returns the conjugate of `t`: a lazy view, or `out`, to which the conjugate is written. A resized `out` gets the
/// layout of `t`.
Tensor conjugated(const Tensor& t, const Value& out) {
  if (out.is_none()) return ops::conj(t);
  call_op_all<"aten.conj_physical.out">(t, out);
  return out.tensor();
}

void require_real(const CompositeCall& call) {
  if (is_complex(call.meta(kEach["self"]).dtype))
    call.refuse(ErrorFamily::Type, "C3", "expects a real tensor: self is {}", call.meta(kEach["self"]));
}

int64_t wrapped_dim(const CompositeCall& call, int64_t dim) {
  const int64_t rank = call.meta(kEach["self"]).dim();
  if (rank == 0)
    call.refuse(ErrorFamily::Index, "dim", "a tensor without dims cannot be transformed along dim {}", dim);
  return call.wrap_dim(dim, rank);
}

// The functions below are for transforms over one dim, with the arguments (self, n, dim, norm[, out]).

SymInt points(const CompositeCall& call, SymInt by_default) {
  const SymInt n = call.has(kFft["n"]) ? call.sym(kFft["n"]) : by_default;
  call.require(check_ge(n, 1), "C2", "expects one number to transform at least, got {}: self is {}", n,
               call.meta(kFft["self"]));
  return n;
}

/// Transforms to complex numbers, with c2c, or with r2c for real input. For an inverse transform of real input, the
/// result of r2c is conjugated.
template <Direction direction, bool half>
void to_complex(CompositeCall& call) {
  if (half) require_real(call);
  const Value out = out_of(call, Numbers::Complex);
  const bool complex_input = is_complex(call.meta(kFft["self"]).dtype);
  Tensor t = promoted(call, call.tensor(kFft["self"]), false);
  const int64_t dim = wrapped_dim(call, call.integer(kFft["dim"]));
  const SymInt n = points(call, t.sizes()[static_cast<size_t>(dim)]), dims[] = {dim};
  if (call.has(kFft["n"])) t = resized(t, {&dim, 1}, {&n, 1});
  const int64_t norm = normalization(call, call[kFft["norm"]], direction);
  if (complex_input) return call.returns(c2c(t, dims, norm, direction == kForward, out));
  if (direction == kForward) return call.returns(r2c(t, dims, norm, half, out));
  call.returns(conjugated(r2c(t, dims, norm, half, {}), out));
}

template <Direction direction>
void to_real(CompositeCall& call) {
  Tensor t = promoted(call, call.tensor(kFft["self"]), true);
  const int64_t dim = wrapped_dim(call, call.integer(kFft["dim"]));
  const SymInt n = points(call, SymInt(2) * (t.sizes()[static_cast<size_t>(dim)] - SymInt(1))), dims[] = {dim};
  const SymInt half = floor_div(n, 2) + SymInt(1);
  if (call.has(kFft["n"])) t = resized(t, {&dim, 1}, {&half, 1});
  const int64_t norm = normalization(call, call[kFft["norm"]], direction);
  if (direction == kForward) t = ops::conj(t);
  call.returns(c2r(t, dims, norm, n, out_of(call, Numbers::Real)));
}

// The functions below are for transforms over several dims, with the arguments (self, s, dim, norm[, out]).

struct Extent {
  InlineVec<int64_t, 5> dims;
  DimVec named;  ///< the numbers in `dims` as SymInts
  DimVec sizes;
};

Extent extent_of(const CompositeCall& call) {
  const TensorMeta& self = call.meta(kFftDims["self"]);
  Extent e;
  if (call.has(kFftDims["dim"])) {
    DimSet seen;
    for (SymInt d : call.ints(kFftDims["dim"])) {
      const int64_t dim = wrapped_dim(call, d.guard_int());
      call.require(seen.insert(dim), "C4", "dim {} occurs twice in {}", dim, call.ints(kFftDims["dim"]));
      e.dims.push_back(dim);
    }
  }
  if (call.has(kFftDims["s"])) {
    const std::span<const SymInt> s = call.ints(kFftDims["s"]);
    call.require(!call.has(kFftDims["dim"]) || s.size() == e.dims.size(), "C4",
                 "expects as many sizes as dims: {} and {}", s,
                 call.has(kFftDims["dim"]) ? call.ints(kFftDims["dim"]) : std::span<const SymInt>());
    call.require(static_cast<int64_t>(s.size()) <= self.dim(), "C4", "sizes {} are more than the dims of {}", s, self);
    if (!call.has(kFftDims["dim"])) {
      for (size_t i = 0; i < s.size(); ++i) e.dims.push_back(self.dim() - static_cast<int64_t>(s.size() - i));
    }
  } else if (!call.has(kFftDims["dim"])) {
    for (int64_t d = 0; d < self.dim(); ++d) e.dims.push_back(d);
  }
  for (size_t i = 0; i < e.dims.size(); ++i) {
    const SymInt own = self.sizes[static_cast<size_t>(e.dims[i])];
    const SymInt asked = call.has(kFftDims["s"]) ? call.ints(kFftDims["s"])[i] : SymInt(-1);
    e.sizes.push_back(asked.is_int() && asked.as_int() == -1 ? own : asked);
    e.named.push_back(e.dims[i]);
    call.require(check_gt(e.sizes.back(), 0), "C2", "expects one number to transform at least, got {}: self is {}",
                 e.sizes.back(), self);
  }
  return e;
}

void require_dims(const CompositeCall& call, const Extent& e) {
  call.require(!e.dims.empty(), "C5", "expects a dim at least: self is {}", call.meta(kFftDims["self"]));
}

/// For a transform to real numbers: sets e.sizes.back(), the input's last size, to n / 2 + 1. RETURNS: n, the last size
/// of the result.
SymInt halve_last(const CompositeCall& call, Extent& e) {
  require_dims(call, e);
  const bool given =
      call.has(kFftDims["s"]) && !call.ints(kFftDims["s"]).empty() && !sym_eq(call.ints(kFftDims["s"]).back(), -1);
  const SymInt n =
      given ? e.sizes.back()
            : SymInt(2) * (call.meta(kFftDims["self"]).sizes[static_cast<size_t>(e.dims.back())] - SymInt(1));
  call.require(check_ge(n, 1), "C2", "expects one number to transform at least, got {}: self is {}", n,
               call.meta(kFftDims["self"]));
  e.sizes.back() = floor_div(n, 2) + SymInt(1);
  return n;
}

std::span<const SymInt> but_last(const DimVec& dims) { return {dims.data(), dims.size() - 1}; }
std::span<const SymInt> last_of(const DimVec& dims) { return {&dims.back(), 1}; }

template <Direction direction>
void complex_nd(CompositeCall& call) {
  const Extent e = extent_of(call);
  const Tensor t = resized(promoted(call, call.tensor(kFftDims["self"]), true), e.dims, e.sizes);
  call.returns(c2c(t, e.named, normalization(call, call[kFftDims["norm"]], direction), direction == kForward,
                   out_of(call, Numbers::Complex)));
}

void rfft_nd(CompositeCall& call) {
  require_real(call);
  const Extent e = extent_of(call);
  require_dims(call, e);
  const Tensor t = resized(promoted(call, call.tensor(kFftDims["self"]), false), e.dims, e.sizes);
  call.returns(
      r2c(t, e.named, normalization(call, call[kFftDims["norm"]], kForward), true, out_of(call, Numbers::Complex)));
}

void irfft_nd(CompositeCall& call) {
  Extent e = extent_of(call);
  const SymInt n = halve_last(call, e);
  const Tensor t = resized(promoted(call, call.tensor(kFftDims["self"]), true), e.dims, e.sizes);
  call.returns(c2r(t, e.named, normalization(call, call[kFftDims["norm"]], kInverse), n, out_of(call, Numbers::Real)));
}

void hfft_nd(CompositeCall& call) {
  Extent e = extent_of(call);
  const SymInt n = halve_last(call, e);
  Tensor t = resized(promoted(call, call.tensor(kFftDims["self"]), true), e.dims, e.sizes);
  const int64_t norm = normalization(call, call[kFftDims["norm"]], kForward);
  if (e.dims.size() > 1) t = ops::_fft_c2c(t, but_last(e.named), norm, true);
  call.returns(c2r(ops::conj(t), last_of(e.named), norm, n, out_of(call, Numbers::Real)));
}

void ihfft_nd(CompositeCall& call) {
  const Extent e = extent_of(call);
  require_dims(call, e);
  require_real(call);
  const Tensor t = resized(promoted(call, call.tensor(kFftDims["self"]), false), e.dims, e.sizes);
  const int64_t norm = normalization(call, call[kFftDims["norm"]], kInverse);
  const Value out = out_of(call, Numbers::Complex);
  const Tensor spectrum = ops::_fft_r2c(t, last_of(e.named), norm, true);
  if (e.dims.size() > 1) {
    return call.returns(c2c(ops::conj_physical(spectrum), but_last(e.named), norm, false, out));
  }
  // With one dim, ATen does not write to `out`, and returns `out` unchanged.
  call.returns(out.is_none() ? Value(ops::conj(spectrum)) : out);
}

template <Direction direction>
void shift(CompositeCall& call) {
  static constexpr Schemas kArgs{kFftFftshift, kFftIfftshift};
  const Tensor self = call.tensor(kEach["self"]);
  DimVec dims, shifts;
  if (call.has(kArgs["dim"])) {
    for (SymInt d : call.ints(kArgs["dim"])) dims.push_back(wrapped_dim(call, d.guard_int()));
  } else {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  for (SymInt d : dims) {
    const SymInt size = self.sizes()[static_cast<size_t>(d.as_int())];
    shifts.push_back(floor_div(direction == kForward ? size : size + SymInt(1), 2));
  }
  call.returns(ops::roll(self, shifts, dims));
}

}  // namespace

void register_ops(Registry& r) {
  struct Transform {
    const char* name;
    CompositeBody body;
    const char* input;  ///< the first argument of the sample
  };
  for (const Transform& f :
       {Transform{"fft", to_complex<kForward, false>, "f32"}, Transform{"ifft", to_complex<kInverse, false>, "c64"},
        Transform{"rfft", to_complex<kForward, true>, "f64"}, Transform{"irfft", to_real<kInverse>, "c64"},
        Transform{"hfft", to_real<kForward>, "c64"}, Transform{"ihfft", to_complex<kInverse, true>, "f32"}}) {
    OpEntry& op = r.add(kFft.with(f.name))
                      .with_composite(f.body)
                      .sample(fmt::format("{}[4,6]", f.input))
                      .sample(fmt::format("{}[4,6], 5, 0, \"ortho\"", f.input))
                      .refuses("C1", fmt::format("{}[4,6], None, -1, \"none\"", f.input))
                      .refuses("C2", fmt::format("{}[4,6], 0", f.input));
    if (std::string_view(f.name) == "rfft" || std::string_view(f.name) == "ihfft") op.refuses("C3", "c64[4,6]");
    const bool real = std::string_view(f.name) == "irfft" || std::string_view(f.name) == "hfft";
    r.add_out_alike(op, "out")
        .sample(fmt::format("{}[4,6], out={}[0]", f.input, real ? "f32" : "c64"))
        .refuses("C6", fmt::format("{}[4,6], out=i64[0]", f.input));
  }
  for (const Transform& f :
       {Transform{"fft", complex_nd<kForward>, "f32"}, Transform{"ifft", complex_nd<kInverse>, "c64"},
        Transform{"rfft", rfft_nd, "f64"}, Transform{"irfft", irfft_nd, "c64"}, Transform{"hfft", hfft_nd, "c64"},
        Transform{"ihfft", ihfft_nd, "f32"}}) {
    const bool real = f.body == irfft_nd || f.body == hfft_nd;
    for (const char* kind : {"2", "n"}) {
      const char *optional = *kind == '2' ? "" : "?", *dims = *kind == '2' ? "[-2, -1]" : "None";
      OpEntry& op = r.add(kFftDims.with(f.name, kind, optional, dims))
                        .with_composite(f.body)
                        .sample(fmt::format("{}[4,6]", f.input))
                        .sample(fmt::format("{}[2,3,4], [5, 4], [2, 0], \"forward\"", f.input))
                        .refuses("C1", fmt::format("{}[4,6], None, [0, 1], \"none\"", f.input))
                        .refuses("C2", fmt::format("{}[4,6], [0, 6], [0, 1]", f.input))
                        .refuses("C4", fmt::format("{}[4,6], None, [0, 0]", f.input));
      if (f.body == rfft_nd || f.body == ihfft_nd) op.refuses("C3", "c64[4,6]");
      if (f.body == rfft_nd || f.body == ihfft_nd || real) op.refuses("C5", fmt::format("{}[4,6], None, []", f.input));
      r.add_out_alike(op, "out")
          .sample(fmt::format("{}[4,6], out={}[0]", f.input, real ? "f32" : "c64"))
          .refuses("C6", fmt::format("{}[4,6], out=i64[0]", f.input));
    }
  }
  r.add(kFftFftshift).with_composite(shift<kForward>).sample("f32[4,5]").sample("f32[4,5], [1]");
  r.add(kFftIfftshift).with_composite(shift<kInverse>).sample("f32[4,5]").sample("f32[4,5], [1]");
}

}  // namespace ersatz::op_fft_named

namespace ersatz::ops {

Tensor fft_fftshift(const Tensor& self) { return call_op<"aten.fft_fftshift.default">(self, std::nullopt); }
Tensor fft_ifftshift(const Tensor& self) { return call_op<"aten.fft_ifftshift.default">(self, std::nullopt); }

}  // namespace ersatz::ops
