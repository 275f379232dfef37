// Reduction prims. Their dims must be given, and are numbered from 0.
//
// Constraints, where `prim` is the prim's name:
// [prim.C1] `output_dtype` is None, because PyTorch's eager mode does not support it.
// [prim.C2] `dims` is not None.
// [prim.C3] each dim is in [0, rank).
#include <algorithm>

#include "kernels/synonyms/the_op.h"
#include "runtime/op/registry.h"

namespace ersatz::op_reduction_prims {
namespace {

constexpr Schema kReduce{"prims::{}(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor"};
constexpr Schema kVar{
    "prims::var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype=None) -> Tensor"};
constexpr Schemas kEach{kReduce, kVar};

void check(const RuleCall& call) {
  if (!call.args.back().is_none())
    call.refuse(ErrorFamily::Type, "C1", "takes no output_dtype: it is {}", to_string(call.args.back()));
  if (!call.has(kEach["dims"]))
    call.refuse(ErrorFamily::Type, "C2", "expects dims: all of {} is reduced by []", call.meta(kEach["inp"]));
  const int64_t rank = call.meta(kEach["inp"]).dim();
  for (SymInt d : call.ints(kEach["dims"])) {
    call.require(check_ge(d, 0) && check_lt(d, std::max<int64_t>(rank, 1)), "C3",
                 "dims must be counted from 0 and below {}: got {}, inp is {}", rank, call.ints(kEach["dims"]),
                 call.meta(kEach["inp"]));
  }
}

void sum(CompositeCall& call) {
  check(call);
  call.returns(call_op<"aten.sum.dim_IntList">(call[kReduce["inp"]], call[kReduce["dims"]], false, Value()));
}
template <OpName op>
void extreme(CompositeCall& call) {
  check(call);
  call.returns(call_op<op>(call[kReduce["inp"]], call[kReduce["dims"]], false));
}
/// Multiplies along one dim after the other, beginning with the last dim. If `dims` is empty, returns a copy.
void prod(CompositeCall& call) {
  check(call);
  const std::span<const SymInt> given = call.ints(kReduce["dims"]);
  std::vector<int64_t> dims;
  for (SymInt d : given) dims.push_back(d.guard_int());
  std::sort(dims.rbegin(), dims.rend());
  Tensor result = call.tensor(kReduce["inp"]);
  if (dims.empty()) result = call_op<"aten.clone.default">(result, Value());
  for (int64_t d : dims) result = call_op<"aten.prod.dim_int">(result, d, false, Value());
  call.returns(result);
}
/// Checks [var.C4]: inp is a float or complex.
void var(CompositeCall& call) {
  check(call);
  call.require_dtype_first(call.meta(kVar["inp"]).dtype, kFloatsAndComplexes);
  call.returns(call_op<"aten.var.correction">(call[kVar["inp"]], call[kVar["dims"]], call[kVar["correction"]], false));
}
/// Raises [xor_sum.C4] for every call: PyTorch has no eager kernel, and only compiled code reduces by xor.
void xor_sum_rule(RuleCall& call) {
  check(call);
  call.refuse(ErrorFamily::NotImplemented, "C4", "only compiled code reduces by xor: inp is {}",
              call.meta(kReduce["inp"]));
}

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](OpEntry& prim, CompositeBody body, std::string_view more = "") -> OpEntry& {
    prim.made_of(body);
    return prim.sample(fmt::format("f32[2,3], [1]{}", more))
        .sample(fmt::format("f32[2,3,4]{{4,8,1}}, [0, 2]{}", more))
        .refuses("C1", fmt::format("f32[2,3], [1]{}, output_dtype=f64", more))
        .refuses("C2", fmt::format("f32[2,3], None{}", more))
        .refuses("C3", fmt::format("f32[2,3], [-1]{}", more));
  };
  add(r.add(kReduce.with("sum")), sum);
  add(r.add(kReduce.with("prod")), prod).sample("i32[2,3], []");
  add(r.add(kReduce.with("amax")), extreme<"aten.amax.default">);
  add(r.add(kReduce.with("amin")), extreme<"aten.amin.default">);
  r.add(kReduce.with("xor_sum")).with_rule(xor_sum_rule).refuses("C4", "i64[2,3], [1]");
  add(r.add(kVar), var, ", 1.0");
}

}  // namespace ersatz::op_reduction_prims
