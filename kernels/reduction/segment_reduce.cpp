#include "kernels/reduction/segment_reduce.h"

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/write_count.h"

namespace ersatz::op_segment_reduce {

Kernel run_cpu, run_backward_cpu;
Tensor count_slopes(std::span<const Value> args);

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

/// Checks the arguments that both ops have. Returns the metadata of the offsets if given, else of the lengths.
const TensorMeta& check(const RuleCall& call, const Names& at) {
  call.wrap_dim(call.integer(at.axis), call.meta(at.data).dim());
  call.require(call.has(at.offsets) || call.has(at.lengths), "C1", "expects lengths or offsets of segments");
  call.require(segment_reduction(call[at.reduce].as_string()).has_value(), "C3",
               "reduce must be sum, mean, prod, max or min: it is {}", call[at.reduce].as_string());
  return call.meta(call.has(at.offsets) ? at.offsets : at.lengths);
}
/// Returns how many lengths or offsets are read: one row for each index of the dims of `of` before `axis`.
SymInt numbers_read(const TensorMeta& segments, int64_t axis, const TensorMeta& of) {
  SymInt n = segments.sizes[axis];
  for (int64_t d = 0; d < axis; ++d) n *= of.sizes[d];
  return n;
}
void check_numbers(const RuleCall& call, const Names& at, const TensorMeta& segments) {
  const bool by_offsets = call.has(at.offsets);
  if (segments.dtype != DType::I32 && segments.dtype != DType::I64)
    call.not_supported("\"{}\" not implemented for {} of {}", call.op.name, by_offsets ? "offsets" : "lengths",
                       name(segments.dtype));
  call.require_dtype(call.meta(at.data).dtype, kFloats);
  if (call.has(at.initial))
    call.require(!call.scalar(at.initial).is_complex(), "C5", "initial must be real: it is {}",
                 to_string(call[at.initial]));
}

void rule(RuleCall& call) {
  const TensorMeta &data = call.meta(kForward["data"]), &segments = check(call, kForwardNames);
  const bool by_offsets = call.has(kForward["offsets"]);
  const int64_t axis = call.wrap_dim(call.integer(kForward["axis"]), data.dim());
  call.require(!call.has(kForward["indices"]), "C2", "segments of indices are not supported, give lengths or offsets");
  const bool last = segments.dim() <= data.dim() && axis == segments.dim() - 1;
  const bool fits = last && !(by_offsets && size_eq(segments.sizes[axis], 0)) &&
                    check_le(numbers_read(segments, axis, data), segments.numel());
  call.require(fits, "C4",
               "{} must have rows for data's outer dims, their last dim be axis {}: they are {}, data is {}",
               by_offsets ? "offsets" : "lengths", axis, segments, data);
  check_numbers(call, kForwardNames, segments);
  const bool checked = !call.boolean(kForward["unsafe"]) && !by_offsets;
  call.require(!checked || !size_eq(segments.numel(), 0), "C6", "there must be lengths, they are {}", segments);
  DimVec sizes = data.sizes;
  sizes[axis] = segments.sizes[axis] - (by_offsets ? 1 : 0);
  call.out.fresh(TensorMeta(data.dtype, sizes, call.device));
}

void backward_rule(RuleCall& call) {
  const TensorMeta &data = call.meta(kBackward["data"]), &output = call.meta(kBackward["output"]),
                   &segments = check(call, kBackwardNames);
  const int64_t axis = segments.dim() - 1;
  call.require_index(axis >= 0 && axis < data.dim() && axis < output.dim(), "C4",
                     "data and output must have dim {}: they are {} and {}, segments are {}", axis, data, output,
                     segments);
  call.require(check_le(numbers_read(segments, axis, output), segments.numel()), "C4",
               "there must be segments for each outer index of output, {}: {}", output, segments);
  check_numbers(call, kBackwardNames, segments);
  for (const Position i : {kBackward["grad"], kBackward["output"]})
    call.require(call.meta(i).dtype == data.dtype, "C5", "{} must have dtype {}: it is {}",
                 call.op.schema.arguments[i].name, name(data.dtype), call.meta(i));
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
                          .refuses("C5", "f32[1], f64[1], f32[3], \"sum\", lengths=i64[1]");
  count_writes(backward, count_slopes);
  r.add_out(backward, "out", kGeneratedForm);
}

}  // namespace ersatz::op_segment_reduce
