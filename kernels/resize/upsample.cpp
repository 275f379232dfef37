#include "kernels/resize/upsample.h"

#include "kernels/own_dtype.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_upsample {

Kernel run_nearest_cpu, run_nearest_exact_cpu, run_linear_cpu, run_cubic_cpu, run_antialiased_linear_cpu,
    run_antialiased_cubic_cpu, run_antialiased_lanczos_cpu;

namespace {

template <int kSpatial>
void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kUpsample["self"]);
  const auto size = call.ints(kUpsample["output_size"]);
  call.require(size.size() == kSpatial && in.dim() == kSpatial + 2, "C1",
               "output_size must have {} numbers and the input be {}-d: output_size is {}, input is {}", kSpatial,
               kSpatial + 2, size, in);
  TensorMeta& out = call.out.fresh();
  out.dtype = in.dtype;
  out.device = in.device;
  out.sizes = in.sizes;
  for (size_t d = 0; d < kSpatial; ++d) {
    call.require(check_gt(in.sizes[d + 2], 0) && check_gt(size[d], 0), "C2",
                 "input and output sizes must be positive: input is {}, output_size is {}", in, size);
    out.sizes[d + 2] = size[d];
  }
  call.require(check_gt(in.sizes[1], 0), "C3", "the input must have a channel, it is {}", in);
  // The layout is the same on every device. CUDA's kernels in ATen choose their algorithm by the memory format, but the
  // result's layout does not depend on it.
  out.strides = kSpatial == 1 ? contiguous_strides(out.sizes) : strides_for(out.sizes, suggest_memory_format(in));
  if (!call.device.is_meta()) call.require_dtype(in.dtype, call.op.dtypes_on(call.device.type));
}

/// Returns the output size of a `vec` overload. `size` and `scales` are positions of two arguments, one of which is
/// None.
DimVec asked_size(const CompositeCall& call, Position size, Position scales) {
  const Tensor input = call.tensor(kVec["input"]);
  const size_t spatial = size_t(std::max<int64_t>(input.dim() - 2, 0));
  call.require(call.has(size) != call.has(scales), "C4", "one of output_size and scale_factors must be given");
  if (call.has(size)) {
    const auto asked = call.ints(size);
    call.require(asked.size() == spatial, "C4", "output_size must have {} numbers, it is {}", spatial, asked);
    return DimVec(asked);
  }
  const auto factors = call.list(scales);
  call.require(factors.size() == spatial, "C4", "scale_factors must have {} numbers, it has {}", spatial,
               factors.size());
  DimVec sizes;
  for (size_t d = 0; d < spatial; ++d) {
    const SymInt from = input.sizes()[d + 2];
    const double factor = factors[d].as_double();
    const bool whole = factor == int64_t(factor);  // an integer factor keeps a symbolic size symbolic
    sizes.push_back(whole ? from * int64_t(factor) : SymInt(int64_t(double(from.guard_int()) * factor)));
  }
  return sizes;
}

/// Calls `op` for its `vec` overload: `op` has the same arguments, except that it takes an output size and no scale
/// factors.
Tensor run_vec(const CompositeCall& call, const OpEntry& op) {
  const bool aligns = op.schema.arguments[2].name == "align_corners";
  const Position scales = aligns ? kAlignedVec["scale_factors"] : kUpsampleVec["scale_factors"];
  const DimVec size = asked_size(call, kVec["output_size"], scales);
  std::vector<Value> args = {Value(call.tensor(kVec["input"])), Value(size)};
  if (aligns) args.push_back(call[kAlignedVec["align_corners"]]);
  for (size_t d = 0; args.size() < op.schema.arguments.size(); ++d) {
    const bool given = call.has(scales) && d < call.list(scales).size();
    args.push_back(given ? Value(call.list(scales)[d].as_double()) : Value());
  }
  call.require(size.size() == op.schema.arguments.size() - scales, "C1", "the input must be {}-d, it is {}",
               op.schema.arguments.size() - scales + 2, call.meta(kVec["input"]));
  Values results;
  dispatch(op, args, results);
  return results[0].take_tensor();
}

const OpEntry& sized_form(const CompositeCall& call) {
  return op_named(fmt::format("aten.{}.default", call.op.base()));
}

void vec(CompositeCall& call) { call.returns(run_vec(call, sized_form(call))); }

/// ATen checks the elements' dtypes, in its loops, before it checks the memory of `out`.
void out_rule(RuleCall& call) { derived_out_rule(call, {&call.op.form, 1}, true); }

/// Like ATen's generated out= overload: computes the result, makes `out` row-major if its sizes differ, and copies.
void vec_out(CompositeCall& call) {
  const Position at{call.args.size() - 1};
  const Tensor result = run_vec(call, sized_form(call)), out = call.tensor(at);
  require_own_dtype(call, at, result.dtype());
  if (!same_sizes(result.sizes(), out.sizes())) ops::resize_(out, result.sizes());
  ops::copy_(out, result);
  call.returns(out);
}

struct Family {
  const char* name;
  int spatial;
  bool aligns;
  FillKernel kernel;
  DTypeSet dtypes;
  bool core_vec, vec_out;
};

void add_ops(Registry& r, const Family& f) {
  const std::string scales = f.spatial == 1   ? "float? scales=None"
                             : f.spatial == 2 ? "float? scales_h=None, float? scales_w=None"
                                              : "float? scales_d=None, float? scales_h=None, float? scales_w=None";
  const std::string corners = f.aligns ? ", False" : "";
  const std::string image = f.spatial == 1 ? "4" : f.spatial == 2 ? "4,3" : "4,3,2";
  auto list = [&](const char* item) {
    std::string text = "[";
    for (int d = 0; d < f.spatial; ++d) text += fmt::format("{}{}", d ? ", " : "", item);
    return text + "]";
  };
  const DTypeSet on_cuda = f.aligns ? kFloats : kFloats | DTypeSet{DType::U8};
  constexpr Rule rules[] = {rule<1>, rule<2>, rule<3>};
  OpEntry& op = r.add((f.aligns ? kAligned : kUpsample).with(f.name, f.spatial, scales))
                    .with_rule(rules[f.spatial - 1])
                    .cpu(f.kernel)
                    .dtypes(f.dtypes)
                    .dtypes_on_cuda(on_cuda)
                    .sample("f32[2,3," + image + "], " + list("7") + corners)
                    .sample("f64[1,2," + image + "], " + list("2") + (f.aligns ? ", True" : ""))
                    .refuses("C1", "f32[3," + image + "], " + list("7") + corners)
                    .refuses("C2", "f32[2,3," + image + "], " + list("0") + corners)
                    .refuses("C3", "f32[2,0," + image + "], " + list("7") + corners);
  r.add_out(op, "out").with_rule(out_rule);
  const std::string call = "f32[2,3," + image + "], None" + corners + ", " + list("1.5");
  OpEntry& by_vec = r.add((f.aligns ? kAlignedVec : kUpsampleVec).with(f.name))
                        .with_composite(vec)
                        .dtypes(f.dtypes)
                        .dtypes_on_cuda(on_cuda)
                        .sample(call)
                        .sample("f32[2,3," + image + "], " + list("5") + corners + ", None")
                        .refuses("C4", "f32[2,3," + image + "], None" + corners + ", None");
  if (f.core_vec) by_vec.tag(Tag::Core);
  if (f.vec_out) {
    r.add_out_alike(by_vec, "vec_out")
        .with_composite(vec_out)
        .sample("f32[2,3,4,3], [2, 2]" + corners + ", None, out=f32[2,3,2,2]");
  }
}

}  // namespace

void register_ops(Registry& r) {
  const DTypeSet bytes = kFloats | DTypeSet{DType::U8}, wide{DType::F32, DType::F64, DType::U8};
  for (const Family& f : {Family{"upsample_nearest1d", 1, false, run_nearest_cpu, bytes, false, false},
                          Family{"upsample_nearest2d", 2, false, run_nearest_cpu, bytes, true, true},
                          Family{"upsample_nearest3d", 3, false, run_nearest_cpu, bytes, false, false},
                          Family{"_upsample_nearest_exact1d", 1, false, run_nearest_exact_cpu, bytes, false, false},
                          Family{"_upsample_nearest_exact2d", 2, false, run_nearest_exact_cpu, bytes, false, false},
                          Family{"_upsample_nearest_exact3d", 3, false, run_nearest_exact_cpu, bytes, false, false},
                          Family{"upsample_linear1d", 1, true, run_linear_cpu, kFloats, false, false},
                          Family{"upsample_bilinear2d", 2, true, run_linear_cpu, bytes, true, true},
                          Family{"upsample_trilinear3d", 3, true, run_linear_cpu, kFloats, false, false},
                          Family{"upsample_bicubic2d", 2, true, run_cubic_cpu, bytes, false, false},
                          Family{"_upsample_bilinear2d_aa", 2, true, run_antialiased_linear_cpu, wide, false, false},
                          Family{"_upsample_bicubic2d_aa", 2, true, run_antialiased_cubic_cpu, wide, false, false},
                          Family{"_upsample_lanczos2d_aa", 2, true, run_antialiased_lanczos_cpu, wide, false, false}}) {
    add_ops(r, f);
  }
}

}  // namespace ersatz::op_upsample

namespace ersatz::ops {

Tensor upsample_nearest(const Tensor& self, std::span<const SymInt> output_size, std::string_view mode) {
  const OpEntry& op = op_named(fmt::format(
      "aten.{}{}d.default", mode == "nearest" ? "upsample_nearest" : "_upsample_nearest_exact", output_size.size()));
  std::vector<Value> args = {Value(self), Value(output_size)};
  args.resize(2 + output_size.size());
  Values results;
  dispatch(op, args, results);
  return results[0].take_tensor();
}

Tensor upsample_linear(const Tensor& self, std::span<const SymInt> output_size, bool align_corners) {
  constexpr const char* names[] = {"linear1d", "bilinear2d", "trilinear3d"};
  const OpEntry& op = op_named(fmt::format("aten.upsample_{}.default", names[output_size.size() - 1]));
  std::vector<Value> args = {Value(self), Value(output_size), Value(align_corners)};
  args.resize(3 + output_size.size());
  Values results;
  dispatch(op, args, results);
  return results[0].take_tensor();
}

Tensor upsample_bicubic2d(const Tensor& self, std::span<const SymInt> output_size, bool align_corners) {
  const std::optional<double> scale;
  return call_op<"aten.upsample_bicubic2d.default">(self, output_size, align_corners, scale, scale);
}

}  // namespace ersatz::ops
