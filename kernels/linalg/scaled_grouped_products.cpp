#include "kernels/linalg/scaled_grouped_products.h"

#include "kernels/linalg/grouped_rule.h"
#include "kernels/linalg/matrix_layout.h"
#include "runtime/op/registry.h"

namespace ersatz::op_scaled_grouped_products {
namespace {

/// The schemas of both operators, which begin with the same arguments.
constexpr Schemas kGrouped{kScaledGrouped, kScaledGroupedV2};

void require_cuda(const RuleCall& call) {
  if (call.device.is_cpu())
    call.not_supported("not implemented for cpu: _scaled_mm is, for each group by itself{}", "");
}

/// Raises [op.C4] unless the stride of one dim of argument `p` is a multiple of 16. `from_end` is 1 for the last dim,
/// and 2 for the second to last.
void require_aligned(const RuleCall& call, Position p, size_t from_end) {
  const TensorMeta& t = call.meta(p);
  const SymInt& stride = t.strides[t.sizes.size() - from_end];
  call.require(check_eq(stride, floor_div(stride, 16) * 16), "C4",
               "{} must have rows or columns that begin at multiples of 16 bytes: it is {}",
               call.op.schema.arguments[p].name, t);
}

Groups require_operands(const RuleCall& call, DTypeSet dtypes, Position offsets) {
  require_cuda(call);
  const TensorMeta &a = call.meta(kGrouped["self"]), &b = call.meta(kGrouped["mat2"]);
  const Groups groups = require_groups(call, a, b);
  call.require(a.dtype == b.dtype && dtypes.has(a.dtype), "C2", "operands must be {}: they are {} and {}",
               dtypes.has(DType::F4E2M1FNx2) ? "both f8e4m3fn, or both f4e2m1fn_x2" : "f8e4m3fn", a, b);
  call.require_dtype(a.dtype, kEveryDType);  // accepts every dtype, because C2 is checked above
  require_row_major(call, "C4", kGrouped["self"]);
  require_column_major(call, "C4", kGrouped["mat2"]);
  require_aligned(call, kGrouped["self"], 2);
  require_aligned(call, kGrouped["mat2"], 1);
  require_offsets(call, offsets, groups, a, b);
  return groups;
}

void require_plain_result(const RuleCall& call, Position out_dtype, Position bias) {
  call.require(!call.has(bias), "C5", "there is no bias: add it to the result{}", "");
  call.require(!call.has(out_dtype) || call[out_dtype].as_dtype() == DType::BF16, "C5",
               "the result is bf16: leave out_dtype out, or pass bf16{}", "");
}

/// Raises [op.C6] unless `scale` is f32 with one element for each row. The scales of a batched (3-d) operand have sizes
/// [groups, rows]. The scales of a 2-d operand are 1-d.
void require_row_scales(const RuleCall& call, const TensorMeta& scale, const std::string& name, bool batched,
                        const SymInt& groups, const SymInt& rows, bool both_cut) {
  call.require(scale.dtype == DType::F32, "C6", "{} must be f32, or both f8e8m0fnu: it is {}", name, scale);
  if (batched) {
    call.require(scale.dim() == 2 && check_eq(scale.sizes[0], groups) && check_eq(scale.sizes[1], rows) &&
                     check_eq(scale.strides[1], 1),
                 "C6", "{} must be f32[{}, {}] with a dense last dim: it is {}", name, groups, rows, scale);
    return;
  }
  const SymInt count = both_cut ? rows * groups : rows;
  call.require(scale.dim() == 1 && check_eq(scale.sizes[0], count) && is_contiguous(scale), "C6",
               "{} must be f32[{}], dense: it is {}", name, count, scale);
}

void scaled_grouped_rule(RuleCall& call) {
  constexpr Schema k = kScaledGrouped;
  const TensorMeta &a = call.meta(k["self"]), &b = call.meta(k["mat2"]), &scale_a = call.meta(k["scale_a"]),
                   &scale_b = call.meta(k["scale_b"]);
  const Groups groups = require_operands(call, {DType::F8E4M3FN}, k["offs"]);
  require_plain_result(call, k["out_dtype"], k["bias"]);
  call.require(!call.has(k["scale_result"]), "C5", "there is no scale_result: divide the result{}", "");
  if (scale_a.dtype == DType::F8E8M0FNU && scale_b.dtype == DType::F8E8M0FNU) {
    call.require(scale_a.dim() == a.dim() && scale_b.dim() == (groups.right ? 2 : b.dim()), "C6",
                 "scales of MX have as many dims as matrices, of batches of mat2 two: they are {} and {}", scale_a,
                 scale_b);
  } else {
    const SymInt count = group_count(call, k["offs"], groups, a, b);
    const bool both_cut = !groups.left && !groups.right;
    require_row_scales(call, scale_a, "scale_a", groups.left, count, a.sizes[a.sizes.size() - 2], both_cut);
    require_row_scales(call, scale_b, "scale_b", groups.right, count, b.sizes.back(), both_cut);
  }
  answer_groups(call, k["offs"], groups, a, b, DType::BF16);
}

void scaled_grouped_v2_rule(RuleCall& call) {
  constexpr Schema k = kScaledGroupedV2;
  const TensorMeta &a = call.meta(k["self"]), &b = call.meta(k["mat2"]);
  const Groups groups = require_operands(call, {DType::F8E4M3FN, DType::F4E2M1FNx2}, k["offs"]);
  require_plain_result(call, k["out_dtype"], k["bias"]);
  for (const auto& [scales, recipes] : {std::pair{k["scale_a"], k["recipe_a"]}, {k["scale_b"], k["recipe_b"]}}) {
    call.require(!call.list(scales).empty() && call.list(scales).size() == call.ints(recipes).size(), "C6",
                 "{} must have a scale for each recipe, {}: it has {}", call.op.schema.arguments[scales].name,
                 call.ints(recipes).size(), call.list(scales).size());
  }
  answer_groups(call, k["offs"], groups, a, b, DType::BF16);
}

}  // namespace

void register_ops(Registry& r) {
  // These operators have only rules: PyTorch has no CPU kernel for them.
  r.add(kScaledGrouped)
      .with_rule(scaled_grouped_rule)
      .refuses("", "f8e4m3fn[48,32], f8e4m3fn[3,32,16]{512,1,32}, f32[48], f32[3,16], i32[3]");
  OpEntry& listed = r.add(kScaledGroupedV2)
                        .with_rule(scaled_grouped_v2_rule)
                        .refuses("",
                                 "f8e4m3fn[48,32], f8e4m3fn[3,32,16]{512,1,32}, [f32[48]], [1], [], [f32[3,16]], "
                                 "[1], [], i32[3]");
  r.add_out(listed, "out")
      .refuses("",
               "f8e4m3fn[48,32], f8e4m3fn[3,32,16]{512,1,32}, [f32[48]], [1], [], [f32[3,16]], [1], [], i32[3], "
               "out=bf16[0]");
}

}  // namespace ersatz::op_scaled_grouped_products
