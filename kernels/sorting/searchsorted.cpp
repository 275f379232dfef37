#include "kernels/sorting/searchsorted.h"

#include <limits>

#include "runtime/op/behind_values.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_searchsorted {

Kernel run_searchsorted_cpu, run_bucketize_cpu;

namespace {

std::span<const SymInt> sizes_of(const Value& v) {
  return v.is_tensor() ? std::span<const SymInt>(v.tensor_impl()->meta.sizes) : std::span<const SymInt>();
}

/// Adds the output for a search of the numbers at argument `numbers` in the sequences at argument `sequences`.
void add_positions(RuleCall& call, Position sequences, Position numbers, bool narrow) {
  const auto sizes = sizes_of(call.args[numbers]);
  SymInt count = 1;
  for (SymInt n : sizes) count *= n;
  if (!call.device.is_meta() && size_ne(count, 0)) {
    call.require_dtype(result_type(call, {sequences, numbers}), kReals);
  }
  const TensorMeta& in = call.meta(sequences);
  call.require(!narrow || check_lt(in.sizes.back(), std::numeric_limits<int32_t>::max()), "C5",
               "positions in {} elements do not fit i32", in.sizes.back());
  call.out.fresh(TensorMeta(narrow ? DType::I32 : DType::I64, sizes, call.device));
}

// Arguments of the operator: (sorted_sequence, self, out_int32, right, side, sorter).
void searchsorted_rule(RuleCall& call) {
  const TensorMeta& sequences = call.meta(kSearchsorted["sorted_sequence"]);
  const auto numbers = sizes_of(call[kSearchsorted["self"]]);
  if (call.has(kSearchsorted["side"])) {
    const std::string_view side = call[kSearchsorted["side"]].as_string();
    call.require(side == "right" || (side == "left" && !call.boolean(kSearchsorted["right"])), "C3",
                 "side must be \"left\" or \"right\" and agree with right: side is \"{}\", right is {}", side,
                 call.boolean(kSearchsorted["right"]));
  }
  call.require(sequences.dim() > 0, "C1", "the sequences need a dim: they are {}", sequences);
  call.require(!numbers.empty() || sequences.dim() == 1, "C2", "one number is looked up in one sequence, not in {}",
               sequences);
  if (sequences.dim() > 1) {
    bool fit = sequences.sizes.size() == numbers.size();
    for (size_t d = 0; fit && d + 1 < numbers.size(); ++d) fit = size_eq(sequences.sizes[d], numbers[d]);
    call.require(fit, "C1", "the sequences must have the leading sizes of the numbers {}: they are {}", numbers,
                 sequences);
  }
  if (call.has(kSearchsorted["sorter"])) {
    const TensorMeta& sorter = call.meta(kSearchsorted["sorter"]);
    bool fit = sorter.dtype == DType::I64 && sorter.sizes.size() == sequences.sizes.size();
    for (size_t d = 0; fit && d < sorter.sizes.size(); ++d) fit = size_eq(sorter.sizes[d], sequences.sizes[d]);
    call.require(fit, "C4", "the sorter must be i64 and have the sizes of the sequences {}: it is {}", sequences,
                 sorter);
  }
  const auto add = [&] {
    add_positions(call, kSearchsorted["sorted_sequence"], kSearchsorted["self"],
                  call.boolean(kSearchsorted["out_int32"]));
  };
  call.has(kSearchsorted["sorter"]) ? check_behind_values(call.op.base(), ErrorFamily::Runtime, add) : add();
}

// Arguments of the operator: (self, boundaries, out_int32, right).
void bucketize_rule(RuleCall& call) {
  const TensorMeta& boundaries = call.meta(kBucketize["boundaries"]);
  call.require(boundaries.dim() == 1, "C1", "the boundaries must have one dim: they are {}", boundaries);
  add_positions(call, kBucketize["boundaries"], kBucketize["self"], call.boolean(kBucketize["out_int32"]));
}

constexpr IndexDomain kSorter{kSearchsortedTensor["sorter"], kSearchsortedTensor["sorted_sequence"], -1};

}  // namespace

void register_ops(Registry& r) {
  OpEntry& many = r.add(kSearchsortedTensor)
                      .tag(Tag::FailsOnValues)
                      .with_rule(searchsorted_rule)
                      .with_index_domain(kSorter)
                      .cpu(run_searchsorted_cpu)
                      .dtypes(kReals)
                      .sample("f32[4], f32[2,3]{1,2}")
                      .sample("i64[2,4], f32[2,3], out_int32=True, right=True")
                      .sample("f32[2,1], f32[2,3], side=\"right\", sorter=i64[2,1]", 0, 0)
                      .refuses("C1", "f32[2,4], f32[3]")
                      .refuses("C2", "f32[2,4], f32[]")
                      .refuses("C3", "f32[4], f32[3], right=True, side=\"left\"")
                      .refuses("C4", "f32[4], f32[3], sorter=i64[3]");
  r.add_out(many, "Tensor_out");
  OpEntry& one = r.add(kSearchsortedScalar)
                     .tag(Tag::FailsOnValues)
                     .with_rule(searchsorted_rule)
                     .with_index_domain(kSorter)
                     .cpu(run_searchsorted_cpu)
                     .dtypes(kReals)
                     .sample("f32[4], 0.5")
                     .refuses("C2", "f32[2,4], 1");
  r.add_out(one, "Scalar_out");
  OpEntry& bucketize = r.add(kBucketizeTensor)
                           .with_rule(bucketize_rule)
                           .cpu(run_bucketize_cpu)
                           .dtypes(kReals)
                           .sample("f32[2,3]{1,2}, f32[4]")
                           .refuses("C1", "f32[2], f32[2,4]");
  r.add_out(bucketize, "Tensor_out");
  OpEntry& bucket = r.add(kBucketizeScalar)
                        .with_rule(bucketize_rule)
                        .cpu(run_bucketize_cpu)
                        .dtypes(kReals)
                        .sample("0.5, f32[4], right=True")
                        .refuses("C1", "1, f32[]");
  r.add_out(bucket, "Scalar_out", kGeneratedForm);
}

}  // namespace ersatz::op_searchsorted
