#include "kernels/reduction/segment_reduce.h"

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_segment_reduce {

Kernel run_cpu, run_backward_cpu;

std::optional<SegmentReduction> segment_reduction(std::string_view name) {
  if (name == "sum") return SegmentReduction::Sum;
  if (name == "mean") return SegmentReduction::Mean;
  if (name == "prod") return SegmentReduction::Prod;
  if (name == "max" || name == "amax") return SegmentReduction::Max;
  if (name == "min" || name == "amin") return SegmentReduction::Min;
  return std::nullopt;
}

namespace {

struct Names {
  size_t data, reduce, lengths, offsets, axis, initial;
};
constexpr auto& kForward = kSegmentReduce;
constexpr auto& kBackward = kSegmentReduceBackward;
constexpr Names kForwardNames{kForward["data"],    kForward["reduce"], kForward["lengths"],
                              kForward["offsets"], kForward["axis"],   kForward["initial"]};
constexpr Names kBackwardNames{kBackward["data"],    kBackward["reduce"], kBackward["lengths"],
                               kBackward["offsets"], kBackward["axis"],   kBackward["initial"]};

/// The sizes of the reduced data.
DimVec check(const RuleCall& call, const Names& at) {
  const TensorMeta& data = call.meta(at.data);
  const int64_t axis = call.wrap_dim(call.integer(at.axis), data.dim());
  const bool by_offsets = call.has(at.offsets);
  call.require(by_offsets || call.has(at.lengths), "C1", "expects lengths or offsets of segments");
  if (call.op.base() == "segment_reduce")
    call.require(!call.has(kForward["indices"]), "C2",
                 "segments of indices are not supported, give lengths or offsets");
  call.require(segment_reduction(call[at.reduce].as_string()).has_value(), "C3",
               "reduce must be sum, mean, prod, max or min: it is {}", call[at.reduce].as_string());
  const TensorMeta& segments = call.meta(by_offsets ? at.offsets : at.lengths);
  const std::string_view what = by_offsets ? "offsets" : "lengths";
  bool fits = segments.dim() <= data.dim() && axis == segments.dim() - 1;
  for (int64_t d = 0; fits && d < axis; ++d) fits = check_eq(segments.sizes[d], data.sizes[d]);
  fits = fits && !(by_offsets && size_eq(segments.sizes[axis], 0));
  call.require(fits, "C4", "{} must have data's outer dims and their last dim be axis {}: they are {}, data is {}",
               what, axis, segments, data);
  if (segments.dtype != DType::I32 && segments.dtype != DType::I64)
    call.not_supported("\"{}\" not implemented for {} of {}", call.op.name, what, name(segments.dtype));
  call.require_dtype(data.dtype, kFloats);
  if (call.has(at.initial))
    call.require(!call.scalar(at.initial).is_complex(), "C5", "initial must be real: it is {}",
                 to_string(call[at.initial]));
  DimVec sizes = data.sizes;
  sizes[axis] = segments.sizes[axis] - (by_offsets ? 1 : 0);
  return sizes;
}

void rule(RuleCall& call) {
  DimVec sizes = check(call, kForwardNames);
  const bool checked = !call.boolean(kForward["unsafe"]) && !call.has(kForward["offsets"]);
  call.require(!checked || !size_eq(call.meta(kForward["lengths"]).numel(), 0), "C6",
               "there must be lengths, they are {}", call.meta(checked ? kForward["lengths"] : kForward["data"]));
  call.out.fresh(TensorMeta(call.meta(kForward["data"]).dtype, sizes, call.device));
}

void backward_rule(RuleCall& call) {
  const DimVec sizes = check(call, kBackwardNames);
  const TensorMeta& data = call.meta(kBackward["data"]);
  for (const Position i : {kBackward["grad"], kBackward["output"]}) {
    const TensorMeta& t = call.meta(i);
    call.require(t.dtype == data.dtype && t.dim() == data.dim() && check_eq(t.sizes, sizes), "C5",
                 "{} must have dtype {} and sizes {}: it is {}", call.op.schema.arguments[i].name, name(data.dtype),
                 sizes, t);
  }
  call.out.fresh(TensorMeta(data.dtype, data.sizes, call.device));
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) { return call.meta(kForward["data"]).numel(); }
std::optional<SymInt> backward_flops(RuleCall& call, const RuleResult&) {
  return SymInt(2) * call.meta(kBackward["data"]).numel();
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kForward)
      .tag(Tag::FailsOnValues)
      .with_rule(rule)
      .cpu(run_cpu)
      .dtypes(kFloats)
      .count_flops(flops)
      .sample("f32[1,3], \"sum\", lengths=i64[1], axis=0", 1, 1)
      .sample("f32[2,4]{1,2}, \"mean\", offsets=i64[2,3], axis=1, initial=2", 1, 1)
      .refuses("C1", "f32[3], \"sum\"")
      .refuses("C2", "f32[3], \"sum\", lengths=i64[1], indices=i64[1]")
      .refuses("C3", "f32[3], \"add\", lengths=i64[1]")
      .refuses("C4", "f32[3,2], \"sum\", lengths=i64[1,2]")
      .refuses("C5", "f32[3], \"sum\", lengths=i64[1], initial=(1+2j)")
      .refuses("C6", "f32[3], \"sum\", lengths=i64[0]");
  OpEntry& backward = r.add(kBackward)
                          .tag(Tag::FailsOnValues)
                          .with_rule(backward_rule)
                          .cpu(run_backward_cpu)
                          .dtypes(kFloats)
                          .count_flops(backward_flops)
                          .sample("f32[2], f32[2], f32[2], \"max\", lengths=i64[2]", 1, 1)
                          .refuses("C1", "f32[1], f32[1], f32[3], \"sum\"")
                          .refuses("C3", "f32[1], f32[1], f32[3], \"add\", lengths=i64[1]")
                          .refuses("C4", "f32[1], f32[1], f32[3,2], \"sum\", lengths=i64[1,2]")
                          .refuses("C5", "f32[1], f32[2], f32[3], \"sum\", lengths=i64[1]");
  r.add_out(backward, "out", kGeneratedForm);
}

}  // namespace ersatz::op_segment_reduce
