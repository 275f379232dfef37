// The ops of unary_table.def. They share one rule.
#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_unary {

using pointwise::Promotion;
using pointwise::Row;

namespace {

/// Checks [abs.C2]: abs_ refuses a complex tensor, because absolute values are real.
void abs_inplace_rule(RuleCall& call) {
  call.require(!is_complex(call.meta(kUnary["{}"]).dtype), "C2", "in place only for real numbers: the input is {}",
               call.meta(kUnary["{}"]));
  derived_inplace_rule(call);
}

/// If the input is complex, PyTorch computes abs and angle into a complex temporary and casts it to a real `out`.
constexpr WrittenForm kAbsOfComplex{.cast = WrittenCast::OfReals, .row_major = true};
constexpr WrittenForm kAngleOfComplex{.cast = WrittenCast::Any, .row_major = true, .may_overlap = true};

/// Properties in which one op of unary_table.def differs from the others.
struct Exceptions {
  DTypeSet refused_first = {};    ///< PyTorch refuses these dtypes before it reads `out` or self
  DTypeSet row_major_of = {};     ///< for these dtypes the result is row-major on every device
  bool row_major_on_cpu = false;  ///< on the CPU the result is row-major
  bool needs_sign = false;        ///< [isposinf.C2] [isneginf.C2]: refuses complex numbers, which have no sign
  bool out_row_major = false;     ///< a resized `out` is row-major
  bool out_casts = false;         ///< `out` may have any dtype, although the op does not promote
  Rule inplace_rule = nullptr;    ///< the rule of the in-place form if it is not derived_inplace_rule
  const WrittenForm* out_of_complex = nullptr;  ///< how `out` is written for complex inputs; null: as for real inputs
};

struct Info {
  std::string_view name, forms;
  DTypeSet dtypes;
  Promotion promotion;
  double low, high, tolerance;
  int flops;
  Exceptions but;
};

template <Row R>
struct InfoOf;
#define UNARY(name, forms, dtypes, promotion, kinds, expression, low, high, tolerance, flops, ...) \
  template <>                                                                                      \
  struct InfoOf<Row::name> {                                                                       \
    static constexpr Info value{#name, #forms,    dtypes, Promotion::promotion,   low,             \
                                high,  tolerance, flops,  Exceptions{__VA_ARGS__}};                \
  };
#include "kernels/pointwise/all_rows.def"

constexpr uint8_t kOperands[] = {kUnary["{}"]};

void unary_rule(RuleCall& call, const Info& info) {
  const TensorMeta& self = call.meta(kUnary["{}"]);
  const DType dtype = self.dtype;
  const Exceptions& but = info.but;
  if (but.needs_sign && is_complex(dtype)) {
    call.refuse(ErrorFamily::Type, "C2", "complex numbers have no sign: the input is {}", self);
  }
  if (but.refused_first.has(dtype)) [[unlikely]]
    call.require_dtype_first(dtype, info.dtypes);
  const DType operand = pointwise::operand_dtype(info.promotion, dtype, call.context.default_dtype);
  pointwise::answer_elementwise(call, kOperands, pointwise::result_dtype(info.promotion, operand), operand);
  if (but.row_major_of.has(dtype) || (but.row_major_on_cpu && self.device.is_cpu())) [[unlikely]] {
    TensorMeta& out = call.out.outputs.back().meta;
    out.strides = contiguous_strides(out.sizes);
  }
  call.require_dtype(dtype, info.dtypes);
}

template <Row R>
void rule(RuleCall& call) {
  unary_rule(call, InfoOf<R>::value);
}
template <Row R>
std::optional<SymInt> flops(RuleCall&, const RuleResult& result) {
  return SymInt(InfoOf<R>::value.flops) * result.outputs[0].meta.numel();
}

void add(Registry& r, const Info& info, Rule rule, FillKernel kernel, FlopCount flops) {
  const std::string name(info.name);
  const bool floats = info.dtypes.has(DType::F32);
  const bool core = info.forms[0] == 'C', named_x = info.forms[0] == 'X';
  const std::string argument = named_x ? "x" : "self";
  OpEntry& op = r.add(kUnary.with(name, argument))
                    .tag(core ? Tag::Pointwise | Tag::Core : Tags(Tag::Pointwise))
                    .with_rule(rule)
                    .every_device(kernel)
                    .dtypes(info.dtypes)
                    .devices({DeviceRule::CpuScalarOk})
                    .with_tolerance(info.tolerance)
                    .count_flops(flops)
                    .sample(floats ? "f32[2,3]" : "i64[2,3]", info.low, info.high)
                    .sample(floats ? "f32[2,3]{1,2}" : "i64[2,3]{1,2}", info.low, info.high);
  for (DType t : {DType::Bool, DType::C64, DType::I64}) {
    if (!info.dtypes.has(t)) {
      const bool no_sign = t == DType::C64 && info.but.needs_sign;
      op.refuses(no_sign ? "C2" : "", std::string(ersatz::name(t)) + "[2]");
      break;
    }
  }
  if (info.forms.find('I') != info.forms.npos) {
    OpEntry& variant = r.add_inplace(op);
    if (info.but.inplace_rule) variant.with_rule(info.but.inplace_rule);
  }
  if (info.forms.find('O') != info.forms.npos) {
    // If an op does not promote, its `out=` form accepts only the dtype of the result.
    const bool promotes = info.promotion == Promotion::Float || info.promotion == Promotion::FloatReal ||
                          info.promotion == Promotion::Number || info.but.out_casts;
    r.add_out(op, "out",
              WrittenForm{.cast = promotes ? WrittenCast::Any : WrittenCast::Own,
                          .row_major = info.but.out_row_major,
                          .of_complex = info.but.out_of_complex});
  }
}

void run(KernelCall& call, Row row, Promotion promotion) {
  const DType dtype = call[kUnary["{}"]].tensor_impl()->meta.dtype;
  pointwise::run_row(call, row, kOperands, pointwise::operand_dtype(promotion, dtype, call.context.default_dtype));
}

template <Row R>
void run(KernelCall& call) {
  run(call, R, InfoOf<R>::value.promotion);
}

}  // namespace

void register_ops(Registry& r) {
#define UNARY(name, ...) add(r, InfoOf<Row::name>::value, rule<Row::name>, run<Row::name>, flops<Row::name>);
#include "kernels/pointwise/all_rows.def"
}

}  // namespace ersatz::op_unary
