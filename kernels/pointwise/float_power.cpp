#include "kernels/pointwise/float_power.h"

#include "kernels/creation/full.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_float_power {
namespace {

constexpr Schemas kEach{kTensorTensor, kTensorScalar, kScalarTensor, kInplaceTensor, kInplaceScalar};
constexpr Position kOut = kTensorTensor.out();

/// The arguments of float_power, converted for a call of `pow`, and the dtype of the result.
struct Power {
  DType dtype;
  Value self, exponent;
};

Value converted(const CompositeCall& call, Position i, DType dtype) {
  if (call.is_tensor(i)) return Value(ops::to(call.tensor(i), dtype));
  const Scalar s = call.scalar(i);
  return s.is_complex() ? Value(Scalar(s.to_complex())) : Value(Scalar(s.to_double()));
}

Power power_of(const CompositeCall& call) {
  auto complex = [&](Position i) {
    return call.is_tensor(i) ? is_complex(call.meta(i).dtype) : call.scalar(i).is_complex();
  };
  const DType dtype = complex(kEach["self"]) || complex(kEach["exponent"]) ? DType::C128 : DType::F64;
  return {dtype, converted(call, kEach["self"], dtype), converted(call, kEach["exponent"], dtype)};
}

void require_written(const CompositeCall& call, Position i, DType dtype) {
  call.require(call.meta(i).dtype == dtype, "C1", "{} must have dtype {}, it is {}", call.op.schema.arguments[i].name,
               name(dtype), call.meta(i));
}

void float_power(CompositeCall& call) {
  const Power p = power_of(call);
  call.returns(call_op(op_named(fmt::format("aten.pow.{}", call.op.schema.overload)), p.self, p.exponent));
}
void float_power_out(CompositeCall& call) {
  const Power p = power_of(call);
  require_written(call, kOut, p.dtype);
  call_op(op_named(fmt::format("aten.pow.{}", call.op.schema.overload)), p.self, p.exponent, call.tensor(kOut));
  call.returns(call[kOut]);
}
void float_power_inplace(CompositeCall& call) {
  const Power p = power_of(call);
  require_written(call, kEach["self"], p.dtype);
  call_op(op_named(fmt::format("aten.pow_.{}", call.op.schema.overload)), call.tensor(kEach["self"]), p.exponent);
  call.returns(call[kEach["self"]]);
}

/// Refuses a bool exponent if self is a float and `written` has self's dtype, because PyTorch's ldexp kernel for this
/// case does not support bool exponents.
void require_exponent(const CompositeCall& call, const Tensor& written) {
  const TensorMeta &self = call.meta(kLdexp["self"]), &other = call.meta(kLdexp["other"]);
  if (!is_float(self.dtype) || other.dtype != DType::Bool || written.dtype() != self.dtype) return;
  if (!call.op.written.empty()) require_no_overlap(call, written.impl(), call.args.first(kLdexp.out()), {});
  const TensorMeta* const operands[] = {&self, &other};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, sizes, mismatch), "broadcast", "{} and {} do not broadcast", self, other);
  const bool in_place = !call.op.written.empty() && call.op.written[0] == kLdexp["self"];
  call.require(!in_place || same_sizes(sizes, self.sizes), "inplace_size",
               "the result has sizes {}, which do not fit in place into {}", sizes, self);
  call.not_supported("\"ldexp\" not implemented for bool exponents of {}", self);
}

/// Returns powers of two whose product with self is the result of ldexp.
///
/// Like PyTorch, if self is an integer, or f32 with a float exponent, the base is the number 2 and the powers are
/// row-major. Otherwise the base is a 0-d tensor and the powers have the exponent's layout. For a float self and an
/// integer exponent, the result has self's dtype, but a power may exceed its range. So exponents are clamped to a range
/// that loses nothing: 2^2098 scales the smallest f64 to the largest f64, and 2^277 scales the smallest f32 to the
/// largest f32. Each returned power is a finite f64.
std::vector<Tensor> powers_of_two(const CompositeCall& call) {
  const Tensor self = call.tensor(kLdexp["self"]), other = call.tensor(kLdexp["other"]);
  const auto two_of = [&](DType dtype) { return ops::scalar_tensor(2, {.dtype = dtype, .device = self.device()}); };
  const bool own_two = (is_float(self.dtype()) && self.dtype() != DType::F32) || is_complex(self.dtype());
  if (own_two && !is_integral(other.dtype())) {
    // The base is a 0-d tensor in PyTorch. A complex base with bf16 exponents has the dtype bcomplex32, for which
    // PyTorch has no kernel.
    if (is_complex(self.dtype()) && other.dtype() == DType::BF16 && other.dim() > 0) {
      call.not_supported("\"pow\" not implemented for bcomplex32, the dtype of complex powers with exponents {}",
                         call.meta(kLdexp["other"]));
    }
    return {call_op<"aten.pow.Tensor_Tensor">(two_of(self.dtype()), other)};
  }
  if (!is_float(self.dtype()) || !is_integral(other.dtype())) return {call_op<"aten.pow.Scalar">(Scalar(2.0), other)};
  const auto power = [&](const Tensor& e) { return call_op<"aten.pow.Tensor_Tensor">(two_of(DType::F64), e); };
  const double most = self.dtype() == DType::F64 ? 2100 : 300;
  const Tensor exponent = call_op<"aten.clamp.default">(ops::to(other, DType::F64), Scalar(-most), Scalar(most));
  if (self.dtype() != DType::F64) return {power(exponent)};
  const Tensor third = call_op<"aten.floor.default">(ops::mul(exponent, 1.0 / 3));
  return {power(third), power(third), power(ops::sub(exponent, third, 2))};
}
/// Returns two factors whose product is the result of ldexp: self times all powers except the last one, and the last
/// power.
std::pair<Tensor, Tensor> last_product(const CompositeCall& call) {
  const std::vector<Tensor> powers = powers_of_two(call);
  Tensor product = call.tensor(kLdexp["self"]);
  for (size_t i = 0; i + 1 < powers.size(); ++i) product = ops::mul(product, powers[i]);
  return {product, powers.back()};
}
void ldexp(CompositeCall& call) {
  require_exponent(call, call.tensor(kLdexp["self"]));
  const auto [a, b] = last_product(call);
  const DType dtype = call.meta(kLdexp["self"]).dtype;
  const Tensor product = ops::mul(a, b);
  const bool keeps = is_float(dtype) && is_integral(call.meta(kLdexp["other"]).dtype);
  call.returns(keeps && product.dtype() != dtype ? ops::to(product, dtype) : product);
}
void ldexp_out(CompositeCall& call) {
  require_exponent(call, call.tensor(kLdexp.out()));
  const auto [a, b] = last_product(call);
  call_op<"aten.mul.out">(a, b, call.tensor(kLdexp.out()));
  call.returns(call[kLdexp.out()]);
}
void ldexp_inplace(CompositeCall& call) {
  require_exponent(call, call.tensor(kLdexp["self"]));
  for (const Tensor& power : powers_of_two(call)) call_op<"aten.mul_.Tensor">(call.tensor(kLdexp["self"]), power);
  call.returns(call[kLdexp["self"]]);
}

}  // namespace

void register_ops(Registry& r) {
  const std::pair<Schema, const char*> operands[] = {
      {kTensorTensor, "f32[2,3], f32[3]"}, {kTensorScalar, "f32[2,3]{1,2}, 2"}, {kScalarTensor, "2, i64[2,3]"}};
  for (const auto& [schema, sample] : operands) {
    OpEntry& op = r.add(schema).tag(Tag::Pointwise).with_composite(float_power).sample(sample, 0.5, 3);
    r.add_out_alike(op, op.schema.overload + "_out")
        .with_composite(float_power_out)
        .sample(fmt::format("{}, out=f64[0]", sample), 0.5, 3)
        .refuses("C1", fmt::format("{}, out=f32[0]", sample));
  }
  for (const Schema& schema : {kInplaceTensor, kInplaceScalar}) {
    r.add(schema)
        .tag(Tag::Pointwise)
        .with_composite(float_power_inplace)
        .sample(schema.text().find("Scalar exp") == std::string_view::npos ? "f64[2,3], f64[3]" : "f64[2,3], 2", 0.5, 3)
        .refuses("C1", schema.text().find("Scalar exp") == std::string_view::npos ? "f32[2,3], f64[3]" : "f32[2,3], 2");
  }
  OpEntry& op = r.add(kLdexp).tag(Tag::Pointwise).made_of(ldexp).sample("f32[2,3], i64[3]").sample("bf16[2,3], i32[3]");
  r.add_out_alike(op, "out").made_of(ldexp_out).sample("f32[2,3], i64[3], out=f32[0]");
  r.add(kLdexpInplace).tag(Tag::Pointwise).made_of(ldexp_inplace).sample("f32[2,3], i64[3]");
}

}  // namespace ersatz::op_float_power
