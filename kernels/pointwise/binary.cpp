// The ops of binary_table.def. They share one rule; an op can add a check by its `Exceptions`.
#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_binary {

using pointwise::Promotion;
using pointwise::Row;

void run_nextafter_of_halves(KernelCall& call, DType dtype);  // in nextafter_cpu.cpp

namespace {

constexpr uint8_t kOperands[] = {0, kBinary["{}"]}, kExchanged[] = {kBinary["{}"], 0};

/// Returns the dtype of operand i before promotion; the operand is a tensor or a number.
DType own_dtype(const RuleCall& call, Position i) {
  return call.is_tensor(i) ? call.meta(i).dtype : call.scalar(i).dtype();
}

/// Checks [add.C2] and [sub.C2]: `alpha` fits the common dtype. Refuses a float for integers, a complex number for
/// reals, a bool unless the dtype is bool, and a number outside the dtype's range.
void check_alpha(const RuleCall& call, DType common) {
  const Scalar alpha = call.scalar(kBinary["alpha"]);
  call.require(alpha.kind() != Scalar::Kind::Bool || common == DType::Bool, "C2",
               "a bool alpha needs bool operands: the common dtype is {}", name(common));
  call.require(is_float(common) || is_complex(common) || alpha.is_integral(), "C2",
               "integer operands need an integer alpha: the common dtype is {}", name(common));
  call.require(is_complex(common) || !alpha.is_complex(), "C2",
               "a complex alpha needs complex operands: the common dtype is {}", name(common));
  require_loop_number(call, alpha, common, LoopNumber::Element, "C2");
}

/// Checks [sub.C3] and [rsub.C3]: no operand is bool, even if the other operand is a number.
void refuse_bools(const RuleCall& call) {
  const DType a = own_dtype(call, kBinary["self"]), b = own_dtype(call, kBinary["{}"]);
  if (a == DType::Bool || b == DType::Bool) {
    call.refuse(ErrorFamily::NotImplemented, "C3",
                "bool operands cannot be subtracted: operands are {} and {}; use logical_not or bitwise_xor", name(a),
                name(b));
  }
}

/// Checks [maximum.C2] and C2 of other ops that compare: no operand is complex, because complex numbers have no order.
void refuse_unordered(const RuleCall& call) {
  for (const Position i : {kBinary["self"], kBinary["{}"]}) {
    const DType t = own_dtype(call, i);
    if (is_complex(t))
      call.refuse(ErrorFamily::Type, "C2", "complex numbers are not ordered: an operand is {}", name(t));
  }
}

/// Checks [heaviside.C2]: both operands have one dtype, because at::heaviside does not promote.
void check_heaviside(const RuleCall& call, DType common) {
  const DType a = own_dtype(call, kBinary["self"]), b = own_dtype(call, kBinary["{}"]);
  if (is_complex(common)) call.require_dtype_first(common, kReals | kBool);
  call.require(a == b, "C2", "both operands must have one dtype: they are {} and {}", name(a), name(b));
}

void heaviside_out_rule(RuleCall& call) {
  call.require_dtype(call.meta(call.args.size() - 1).dtype, kReals | kBool);
  derived_out_rule(call);
}

bool is_number(const Value& v, double n) {
  if (!v.is_number()) return false;
  const Scalar s = v.as_scalar();
  return s.is_complex() ? s.to_complex() == n : s.to_double() == n;
}
/// Whether `base` is the number 1 (and not True). If it is, at::pow fills the result with ones, for any dtypes.
bool is_one(const Value& base) { return is_number(base, 1) && base.as_scalar().kind() != Scalar::Kind::Bool; }

/// Checks the common dtype of pow. PyTorch fills the result with ones if the base is the number 1 or the exponent is 0.
/// It copies the base if the exponent is 1. More dtypes can be filled or copied than can be raised to a power.
void require_power(const RuleCall& call, DType common) {
  const bool is_copied = is_number(call[kBinary["{}"]], 1);
  const bool is_filled = is_number(call[kBinary["{}"]], 0) || is_one(call[kBinary["self"]]);
  const DTypeSet limited = is_copied ? kLimitedDTypes : is_filled ? kLimitedDTypes.without(kFloat4s) : DTypeSet();
  call.require_dtype(common, call.op.cpu_dtypes | limited);
}

/// Checks [pow.C2]: an integer is not raised to a negative integer number, because the result would not be an integer.
/// Checks [pow.C3]: an exponent that is a number fits the common dtype if the common dtype is an integer, f16 or bf16.
void check_pow(const RuleCall& call, DType common) {
  if (call.is_tensor(kBinary["{}"])) return;  // PyTorch broadcasts tensors before it chooses a kernel
  require_power(call, common);
  const Scalar exponent = call.scalar(kBinary["{}"]);
  if (is_integer(common) || is_reduced_float(common))
    require_loop_number(call, exponent, common, LoopNumber::Element, "C3");
  if (is_integral(common) && exponent.kind() == Scalar::Kind::Int) {
    call.require(check_ge(exponent.to_comparable(), 0), "C2",
                 "integers to negative integer powers are not integers: {} to the power {}", name(common),
                 to_string(Value(exponent)));
  }
}

/// The rule of `pow.Scalar_out`. If the base is 1, `out` is filled with ones. Otherwise `out` is resized before PyTorch
/// checks whether it overlaps the exponent.
void pow_scalar_out_rule(RuleCall& call) {
  const Position out{call.args.size() - 1};
  if (!is_one(call[kBinary["self"]]))
    return derived_out_rule(call, WrittenForm{.cast = WrittenCast::Any, .row_major = true});
  const TensorMeta& exponent = call.meta(kBinary["{}"]);
  call.require_dtype_first(call.meta(out).dtype, kAllDTypes | kLimitedDTypes.without(kFloat4s));
  answer_out(call, TensorMeta(call.meta(out).dtype, exponent.sizes, exponent.device), out,
             {.row_major = true, .may_overlap = true});
}

/// The rule of `pow.Tensor_Scalar_out`. If the base does not have the dtype of the power, at::pow converts it to a
/// copy. Then the base may overlap `out`.
void pow_by_number_out_rule(RuleCall& call) {
  WrittenForm form = call.op.form;
  const DType common = pointwise::common_dtype(call.context, call.args.first(2), kOperands);
  if (call.meta(kBinary["self"]).dtype != common) form.may_overlap = form.own_elements = true;
  derived_out_rule(call, form);
}

void answer_row_major(RuleCall& call) {
  if (call.is_tensor(kBinary["self"])) return;
  TensorMeta& result = call.out.outputs[0].meta;
  result.strides = contiguous_strides(result.sizes);
}

/// Properties in which one op of binary_table.def differs from the others.
struct Exceptions {
  void (*check)(const RuleCall& call, DType common) = nullptr;  ///< checks that are made before all others
  void (*check_operands)(const RuleCall& call) = nullptr;       ///< checks before the common dtype is determined
  bool exchanged = false;  ///< the second operand's strides, and not the first's, decide the result's strides first
  /// Whether ATen's TensorIterator does not get numbers as operands. Then the result is row-major if the first operand
  /// is a number.
  bool row_major_of_number = false;
  bool fails_on_values = false;    ///< an integer zero divisor raises a value failure, which only the kernel can find
  DTypeSet dtypes_on_cuda = {};    ///< supported dtypes on CUDA, if they differ from those on the CPU
  DTypeSet tensor_exponents = {};  ///< supported dtypes if the exponent is a tensor; empty: as for a number
  DeviceRule device = DeviceRule::CpuScalarOk;
  Rule out_rule = nullptr;  ///< the rule of the `out=` form if it is not derived_out_rule
};

struct Info {
  DTypeSet dtypes;
  Promotion promotion;
  double low, high, tolerance;
  int flops;
  Exceptions but;
};

template <Row R>
struct InfoOf;
#define BINARY(name, dtypes, promotion, kinds, expression, low, high, tolerance, flops, ...)                         \
  template <>                                                                                                        \
  struct InfoOf<Row::name> {                                                                                         \
    static constexpr Info value{dtypes, Promotion::promotion, low, high, tolerance, flops, Exceptions{__VA_ARGS__}}; \
  };
#include "kernels/pointwise/all_rows.def"

template <Row R>
void rule(RuleCall& call) {
  constexpr const Info& info = InfoOf<R>::value;
  if constexpr (info.but.check_operands != nullptr) info.but.check_operands(call);
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  if constexpr (info.but.check != nullptr) info.but.check(call, common);
  const DType operand = pointwise::operand_dtype(info.promotion, common, call.context.default_dtype);
  const auto& operands = info.but.exchanged ? kExchanged : kOperands;
  constexpr auto numbers = info.but.row_major_of_number ? pointwise::Numbers::Parameters : pointwise::Numbers::Operands;
  pointwise::answer_elementwise(call, operands, pointwise::result_dtype(info.promotion, operand), operand, numbers);
  const bool other_dtypes = info.but.dtypes_on_cuda != DTypeSet() && call.device.is_cuda();
  if constexpr (R != Row::pow) call.require_dtype(common, other_dtypes ? info.but.dtypes_on_cuda : info.dtypes);
  if (R == Row::pow && call.is_tensor(kBinary["{}"])) require_power(call, common);
  if constexpr (info.but.row_major_of_number) answer_row_major(call);
}

template <Row R>
std::optional<SymInt> flops(RuleCall&, const RuleResult& result) {
  return SymInt(InfoOf<R>::value.flops) * result.outputs[0].meta.numel();
}

/// An `out=` form: the name of its overload, and how the result is written to `out`.
struct Out {
  std::string_view overload;
  WrittenForm form;
};
constexpr Out kNoOut;
constexpr Out cast(const char* overload) { return {overload, {.cast = WrittenCast::Any}}; }
constexpr Out exact(const char* overload) { return {overload, {}}; }
constexpr Out generated(const char* overload) { return {overload, kGeneratedForm}; }
/// Whether the op has an in-place form, and the name of its overload if it differs from the op's overload.
struct InPlace {
  bool exists = false;
  std::string_view overload = {};
};
constexpr InPlace kInPlace{true}, kNoInPlace;
constexpr InPlace kInPlaceAs(const char* overload) { return {true, overload}; }

/// Returns a sample's arguments for the types of the two operands: `f32[2,3], f32[3]`, `f32[2,3], 2` or `2, f32[3]`.
std::string operands_text(const OpEntry& op, std::string_view dtype, std::string_view second) {
  auto tensor = [&](std::string_view sizes) { return fmt::format("{}{}", dtype, sizes); };
  const bool scalar0 = op.schema.arguments[0].type.base != BaseType::Tensor;
  const bool scalar1 = op.schema.arguments[1].type.base != BaseType::Tensor;
  return fmt::format("{}, {}", scalar0 ? "2" : tensor("[2,3]"), scalar1 ? "2" : tensor(second));
}

/// Computes a power. For the exponents 2, 3, 0.5, -0.5 and -1 it runs cheaper loops that give the same values.
void run_pow(KernelCall& call, DType common) {
  constexpr uint8_t base[] = {kBinary["self"]};
  if (kLimitedDTypes.has(common)) {
    if (is_one(call[kBinary["self"]]) || is_number(call[kBinary["{}"]], 0)) return fill_elements(call.outputs[0], 1);
    if (is_number(call[kBinary["{}"]], 1)) return copy_elements(call.outputs[0], call.tensor(kBinary["self"]));
  }
  if (call[kBinary["self"]].is_tensor() && call[kBinary["{}"]].is_number() &&
      !call[kBinary["{}"]].as_scalar().is_complex()) {
    const double exponent = call.scalar(kBinary["{}"]).to_double();
    if (exponent == 2) return pointwise::run_row(call, Row::square, base, common);
    if (exponent == 3) return pointwise::run_row(call, Row::cube, base, common);
    if (!is_integral(common) && exponent == 0.5) return pointwise::run_row(call, Row::sqrt, base, common);
    if (!is_integral(common) && exponent == -0.5) return pointwise::run_row(call, Row::rsqrt, base, common);
    if (!is_integral(common) && exponent == -1) return pointwise::run_row(call, Row::reciprocal, base, common);
  }
  pointwise::run_row(call, Row::pow, kOperands, common);
}

void run(KernelCall& call, Row row, Promotion promotion) {
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  if (row == Row::pow) return run_pow(call, common);
  if (row == Row::nextafter && is_reduced_float(common)) return run_nextafter_of_halves(call, common);
  const bool divides = row == Row::floor_divide || row == Row::remainder || row == Row::fmod;
  if (divides && is_integral(common)) pointwise::refuse_zero_divisor(call, kBinary["{}"]);
  pointwise::RowParams params;
  if (call.args.size() > kBinary["alpha"] && call[kBinary["alpha"]].is_number())
    pointwise::set_param(params, 0, call.scalar(kBinary["alpha"]));
  pointwise::run_row(call, row, kOperands, pointwise::operand_dtype(promotion, common, call.context.default_dtype),
                     params);
}

template <Row R>
void run(KernelCall& call) {
  run(call, R, InfoOf<R>::value.promotion);
}

template <Row R>
void add(Registry& r, Tags tags, std::string_view functional, InPlace inplace, Out out) {
  const Info& info = InfoOf<R>::value;
  OpEntry& op = r.add(functional);
  const std::string_view dtype = info.dtypes.has(DType::F32) ? "f32" : "i64";
  const bool narrower = info.but.tensor_exponents != DTypeSet() && op.schema.arguments[1].type.base == BaseType::Tensor;
  op.tag(tags | Tag::Pointwise | Tag::AcceptsNumbers | (info.but.fails_on_values ? Tags(Tag::FailsOnValues) : Tags()))
      .with_rule(rule<R>)
      .every_device(run<R>)
      .dtypes(narrower ? info.but.tensor_exponents : info.dtypes)
      .dtypes_on_cuda(info.but.dtypes_on_cuda)
      .devices(std::vector<DeviceRule>(op.schema.arguments.size(), info.but.device))
      .with_tolerance(info.tolerance)
      .count_flops(flops<R>)
      .sample(operands_text(op, dtype, "[2,3]"), info.low, info.high)
      .sample(operands_text(op, dtype, "[3]"), info.low, info.high)
      .sample(operands_text(op, dtype, "[2,3]{1,2}"), info.low, info.high);
  if (op.schema.arguments[0].type.base == BaseType::Tensor && op.schema.arguments[1].type.base == BaseType::Tensor) {
    op.refuses("C1", operands_text(op, dtype, "[4]"));
  }
  if (inplace.exists) inplace.overload.empty() ? r.add_inplace(op) : r.add_inplace_as(inplace.overload, op);
  if (out.overload.empty()) return;
  OpEntry& variant = r.add_out(op, out.overload, out.form);
  if (info.but.out_rule != nullptr) variant.with_rule(info.but.out_rule);
}

constexpr Tags kCore = Tag::Core, kRest;

}  // namespace

void register_ops(Registry& r) {
#define OVERLOAD(row, tags, functional, inplace, out) add<Row::row>(r, k##tags, functional, k##inplace, out);
#include "kernels/pointwise/binary_overloads.def"
#undef OVERLOAD
  r.find_mutable("aten.pow.Scalar_out")->with_rule(pow_scalar_out_rule).sample("1, c64[2,3]{1,2}, out=f32[0]");
  r.find_mutable("aten.pow.Tensor_Scalar_out")->with_rule(pow_by_number_out_rule);
  r.find_mutable("aten.atan2.out")->tag(Tag::Core);  // ATen tags no other out= form as core
}

}  // namespace ersatz::op_binary
