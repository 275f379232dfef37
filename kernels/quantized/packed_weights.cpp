#include "kernels/quantized/packed_weights.h"

#include "kernels/shape/cat.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_packed_weights {

Kernel pack_cpu, multiply_cpu;

namespace {

constexpr DTypeSet kNumbers{DType::F32, DType::F16, DType::BF16};

bool divides(const SymInt& unit, const SymInt& n) { return check_eq(n, floor_div(n, unit) * unit); }

void answer_matrix(RuleCall& call, DType dtype, const SymInt& rows, const SymInt& columns) {
  const SymInt sizes[] = {rows, columns};
  call.out.fresh(TensorMeta(dtype, sizes, call.device));
}

/// Raises [op.C1] or [op.C2] unless the weight, which will be packed, is a matrix of `dtype`. Returns its metadata.
const TensorMeta& require_weight(const RuleCall& call, DType dtype) {
  const TensorMeta& w = call.meta(kPack["self"]);
  call.require(w.dim() == 2, "C1", "the weight must be a matrix: it is {}", w);
  call.require(w.dtype == dtype, "C2", "the weight must be {}: it is {}", name(dtype), w);
  return w;
}

void pack_for_cpu_rule(RuleCall& call) {
  const TensorMeta& w = require_weight(call, DType::I32);
  call.require(divides(16, w.sizes[0]) && divides(2, w.sizes[1]), "C3",
               "16 must divide the rows, 2 the columns of the weight: it is {}", w);
  answer_matrix(call, DType::U8, w.sizes[0], floor_div(w.sizes[1], 2));
}

/// Raises NotSupported on the CPU, for operators that PyTorch has only CUDA kernels for. The error names `instead`, the
/// operator to call on the CPU.
void require_cuda(const RuleCall& call, std::string_view instead) {
  if (call.device.is_cpu()) call.not_supported("not implemented for cpu: {} is", instead);
}

void pack_rule(RuleCall& call) {
  require_cuda(call, "_convert_weight_to_int4pack_for_cpu");
  const TensorMeta& w = require_weight(call, DType::U8);
  const int64_t tiles = call.integer(kPack["innerKTiles"]);
  const SymInt inner = w.sizes[1] * 2;
  call.require(tiles == 2 || tiles == 4 || tiles == 8, "C3", "innerKTiles must be 2, 4 or 8: it is {}", tiles);
  call.require(divides(8, w.sizes[0]) && divides(tiles * 16, inner), "C3",
               "8 must divide the rows of the weight, {} its numbers in a row: it is {}", tiles * 16, w);
  const SymInt sizes[] = {floor_div(w.sizes[0], 8), floor_div(inner, tiles * 16), 32, tiles / 2};
  call.out.fresh(TensorMeta(DType::I32, sizes, call.device));
}

/// Raises [op.C2] unless `self` of a matrix product is f32, f16 or bf16. Returns its metadata.
const TensorMeta& require_self(const RuleCall& call) {
  const TensorMeta& a = call.meta(kMm["self"]);
  call.require(kNumbers.has(a.dtype), "C2", "self must be f32, f16 or bf16: it is {}", a);
  return a;
}
/// Returns the number of groups of `inner` elements. Raises [op.C3] unless qGroupSize is valid and divides `inner`.
SymInt require_groups(const RuleCall& call, const SymInt& inner) {
  const int64_t group = call.integer(kMm["qGroupSize"]);
  call.require(group == 32 || group == 64 || group == 128 || group == 256, "C3",
               "qGroupSize must be 32, 64, 128 or 256: it is {}", group);
  call.require(divides(group, inner), "C3", "qGroupSize, {}, must divide the columns of self, {}", group, inner);
  return floor_div(inner, group);
}
/// Raises [op.C4] unless qScaleAndZeros has a scale and a zero point for each group and row.
void require_scales_and_zeros(const RuleCall& call, const SymInt& groups, const SymInt& rows) {
  const TensorMeta& t = call.meta(kMm["qScaleAndZeros"]);
  call.require(t.dim() == 3 && check_ge(t.sizes[0], groups) && check_eq(t.sizes[1], rows) && check_eq(t.sizes[2], 2),
               "C4", "qScaleAndZeros must have the sizes [{}, {}, 2]: it is {}", groups, rows, t);
}

void mm_for_cpu_rule(RuleCall& call) {
  const TensorMeta &a = require_self(call), &b = call.meta(kMm["mat2"]);
  call.require(is_contiguous(a), "C5", "self must be row-major, strides are {}: pass self.contiguous()", a.strides);
  call.require(b.dtype == DType::U8, "C2", "mat2 must be u8: it is {}", b);
  call.require(is_contiguous(b), "C5", "mat2 must be row-major, strides are {}: pass mat2.contiguous()", b.strides);
  call.require_index(a.dim() >= 2 && b.dim() >= 2, "C1", "operands must be matrices: they are {} and {}", a, b);
  call.require(a.dim() == 2 && b.dim() == 2 && check_eq(b.sizes[1], floor_div(a.sizes[1], 2)), "C1",
               "mat2 must have half as many columns as self: operands are {} and {}", a, b);
  const SymInt groups = require_groups(call, a.sizes[1]);
  require_scales_and_zeros(call, groups, b.sizes[0]);
  call.require(call.meta(kMm["qScaleAndZeros"]).dtype == a.dtype, "C2",
               "qScaleAndZeros must have the dtype of self, {}: it is {}", name(a.dtype),
               call.meta(kMm["qScaleAndZeros"]));
  call.require(divides(16, b.sizes[0]), "C1", "16 must divide the rows of mat2: it is {}", b);
  answer_matrix(call, a.dtype, a.sizes[0], b.sizes[0]);
}

/// Raises [op.C1] or [op.C2] unless mat2 of a product on CUDA is i32 and has `rank` dims. Returns the metadata of mat2.
const TensorMeta& require_packed(const RuleCall& call, const TensorMeta& a, int64_t rank) {
  const TensorMeta& b = call.meta(kMm["mat2"]);
  call.require(a.dim() == 2 && b.dim() == rank, "C1", "self must have 2 dims, mat2 {}: they are {} and {}", rank, a, b);
  call.require(b.dtype == DType::I32, "C2", "mat2 must be i32: it is {}", b);
  return b;
}

void mm_rule(RuleCall& call) {
  require_cuda(call, "_weight_int4pack_mm_for_cpu");
  const TensorMeta& a = require_self(call);
  const TensorMeta& b = require_packed(call, a, 4);
  const SymInt rows = b.sizes[0] * 8;
  require_scales_and_zeros(call, require_groups(call, a.sizes[1]), rows);
  answer_matrix(call, a.dtype, a.sizes[0], rows);
}

void mm_with_scales_rule(RuleCall& call) {
  require_cuda(call, "_weight_int4pack_mm_for_cpu");
  const TensorMeta& a = require_self(call);
  const TensorMeta& b = require_packed(call, a, 2);
  require_groups(call, a.sizes[1]);
  answer_matrix(call, a.dtype, a.sizes[0], b.sizes[0]);
}

void dyn_pack_rule(RuleCall& call) {
  constexpr Schema k = kDynPack;
  const TensorMeta& weights = call.meta(k["weights"]);
  call.require(weights.dtype == DType::U8 || weights.dtype == DType::I8, "C2", "weights must be u8: they are {}",
               weights);
  const int64_t block = call.integer(k["block_size"]), row = call.integer(k["in_features"]);
  call.require(block == row || (block > 0 && block % 32 == 0 && row % block == 0), "C3",
               "block_size must be in_features, {}, or a multiple of 32 that divides it: it is {}", row, block);
  SymInt size = weights.numel() + call.meta(k["scales_zeros"]).numel();
  if (call.has(k["bias"])) size = size + call.meta(k["bias"]).numel();
  const SymInt sizes[] = {size};
  call.out.fresh(TensorMeta(DType::F32, sizes, call.device));
}
void run_dyn_pack(KernelCall& call) {
  constexpr Schema k = kDynPack;
  std::vector<Tensor> parts;
  const SymInt row[] = {-1};
  for (Position p : {k["weights"], k["scales_zeros"], k["bias"]}) {
    if (call.has(p)) parts.push_back(ops::reshape(ops::to(call.tensor(p), DType::F32), row));
  }
  ops::copy_(call.outputs[0], ops::cat(parts));
}

void dyn_mm_rule(RuleCall& call) {
  constexpr Schema k = kDynMm;
  const TensorMeta& in = call.meta(k["inp"]);
  const bool whole_rows = call.integer(k["block_size"]) == call.integer(k["in_features"]);
  call.require(in.dtype == DType::F32 || (in.dtype == DType::BF16 && whole_rows), "C2",
               "inp must be f32, or bf16 where a group is a row: it is {}", in);
  call.require_index(in.dim() > 0, "C1", "inp must have dims: it is {}", in);
  answer_matrix(call, in.dtype, in.sizes[0], call.integer(k["out_features"]));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kPackForCpu)
      .with_rule(pack_for_cpu_rule)
      .cpu(pack_cpu)
      .sample("i32[96,4], 2", 0, 15)
      .refuses("C1", "i32[32], 2")
      .refuses("C2", "u8[32,4], 2")
      .refuses("C3", "i32[31,4], 2");
  r.add(kMm.with("_for_cpu"))
      .with_rule(mm_for_cpu_rule)
      .cpu(multiply_cpu)
      .sample("f32[3,64], u8[80,32], 32, f32[2,80,2]", 0, 9)
      .sample("bf16[3,64], u8[16,32], 64, bf16[1,16,2]", 0, 9)
      .refuses("C1", "f32[3,64], u8[16,31], 32, f32[2,16,2]")
      .refuses("C2", "f64[3,64], u8[16,32], 32, f64[2,16,2]")
      .refuses("C3", "f32[3,64], u8[16,32], 16, f32[4,16,2]")
      .refuses("C4", "f32[3,64], u8[16,32], 32, f32[2,15,2]")
      .refuses("C5", "f32[3,64]{1,3}, u8[16,32], 32, f32[2,16,2]");
  r.add(kDynPack)
      .with_rule(dyn_pack_rule)
      .every_device(run_dyn_pack)
      .sample("u8[4,16], f32[4,1], f32[4], 32, 32, 4", 0, 9)
      .refuses("C2", "f32[4,16], f32[4,1], None, 32, 32, 4")
      .refuses("C3", "u8[4,16], f32[4,1], None, 16, 32, 4");
  r.add(kDynMm)
      .with_rule(dyn_mm_rule)
      .refuses("C1", "f32[], f32[68], 32, 32, 4")
      .refuses("C2", "f16[3,32], f32[68], 32, 32, 4");
  // PyTorch has no CPU kernel for these operators.
  r.add(kPack).with_rule(pack_rule).refuses("", "u8[32,32], 2");
  r.add(kMm.with("")).with_rule(mm_rule).refuses("", "bf16[4,64], i32[4,2,32,1], 32, bf16[2,32,2]");
  r.add(kMmWithScales).with_rule(mm_with_scales_rule).refuses("", "bf16[4,64], i32[32,8], 32, bf16[2,32], bf16[2,32]");
}

}  // namespace ersatz::op_packed_weights
