#include "kernels/pointwise/where.h"

#include "kernels/pointwise/elementwise.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_where {
namespace {

constexpr uint8_t kValues[] = {1, 2};

void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kWhereSelf, kWhereScalarSelf, kWhereScalarOther, kWhereScalar};
  const TensorMeta& condition = call.meta(kArgs["condition"]);
  call.require(condition.dtype == DType::Bool || condition.dtype == DType::U8, "C2",
               "the condition must be bool, it is {}", condition);
  const DType common = pointwise::common_dtype(call.context, call.args, kValues);
  // On every device, at::where converts each operand by `to` before TensorIterator computes the layout.
  TensorMeta converted[3];
  const TensorMeta* operands[3];
  size_t count = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (!call.is_tensor(i)) continue;
    const TensorMeta& own = call.meta(i);
    operands[count] = &own;
    if (own.dtype != (i == 0 ? DType::Bool : common)) {
      converted[i] = own;
      converted[i].strides = preserved_strides(own.sizes, own.strides);
      operands[count] = &converted[i];
    }
    ++count;
  }
  OutputSpec& spec = call.out.outputs.emplace_back();
  spec.meta.dtype = common;
  spec.meta.device = call.device;
  iterator_layout(call, {operands, count}, std::nullopt, spec.meta, /*beside_number=*/count < 3);
}

std::optional<SymInt> flops(RuleCall&, const RuleResult&) { return 0; }

/// Returns an integer dtype whose elements have as many bytes as those of `t`.
DType bits_dtype(DType t) {
  constexpr DType of_bytes[] = {DType::U8, DType::U8, DType::I16, DType::I16, DType::I32};
  const auto bytes = static_cast<size_t>(item_size(t));
  return bytes == 8 ? DType::I64 : of_bytes[bytes];
}
Tensor as_bits(const Tensor& t) {
  TensorMeta meta = t.meta();
  meta.dtype = bits_dtype(t.dtype());
  return make_view(t, std::move(meta));
}

/// Selects elements of a limited dtype by moving their bits. Operands of other dtypes are first converted to `common`.
void run_of_bits(KernelCall& call, DType common) {
  std::vector<Value> args;
  for (const Value& v : call.args) {
    const bool first = args.empty();
    Tensor t = v.is_tensor() ? v.tensor() : Tensor();
    if (!t || (!first && (t.dtype() != common || t.meta().conj || t.meta().neg))) {
      const Tensor converted = make_real_tensor(TensorMeta(common, t ? t.sizes() : std::span<const SymInt>()));
      if (t) {
        copy_elements(converted, t);
      } else {
        fill_elements(converted, v.as_scalar());
      }
      t = converted;
    }
    args.push_back(Value(first ? t : as_bits(t)));
  }
  Tensor outputs[] = {as_bits(call.outputs[0])};
  KernelCall of_bits{call.op, args, outputs, call.context};
  constexpr uint8_t operands[] = {0, 1, 2};
  pointwise::run_row(of_bits, pointwise::Row::where, operands, bits_dtype(common));
}

}  // namespace

DType common_dtype(const KernelCall& call) { return pointwise::common_dtype(call.context, call.args, kValues); }

void run(KernelCall& call) {
  // run_row converts the condition to `common` too; every number except 0 is true.
  constexpr uint8_t operands[] = {kWhereSelf["condition"], kWhereSelf["self"], kWhereSelf["other"]};
  const DType common = common_dtype(call);
  const Tensor& out = call.outputs[0];
  if (kLimitedDTypes.has(common) && out.dtype() == common && out.device().is_cpu()) return run_of_bits(call, common);
  pointwise::run_row(call, pointwise::Row::where, operands, common);
}

void register_ops(Registry& r) {
  struct Overload {
    Schema schema;
    const char* sample;
  };
  for (const Overload& o :
       {Overload{kWhereSelf, "bool[2,3], f32[3], f32[2,3]{1,2}"}, Overload{kWhereScalarSelf, "bool[2,3], 2.5, f32[3]"},
        Overload{kWhereScalarOther, "bool[2,3], f32[3], 2.5"}, Overload{kWhereScalar, "bool[2,3]{1,2}, 2, 0.5"}}) {
    OpEntry& op = r.add(o.schema)
                      .tag(Tag::Pointwise | Tag::AcceptsNumbers)
                      .with_rule(rule)
                      .every_device(run)
                      .dtypes(kAllDTypes)
                      .devices({DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk})
                      .count_flops(flops)
                      .sample(o.sample, 0, 1);
    if (op.schema.overload != "self") continue;
    op.tag(Tag::Core).refuses("C1", "bool[2], f32[3], f32[3]").refuses("C2", "f32[3], f32[3], f32[3]");
    r.add_out(op, "self_out", WrittenForm());
  }
}

}  // namespace ersatz::op_where
