// The ops of binary_table.def: one rule for all of them, and a check of their own where they refuse more.
#include "kernels/pointwise/elementwise.h"
#include "runtime/registry.h"

namespace ersatz::op_binary {

using pointwise::Promotion;
using pointwise::Row;

FillKernel cpu_kernel(Row row);  // binary_cpu.cpp

namespace {

struct Info {
  DTypeSet dtypes;
  Promotion promotion;
  double low, high, tolerance, flops;
};

template <Row R>
struct InfoOf;
#define BINARY(name, dtypes, promotion, kinds, expression, low, high, tolerance, flops)             \
  template <>                                                                                       \
  struct InfoOf<Row::name> {                                                                        \
    static constexpr Info value{dtypes, Promotion::promotion, low, high, tolerance, double(flops)}; \
  };
#include "kernels/pointwise/all_rows.def"

constexpr uint8_t kOperands[] = {0, 1};

/// The operand's dtype as promotion sees it.
DType own_dtype(const RuleCall& call, size_t i) {
  return call.is_tensor(i) ? call.meta(i).dtype : call.scalar(i).dtype();
}

/// [add.C2] [sub.C2]: `alpha` (argument 2) fits the result: no float for integers, no complex for reals, a bool only
/// for bool.
void check_alpha(const RuleCall& call, DType common) {
  const Scalar alpha = call.scalar(2);
  call.require(alpha.kind() != Scalar::Kind::Bool || common == DType::Bool, "C2",
               "a bool alpha needs bool operands: the common dtype is {}", name(common));
  call.require(is_float(common) || is_complex(common) || alpha.is_integral(), "C2",
               "integer operands need an integer alpha: the common dtype is {}", name(common));
  call.require(is_complex(common) || !alpha.is_complex(), "C2",
               "a complex alpha needs complex operands: the common dtype is {}", name(common));
}

/// [sub.C3]: bool is not subtracted, not even from a number.
void check_sub(const RuleCall& call, DType common) {
  call.require(own_dtype(call, 0) != DType::Bool && own_dtype(call, 1) != DType::Bool, "C3",
               "bool operands cannot be subtracted: operands are {} and {}; use logical_not or bitwise_xor",
               name(own_dtype(call, 0)), name(own_dtype(call, 1)));
  check_alpha(call, common);
}

template <Row R>
void check(const RuleCall& call, DType common) {
  if constexpr (R == Row::add) check_alpha(call, common);
  if constexpr (R == Row::sub) check_sub(call, common);
}

template <Row R>
void rule(RuleCall& call) {
  const Info& info = InfoOf<R>::value;
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  check<R>(call, common);
  call.require_dtype(common, info.dtypes);
  const DType operand = pointwise::operand_dtype(info.promotion, common, call.context.default_dtype);
  pointwise::answer_elementwise(call, kOperands, pointwise::result_dtype(info.promotion, operand), operand);
}

template <Row R>
double flops(RuleCall&, const RuleResult& result) {
  const SymInt n = result.outputs[0].meta.numel();
  return n.is_int() ? InfoOf<R>::value.flops * static_cast<double>(n.as_int()) : 0;
}

/// Samples by the types of the two operands: `f32[2,3], f32[3]`, `f32[2,3], 2`, `2, f32[3]`.
std::string operands_text(const OpEntry& op, std::string_view dtype, std::string_view second) {
  auto tensor = [&](std::string_view sizes) { return fmt::format("{}{}", dtype, sizes); };
  const bool scalar0 = op.schema.arguments[0].type.base != BaseType::Tensor;
  const bool scalar1 = op.schema.arguments[1].type.base != BaseType::Tensor;
  return fmt::format("{}, {}", scalar0 ? "2" : tensor("[2,3]"), scalar1 ? "2" : tensor(second));
}

template <Row R>
void add(Registry& r, Tags tags, std::string_view functional, std::string_view inplace, std::string_view out) {
  const Info& info = InfoOf<R>::value;
  OpEntry& op = r.add(functional, __FILE__);
  const std::string_view dtype = info.dtypes.has(DType::F32) ? "f32" : "i64";
  op.tag(tags | Tag::Pointwise | Tag::AcceptsNumbers)
      .with_rule(rule<R>)
      .cpu(cpu_kernel(R))
      .dtypes(info.dtypes)
      .devices(std::vector<DeviceRule>(op.schema.arguments.size(), DeviceRule::CpuScalarOk))
      .with_tolerance(info.tolerance)
      .count_flops(flops<R>)
      .sample(operands_text(op, dtype, "[2,3]"), info.low, info.high)
      .sample(operands_text(op, dtype, "[3]"), info.low, info.high)
      .sample(operands_text(op, dtype, "[2,3]{1,2}"), info.low, info.high);
  if (op.schema.arguments[0].type.base == BaseType::Tensor && op.schema.arguments[1].type.base == BaseType::Tensor) {
    op.refuses("C1", operands_text(op, dtype, "[4]"));
  }
  if (!inplace.empty()) r.add_inplace(inplace, op);
  if (!out.empty()) r.add_out(out, op);
}

constexpr Tags kCore = Tag::Core, kRest;

}  // namespace

void register_ops(Registry& r) {
#define OVERLOAD(row, tags, functional, inplace, out) add<Row::row>(r, k##tags, functional, inplace, out);
#include "kernels/pointwise/binary_overloads.def"
#undef OVERLOAD
}

}  // namespace ersatz::op_binary
