#include "kernels/linalg/mixed_products.h"

#include <algorithm>

#include "kernels/linalg/grouped_rule.h"
#include "kernels/linalg/mm.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/slice.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_mixed_products {
namespace {

using namespace arithmetic;

Tensor transposed(const Tensor& t) { return call_op<"aten.transpose.int">(t, int64_t(-2), int64_t(-1)); }

void int_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kIntMm["self"]), &b = call.meta(kIntMm["mat2"]);
  call.require(a.dim() == 2 && b.dim() == 2 && check_eq(a.sizes[1], b.sizes[0]), "C1",
               "operands must be matrices that fit: they are {} and {}", a, b);
  call.require((a.dtype == DType::I8 || a.dtype == DType::U8) && b.dtype == DType::I8, "C2",
               "operands must be i8, or self u8: they are {} and {}", a, b);
  const auto divides = [](const SymInt& n) { return check_eq(n, floor_div(n, 8) * 8); };
  call.require(!call.device.is_cuda() || (check_gt(a.sizes[0], 16) && divides(a.sizes[1]) && divides(b.sizes[1])), "C4",
               "CUDA wants more than 16 rows, and other sizes that 8 divides: operands are {} and {}", a, b);
  const SymInt sizes[] = {a.sizes[0], b.sizes[1]};
  call.out.fresh(TensorMeta(DType::I32, sizes, call.device));
}
void int_out_rule(RuleCall& call) {
  RuleResult result;
  RuleCall functional = call.with(call.args.first(kIntMm.out()), result);
  int_rule(functional);
  const TensorMeta &made = result.outputs[0].meta, &out = call.meta(kIntMm.out());
  call.require(out.dim() == 2 && check_eq(out.sizes, made.sizes) && is_contiguous(out), "C4",
               "out must be row-major with the sizes {}: it is {}", made.sizes, out);
  answer_out(call, made, kIntMm.out(), WrittenForm());
}
/// The result is exact, because f64 represents all sums of 8-bit products exactly.
void run_int(KernelCall& call) {
  const Tensor a = ops::to(call.tensor(kIntMm["self"]), DType::F64),
               b = ops::to(call.tensor(kIntMm["mat2"]), DType::F64);
  ops::copy_(call.outputs[0], ops::mm(a, b));
}

void int8_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kInt8Mm["self"]), &b = call.meta(kInt8Mm["mat2"]),
                   &scales = call.meta(kInt8Mm["scales"]);
  call.require((a.dtype == DType::F32 || is_reduced_float(a.dtype)) && b.dtype == DType::I8 && scales.dtype == a.dtype,
               "C2", "self and scales must have one dtype, f32, f16 or bf16, mat2 be i8: they are {}, {} and {}", a,
               scales, b);
  call.require(a.dim() == 2 && b.dim() == 2 && check_eq(a.sizes[1], b.sizes[1]), "C1",
               "operands must be matrices whose rows fit: they are {} and {}", a, b);
  call.require(scales.dim() == 1 && check_eq(scales.sizes[0], b.sizes[0]), "C3",
               "scales must have an element for each row of mat2: it is {}, mat2 is {}", scales, b);
  call.require((size_eq(a.sizes[1], 1) || check_eq(a.strides[1], 1)) && is_contiguous(b), "C4",
               "rows of self and all of mat2 must be dense: they are {} and {}", a, b);
  const SymInt sizes[] = {a.sizes[0], b.sizes[0]};
  call.out.fresh(TensorMeta(a.dtype, sizes, call.device));
}
void run_int8(KernelCall& call) {
  const Tensor a = ops::to(call.tensor(kInt8Mm["self"]), DType::F32),
               b = ops::to(call.tensor(kInt8Mm["mat2"]), DType::F32);
  ops::copy_(call.outputs[0], ops::mm(a, transposed(b)) * wide_operand(call.tensor(kInt8Mm["scales"])));
}

/// Raises [op.C2] unless `out` is the operands' dtype, or f32 for operands of f16 or bf16.
void require_out_dtype(const CompositeCall& call, DType operands, DType out) {
  call.require(out == operands || (out == DType::F32 && is_reduced_float(operands)), "C2",
               "out_dtype must be that of the operands, {}, or of f16 and bf16 f32: it is {}", name(operands),
               name(out));
}
template <OpName op>
void mm_dtype(CompositeCall& call) {
  const Tensor a = call.tensor(kMmDtype["self"]), b = call.tensor(kMmDtype["mat2"]);
  const DType out = call[kMmDtype["out_dtype"]].as_dtype();
  require_out_dtype(call, a.dtype(), out);
  call.require(a.dtype() == b.dtype(), "C2", "operands must have one dtype: they are {} and {}", a.meta(), b.meta());
  call.returns(call_op<op>(ops::to(a, out), ops::to(b, out)));
}
template <OpName op>
void addmm_dtype(CompositeCall& call) {
  constexpr Schema k = kAddmmDtype;
  const Tensor self = call.tensor(k["self"]), a = call.tensor(k["{1}1"]), b = call.tensor(k["{1}2"]);
  const DType out = call[k["out_dtype"]].as_dtype();
  require_out_dtype(call, a.dtype(), out);
  call.require(a.dtype() == b.dtype() && (self.dtype() == out || self.dtype() == a.dtype()), "C2",
               "operands must have one dtype, self that or out_dtype: they are {}, {} and {}", a.meta(), b.meta(),
               self.meta());
  call.returns(call_op<op>(ops::to(self, out), ops::to(a, out), ops::to(b, out), call[k["beta"]], call[k["alpha"]]));
}

void activation(CompositeCall& call) {
  constexpr Schema k = kActivation;
  const Tensor sum = call_op<"aten.addmm.default">(call[k["self"]], call[k["mat1"]], call[k["mat2"]], call[k["beta"]],
                                                   call[k["alpha"]]);
  if (!call.boolean(k["use_gelu"])) return call.returns(ops::relu(sum));
  call.returns(call_op<"aten.gelu.default">(sum, std::string_view(call.device.is_cuda() ? "tanh" : "none")));
}

void activation_out(CompositeCall& call) {
  constexpr Schema k = kActivation;
  const Tensor out = call.tensor(k.out());
  call_op<"aten.addmm.out">(call[k["self"]], call[k["mat1"]], call[k["mat2"]], call[k["beta"]], call[k["alpha"]], out);
  if (call.boolean(k["use_gelu"])) {
    call_op<"aten.gelu_.default">(out, std::string_view(call.device.is_cuda() ? "tanh" : "none"));
  } else {
    call_op<"aten.relu_.default">(out);
  }
  call.returns(call[k.out()]);
}

/// Raises [_grouped_mm.C4] unless one of the last two strides is 1 and all other strides are multiples of 16 bytes.
void require_aligned(const RuleCall& call, Position p) {
  const TensorMeta& t = call.meta(p);
  const size_t rank = t.sizes.size();
  const SymInt unit = 16 / item_size(t.dtype);
  const auto aligned = [&](const SymInt& stride) { return check_eq(stride, floor_div(stride, unit) * unit); };
  const bool rows = check_eq(t.strides[rank - 1], 1) && check_ge(t.strides[rank - 2], t.sizes[rank - 1]) &&
                    aligned(t.strides[rank - 2]);
  const bool columns = check_eq(t.strides[rank - 2], 1) && check_ge(t.strides[rank - 1], t.sizes[rank - 2]) &&
                       aligned(t.strides[rank - 1]);
  call.require((rows || columns) && (rank == 2 || aligned(t.strides[0])), "C4",
               "{} must have dense rows or columns that begin at multiples of 16 bytes: it is {}",
               call.op.schema.arguments[p].name, t);
}

void grouped_rule(RuleCall& call) {
  constexpr Schema k = kGrouped;
  const TensorMeta &a = call.meta(k["self"]), &b = call.meta(k["mat2"]);
  call.require(a.dtype == b.dtype && (a.dtype == DType::F32 || is_reduced_float(a.dtype)), "C2",
               "operands must have one dtype, f32, f16 or bf16: they are {} and {}", a, b);
  const Groups groups = require_groups(call, a, b);
  require_offsets(call, k["offs"], groups, a, b);
  for (Position p : {k["self"], k["mat2"]}) require_aligned(call, p);
  call.require(!call.has(k["bias"]), "C5", "there is no bias");
  call.require(!call.has(k["out_dtype"]) || call[k["out_dtype"]].as_dtype() == a.dtype, "C5",
               "out_dtype must be that of the operands: they are {}", a);
  answer_groups(call, k["offs"], groups, a, b, a.dtype);
}
/// An offset beyond the end of the matrix counts as its end. An offset below the previous offset counts as the previous
/// one.
void run_grouped(KernelCall& call) {
  constexpr Schema k = kGrouped;
  const Tensor a = call.tensor(k["self"]), b = call.tensor(k["mat2"]), &out = call.outputs[0];
  const Groups groups(a.meta(), b.meta());
  if (groups.both()) return (void)ops::copy_(out, call_op<"aten.bmm.default">(a, b));
  const Tensor offsets = ops::to(call.tensor(k["offs"]), {.dtype = DType::I64, .device = kCPU});
  const Tensor ends = call_op<"aten.contiguous.default">(offsets, MemoryFormat::Contiguous);
  const int64_t shared_dim = groups.left ? 1 : groups.right ? 0 : 1;  // the dim of the 2-d operand that offsets cut
  const Tensor& cut = groups.left ? b : a;
  const int64_t last = cut.sizes()[static_cast<size_t>(shared_dim)].as_int();
  const auto group = [](const Tensor& t, int64_t i) { return call_op<"aten.select.int">(t, int64_t(0), SymInt(i)); };
  fill_elements(out, 0);
  int64_t from = 0;
  for (int64_t i = 0, n = ends.numel().as_int(); i < n; ++i) {
    const int64_t to = std::clamp(ends.data<int64_t>()[i], from, last);
    const auto piece = [&](const Tensor& t, int64_t dim) { return ops::slice(t, dim, SymInt(from), SymInt(to)); };
    if (groups.right) {
      ops::copy_(piece(out, 0), ops::mm(piece(a, 0), group(b, i)));
    } else if (groups.left) {
      ops::copy_(piece(out, 1), ops::mm(group(a, i), piece(b, 1)));
    } else {
      ops::copy_(group(out, i), ops::mm(piece(a, 1), piece(b, 0)));
    }
    from = to;
  }
}

Tensor sum_relu(const CompositeCall& call) {
  const Value& other = call[kAddRelus["other"]];
  const Tensor self = call.tensor(kAddRelus["self"]);
  const Tensor sum = other.is_tensor() ? call_op<"aten.add.Tensor">(self, other, call[kAddRelus["alpha"]])
                                       : call_op<"aten.add.Scalar">(self, other, call[kAddRelus["alpha"]]);
  constexpr DTypeSet kSigned{DType::F32, DType::F64, DType::I8, DType::I16, DType::I32, DType::I64};
  call.require(kSigned.has(sum.dtype()), "C2", "the sum must be f32, f64, or an integer with a sign: it is {}",
               sum.meta());
  return ops::relu(sum);
}
void add_relu(CompositeCall& call) { call.returns(sum_relu(call)); }
void add_relu_out(CompositeCall& call) {
  const Position out = call.args.size() - 1;
  call_op<"aten.clamp_min.out">(sum_relu(call), Scalar(0), call.tensor(out));
  call.returns(call[out]);
}
void add_relu_inplace(CompositeCall& call) {
  const Tensor sum = sum_relu(call), self = call.tensor(kAddRelus["self"]);
  call.require(same_sizes(sum.sizes(), self.sizes()) && can_cast(sum.dtype(), self.dtype()), "C1",
               "the sum must fit self: they are {} and {}", sum.meta(), self.meta());
  ops::copy_(self, sum);
  call.returns(call[kAddRelus["self"]]);
}

template <OpName op>
void add_dtype(Registry& r, const char* name, const std::string& sample) {
  OpEntry& made = r.add(kMmDtype.with(name))
                      .with_composite(mm_dtype<op>)
                      .sample(sample)
                      .refuses("C2", sample.substr(0, sample.rfind(',')) + ", f64");
  add_written_apart(r, made, "dtype_out").sample(sample + ", out=f32[0]");
}
template <OpName op>
void add_addmm_dtype(Registry& r, const char* name, const char* operand, const std::string& sample) {
  OpEntry& made = r.add(kAddmmDtype.with(name, operand))
                      .with_composite(addmm_dtype<op>)
                      .sample(sample + ", beta=0.5")
                      .refuses("C2", sample.substr(0, sample.rfind(',')) + ", f64");
  add_written_apart(r, made, "dtype_out").sample(sample + ", out=f32[0]");
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& ints = r.add(kIntMm)
                      .with_rule(int_rule)
                      .every_device(run_int)
                      .sample("i8[17,8], i8[8,16]", -128, 127)
                      .sample("u8[17,8], i8[8,16]{1,8}", 0, 127)
                      .refuses("C1", "i8[17,8], i8[7,16]")
                      .refuses("C2", "i32[17,8], i8[8,16]");
  r.add_out_alike(ints, "out")
      .with_rule(int_out_rule)
      .sample("i8[17,8], i8[8,16], out=i32[17,16]")
      .refuses("C4", "i8[17,8], i8[8,16], out=i32[0]");
  r.add(kInt8Mm)
      .with_rule(int8_rule)
      .every_device(run_int8)
      .sample("f32[3,8], i8[4,8], f32[4]")
      .sample("bf16[3,8], i8[4,8], bf16[4]")
      .refuses("C1", "f32[3,8], i8[4,7], f32[4]")
      .refuses("C2", "f64[3,8], i8[4,8], f64[4]")
      .refuses("C3", "f32[3,8], i8[4,8], f32[3]")
      .refuses("C4", "f32[3,8], i8[4,8]{1,4}, f32[4]");
  add_dtype<"aten.mm.default">(r, "mm", "f16[2,3], f16[3,4], f32");
  add_dtype<"aten.bmm.default">(r, "bmm", "f16[2,2,3], f16[2,3,4], f32");
  add_addmm_dtype<"aten.addmm.default">(r, "addmm", "mat", "f16[4], f16[2,3], f16[3,4], f32");
  add_addmm_dtype<"aten.baddbmm.default">(r, "baddbmm", "batch", "f32[4], f16[2,2,3], f16[2,3,4], f32");
  OpEntry& active = r.add(kActivation)
                        .with_composite(activation)
                        .sample("f32[4], f32[2,3], f32[3,4]")
                        .sample("f32[4], f32[2,3], f32[3,4], use_gelu=True");
  r.add_out_alike(active, "out").with_composite(activation_out).sample("f32[4], f32[2,3], f32[3,4], out=f32[0]");
  r.add(kGrouped)
      .with_rule(grouped_rule)
      .every_device(run_grouped)
      .sample("f32[6,4], f32[2,4,8], i32[2]", 0, 6)
      .sample("bf16[2,3,8], bf16[2,8,15]{120,1,8}")
      .sample("f32[2,3,4], f32[4,8], i32[2]", 0, 6)
      .sample("f32[3,4], f32[4,8], i32[2]", 0, 4)
      .refuses("C1", "f32[6,4], f32[2,8,4], i32[2]")
      .refuses("C2", "f64[6,4], f64[2,4,8], i32[2]")
      .refuses("C3", "f32[6,4], f32[2,4,8], i64[2]")
      .refuses("C4", "f32[6,4]{8,2}, f32[2,4,8], i32[2]")
      .refuses("C5", "f32[6,4], f32[2,4,8], i32[2], f32[2,8]");
  OpEntry& sum = r.add(kAddRelu.with("", "", ""))
                     .with_composite(add_relu)
                     .sample("f32[2,3]{1,2}, f32[3], alpha=2")
                     .refuses("C2", "f16[2], f16[2]");
  r.add_out_alike(sum, "out").with_composite(add_relu_out).sample("f32[2], f32[2], out=f32[0]");
  r.add(kAddRelu.with("_", "(a!)", "(a!)"))
      .with_composite(add_relu_inplace)
      .sample("f32[2,3], f32[3]")
      .refuses("C1", "f32[3], f32[2,3]");
  OpEntry& number = r.add(kAddReluScalar.with("", "", "")).with_composite(add_relu).sample("i64[2,3], 1, 2");
  r.add_out_alike(number, "Scalar_out").with_composite(add_relu_out).sample("f32[2], 1, out=f32[0]");
  r.add(kAddReluScalar.with("_", "(a!)", "(a!)")).with_composite(add_relu_inplace).sample("f32[2,3], 1");
}

}  // namespace ersatz::op_mixed_products
