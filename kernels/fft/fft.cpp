#include "kernels/fft/fft.h"

#include <cmath>

#include "kernels/fft/fft_layout.h"
#include "kernels/no_flops.h"
#include "kernels/shape/dim_set.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_fft {

Kernel c2c_cpu, r2c_cpu, c2r_cpu;

namespace {

/// Returns the dims of the call. For an empty input, which is not transformed, dims may repeat or not exist. If
/// `any_last` is true, the last dim need not exist (F7 in fft_layout.h).
InlineVec<int64_t, 5> transform_dims(const RuleCall& call, bool any_last = false) {
  InlineVec<int64_t, 5> dims;
  DimSet seen;
  const size_t all = call.ints(kEach["dim"]).size();
  for (SymInt d : call.ints(kEach["dim"])) {
    const int64_t dim = d.guard_int();
    const TensorMeta& self = call.meta(kEach["self"]);
    const bool last = any_last && dims.size() + 1 == all && dim >= self.dim() && dim < kDimRoom && self.dim() > 0;
    const bool own = dim >= 0 && dim < self.dim() && seen.insert(dim);
    call.require(own || last || check_eq(self.numel(), 0), "C2",
                 "dim {} must be one of the input's, and stand once: self is {}", dim, self);
    dims.push_back(dim);
  }
  return dims;
}

/// Since this version of PyTorch, CPU transforms accept empty tensors. Earlier versions pass them to MKL, which raises.
constexpr TorchVersion kTransformsNothing{2, 15};

void require_elements(const RuleCall& call, std::span<const int64_t> dims) {
  if (call.context.torch >= kTransformsNothing || !call.device.is_cpu() || dims.empty()) return;
  call.require(check_ne(call.meta(kEach["self"]).numel(), 0), "C4",
               "torch {} transforms no tensor without elements: self is {}", to_string(call.context.torch),
               call.meta(kEach["self"]));
}

void require_complex(const RuleCall& call) {
  static constexpr Schemas kArgs{kFftC2c, kFftC2r};
  call.require(is_complex(call.meta(kArgs["self"]).dtype), "C1", "expects a complex tensor: self is {}",
               call.meta(kArgs["self"]));
}

void require_dim(const RuleCall& call, std::span<const int64_t> dims) {
  call.require(!dims.empty(), "C2", "expects a dim at least: self is {}", call.meta(kHalved["self"]));
}

/// Raises for a dim of size 0, because ATen divides by the size to count the lines.
void require_lines(const RuleCall& call, std::span<const int64_t> dims) {
  for (int64_t d : dims) {
    const TensorMeta& self = call.meta(kHalved["self"]);
    call.require(d >= 0 && d < self.dim() && check_ne(self.sizes[static_cast<size_t>(d)], 0), "C2",
                 "dim {} has no elements: self is {}", d, self);
  }
}

void c2c_rule(RuleCall& call) {
  require_complex(call);
  const TensorMeta self = as_read(call.meta(kEach["self"]));
  const auto dims = transform_dims(call);
  require_elements(call, dims);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  out.strides = complex_strides(self, dims);
}

/// Adds the result's metadata to the call. If `halved` is true, the last transformed dim has n / 2 + 1 elements
/// (one-sided).
void answer_r2c(RuleCall& call, bool halved) {
  const TensorMeta self = as_read(call.meta(kEach["self"]));
  if (!is_float(self.dtype)) call.refuse(ErrorFamily::Type, "C1", "expects a floating tensor: self is {}", self);
  const auto dims = transform_dims(call);
  require_dim(call, dims);
  require_elements(call, dims);
  TensorMeta& out = call.out.fresh();
  out.dtype = complex_dtype(self.dtype);
  out.device = self.device;
  out.sizes = self.sizes;
  const size_t last = static_cast<size_t>(dims.back());
  const bool is_own = last < out.sizes.size();
  call.require_index(is_own || halved, "dim", "dim {} is out of range: self is {}", dims.back(), self);
  if (is_own && halved) out.sizes[last] = floor_div(out.sizes[last], 2) + SymInt(1);
  if (size_eq(out.numel(), 0)) {
    out.strides = contiguous_strides(out.sizes);
    return;
  }
  require_lines(call, dims);
  out.strides = self.device.is_cuda() ? cuda_real_input_strides(self, out.sizes, dims, halved)
                                      : transformed_strides(self, out.sizes, dims_by_stride(self, dims, 1));
}

void r2c_rule(RuleCall& call) {
  answer_r2c(call, call.boolean(kFftR2c["onesided"]));
  call.require_dtype(call.meta(kFftR2c["self"]).dtype, DTypeSet{DType::F32, DType::F64});
}

void c2r_rule(RuleCall& call) {
  require_complex(call);
  TensorMeta input = as_read(call.meta(kEach["self"]));
  const auto dims = transform_dims(call, input.device.is_cpu());
  require_dim(call, dims);
  require_elements(call, dims);
  call.require(dims.back() >= 0, "C2", "the last dim must not be negative: it is {}", dims.back());
  const SymInt n = call.sym(kFftC2r["last_dim_size"]);
  call.require(check_ge(n, 0), "C3", "last_dim_size must not be negative: got {}", n);
  TensorMeta& out = call.out.fresh();
  out.dtype = real_dtype(input.dtype);
  out.device = input.device;
  out.sizes = input.sizes;
  const bool own = dims.back() < input.dim();
  if (own) out.sizes[static_cast<size_t>(dims.back())] = n;
  if (size_eq(out.numel(), 0)) {
    out.strides = contiguous_strides(out.sizes);
    return;
  }
  const int64_t real = real_dim(call.meta(kFftC2r["self"]), {dims.data(), dims.size()});
  const SymInt in = input.sizes[static_cast<size_t>(real)], signal = sym_max(in, n),
               half = floor_div(signal, 2) + SymInt(1);
  const bool fits = (size_eq(in, signal) || size_eq(in, half)) &&
                    (size_eq(n, signal) || size_eq(n, half) || size_eq(n, 0)) && (own || check_le(in, n));
  call.require(fits, "C3", "last_dim_size {} does not fit dim {} of size {}: self is {}", n, real, in,
               call.meta(kFftC2r["self"]));
  require_lines(call, {dims.data(), dims.size() - (own ? 0 : 1)});
  if (input.device.is_cuda()) {
    out.strides = cuda_real_output_strides(std::move(input), out.sizes, dims);
    return;
  }
  // ATen first transforms all dims except the last, as a complex transform.
  if (dims.size() > 1) input.strides = complex_strides(input, {dims.data(), dims.size() - 1});
  DimVec lines = out.sizes;
  lines[static_cast<size_t>(real)] = n;
  out.strides = transformed_strides(input, lines, {&real, 1});
}

// Computes the result metadata of `out=` overloads. ATen copies the result to `out`, in any dtype. On CUDA, ATen scales
// the result into `out`, and a resized `out` gets the result's strides.
void out_rule(RuleCall& call) {
  RuleResult functional;
  call.ask_functional(functional);
  const size_t out = call.args.size() - 1;
  TensorMeta& result = functional.outputs[0].meta;
  result.dtype = call.meta(out).dtype;
  answer_out(call, result, out, kGeneratedForm);
  OutputSpec& written = call.out.outputs[0];
  if (call.device.is_cuda() && written.metadata_changed) written.meta.strides = result.strides;
}

// Computes the result metadata of _fft_r2c.out. ATen always computes the first half of the result, and mirrors it if
// `onesided` is false.
void r2c_out_rule(RuleCall& call) {
  RuleResult half;
  RuleCall inner = call.functional(half);
  answer_r2c(inner, true);
  out_rule(call);
  // If `onesided` is false, ATen resizes `out` before it computes, so `out` becomes row-major.
  OutputSpec& written = call.out.outputs[0];
  if (written.metadata_changed && !call.boolean(kFftR2c["onesided"]))
    written.meta.strides = contiguous_strides(written.meta.sizes);
}

/// Counts 5 n log2 n FLOPs for a transform of n points, like FFT benchmarks do.
std::optional<SymInt> flops(RuleCall& call, const RuleResult& result) {
  double n = 1;
  const TensorMeta& out = result.outputs[0].meta;
  if (size_eq(out.numel(), 0)) return 0;
  for (SymInt d : call.ints(kEach["dim"])) {
    if (d.guard_int() >= call.meta(kEach["self"]).dim()) continue;
    const SymInt size = call.meta(kEach["self"]).sizes[static_cast<size_t>(d.guard_int())];
    // FLOPs for symbolic sizes have to be polynomials, and log2 is no polynomial
    if (size.is_symbolic() || out.numel().is_symbolic()) return std::nullopt;
    n *= static_cast<double>(size.as_int());
  }
  const double each = 5 * std::log2(std::max(n, 1.0));
  return SymInt(static_cast<int64_t>(std::llround(each * static_cast<double>(out.numel().as_int()))));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& c2c = r.add(kFftC2c)
                     .with_rule(c2c_rule)
                     .count_flops(flops)
                     .cpu(c2c_cpu)
                     .sample("c64[4,6], [1], 0, True")
                     .sample("c128[2,3,5], [2, 0], 2, False")
                     .sample("c64[4], [], 0, True")
                     .refuses("C1", "f32[4], [0], 0, True")
                     .refuses("C2", "c64[4], [1], 0, True");
  r.add_out(c2c, "out").with_rule(out_rule);
  OpEntry& r2c = r.add(kFftR2c)
                     .tag(Tag::Core)
                     .with_rule(r2c_rule)
                     .count_flops(flops)
                     .cpu(r2c_cpu)
                     .sample("f32[4,6], [1], 0, True")
                     .sample("f64[2,3,5], [2, 0], 1, False")
                     .refuses("C1", "i64[4], [0], 0, True")
                     .refuses("C2", "f32[4], [], 0, True")
                     .refuses("C2", "f32[4,0], [1], 0, True");
  r.add_out(r2c, "out").with_rule(r2c_out_rule);
  OpEntry& c2r = r.add(kFftC2r)
                     .tag(Tag::Core)
                     .with_rule(c2r_rule)
                     .count_flops(flops)
                     .cpu(c2r_cpu)
                     .sample("c64[4,4], [1], 0, 6")
                     .sample("c128[2,3,5], [0, 2], 2, 9")
                     .refuses("C1", "f32[4], [0], 0, 6")
                     .refuses("C2", "c64[4], [], 0, 6")
                     .refuses("C3", "c64[4], [0], 0, 20");
  r.add_out(c2r, "out").with_rule(out_rule);
}

}  // namespace ersatz::op_fft
