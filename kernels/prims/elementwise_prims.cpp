// Elementwise prims. Most of them check that shapes and dtypes are equal, then call an ATen operator
// (elementwise_prims.def).
//
// Constraints of prims with several operands, where `prim` is the prim's name:
// [prim.C1] all tensors have one shape. A 0-d tensor on the CPU counts as a number.
// [prim.C2] all tensors have one dtype.
#include "kernels/pointwise/pointwise.h"
#include "kernels/synonyms/the_op.h"
#include "runtime/op/registry.h"

namespace ersatz::op_elementwise_prims {
namespace {

constexpr Schema kUnaryPrim{"prims::{}(Tensor self) -> Tensor"};
constexpr Schema kBinaryPrim{"prims::{}(Tensor self, Tensor other) -> Tensor"};
constexpr Schema kFma{"prims::fma(Tensor a, Tensor b, Tensor c) -> Tensor"};
constexpr Schema kWhere{"prims::where(Tensor pred, Tensor a, Tensor b) -> Tensor"};
constexpr Schema kFrexp{"prims::frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)"};
constexpr Schema kPart{"prims::{}(Tensor(a) self) -> Tensor(a)"};
constexpr Schema kConj{"prims::conj(Tensor(a) a) -> Tensor(a)"};
constexpr Schema kConvert{"prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor"};

/// Checks C1 for all arguments, and C2 for the arguments from position `first_of_dtype` on.
void require_alike(const CompositeCall& call, Position first_of_dtype = 0) {
  const TensorMeta *shape = nullptr, *dtype = nullptr;
  for (const Value& v : call.args) {
    if (!v.is_tensor()) continue;
    const TensorMeta& t = v.tensor_impl()->meta;
    if (t.dim() == 0 && t.device.is_cpu()) continue;
    if (!shape) shape = &t;
    bool same = t.dim() == shape->dim();
    for (int64_t d = 0; same && d < t.dim(); ++d) same = check_eq(t.sizes[d], shape->sizes[d]);
    call.require(same, "C1", "operands must have one shape: they are {} and {}", *shape, t);
  }
  for (const Value& v : call.args.subspan(first_of_dtype)) {
    if (!v.is_tensor()) continue;
    const TensorMeta& t = v.tensor_impl()->meta;
    if (!dtype) dtype = &t;
    call.require(t.dtype == dtype->dtype, "C2", "operands must have one dtype: they are {} and {}", *dtype, t);
  }
}

template <OpName op>
void binary(CompositeCall& call) {
  require_alike(call);
  call_the_op<op>(call);
}

/// prims::div: if self is an integer, the quotient is rounded towards zero, for a divisor of any dtype.
void divide(CompositeCall& call) {
  require_alike(call);
  const Value &self = call[kBinaryPrim["self"]], &other = call[kBinaryPrim["other"]];
  const bool integer = self.is_tensor() ? is_integer(self.tensor_impl()->meta.dtype) : self.as_scalar().is_integral();
  call.returns(integer ? call_op<"aten.div.Tensor_mode">(self, other, std::string_view("trunc"))
                       : call_op<"aten.div.Tensor">(self, other));
}

/// prims::fma: returns a * b + c. It accepts all operands that `mul` and `add` accept.
void fma(CompositeCall& call) {
  call.returns(
      call_op<"aten.add.Tensor">(call_op<"aten.mul.Tensor">(call[kFma["a"]], call[kFma["b"]]), call[kFma["c"]], 1));
}

void where(CompositeCall& call) {
  require_alike(call, kWhere["a"]);
  const Value &pred = call[kWhere["pred"]], &a = call[kWhere["a"]], &b = call[kWhere["b"]];
  call.returns(a.is_number() && b.is_number() ? call_op<"aten.where.Scalar">(pred, a, b)
               : a.is_number()                ? call_op<"aten.where.ScalarSelf">(pred, a, b)
               : b.is_number()                ? call_op<"aten.where.ScalarOther">(pred, a, b)
                                              : call_op<"aten.where.self">(pred, a, b));
}

/// Checks [conj.C1] [conj_physical.C1] [real.C1] [imag.C1]: self is complex.
template <OpName op>
void of_complex(CompositeCall& call) {
  const TensorMeta& self = call.args[kUnaryPrim["self"]].tensor_impl()->meta;
  call.require(is_complex(self.dtype), "C1", "expects complex numbers: self is {}", self);
  call_the_op<op>(call);
}

/// Checks [cbrt.C1]: self is real.
void cbrt(CompositeCall& call) {
  const Tensor self = call.tensor(kUnaryPrim["self"]);
  call.require(!is_complex(self.dtype()), "C1", "expects real numbers: self is {}", self.meta());
  call.returns(call_op<"aten.copysign.Tensor">(call_op<"aten.pow.Tensor_Scalar">(ops::abs(self), 1. / 3.), self));
}

/// prims::convert_element_type: returns a copy even if the dtype does not change.
void convert(CompositeCall& call) {
  call.returns(call_op<"aten._to_copy.default">(call[kConvert["a"]], call[kConvert["dtype"]], Value(), Value(), Value(),
                                                false, Value()));
}

/// Gives `prim` the tags, the tolerance and the first sample of `entry`. REQUIRES: the operands of this sample have one
/// shape and one dtype.
void describe(OpEntry& prim, const OpEntry& entry) {
  prim.tag(entry.tags.without(Tag::Core).without(Tag::Pointwise).without(Tag::AcceptsNumbers))
      .with_tolerance(entry.tolerance)
      .devices(std::vector<DeviceRule>(prim.schema.arguments.size(), DeviceRule::CpuScalarOk));
  prim.samples.assign(entry.samples.begin(), entry.samples.begin() + 1);
}

template <OpName op>
void add_unary(Registry& r, std::string_view name, CompositeBody body = call_the_op<op>) {
  describe(r.add(kUnaryPrim.with(name)).made_of(body), *r.find_mutable(op.text));
}

template <OpName op>
void add_binary(Registry& r, std::string_view name, bool numbers, CompositeBody body = binary<op>) {
  const OpEntry& entry = *r.find_mutable(op.text);
  OpEntry& prim = r.add(kBinaryPrim.with(name)).made_of(body);
  describe(prim, entry);
  if (numbers) prim.tag(Tag::AcceptsNumbers);
  const std::string dtype = entry.samples.front().arguments.substr(0, 3);
  prim.refuses("C1", fmt::format("{0}[2,3], {0}[3]", dtype)).refuses("C2", dtype + "[2,3], i32[2,3]");
}

}  // namespace

void register_ops(Registry& r) {
#define PRIM1(name, op) add_unary<op>(r, #name);
#define PRIM2(name, op, numbers) add_binary<op>(r, #name, numbers);
#include "kernels/prims/elementwise_prims.def"
#undef PRIM1
#undef PRIM2
  add_unary<"aten.conj_physical.default">(r, "conj_physical", of_complex<"aten.conj_physical.default">);
  r.find_mutable("prims.conj_physical.default")->samples = {{"c64[2,3]{1,2}"}};
  r.add(kUnaryPrim.with("cbrt")).made_of(cbrt).sample("f32[2,3]{1,2}", -9, 9).refuses("C1", "c64[2]");
  add_binary<"aten.div.Tensor">(r, "div", true, divide);
  r.find_mutable("prims.div.default")->sample("i64[2,3], i64[2,3]", 1, 9);
  r.add(kFma)
      .tag(Tag::AcceptsNumbers)
      .made_of(fma)
      .devices({DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk})
      .sample("f32[2,3], f32[2,3]{1,2}, f32[3]");
  r.add(kWhere)
      .tag(Tag::AcceptsNumbers)
      .made_of(where)
      .devices({DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk})
      .sample("bool[2,3], f32[2,3], f32[2,3]{1,2}")
      .refuses("C1", "bool[2,3], f32[3], f32[3]")
      .refuses("C2", "bool[2], f32[2], f64[2]");
  r.add(kFrexp).made_of(call_the_op<"aten.frexp.Tensor">).sample("f32[2,3]{1,2}");
  r.add(kConj).tag(Tag::View).made_of(of_complex<"aten._conj.default">).sample("c64[2,3]").refuses("C1", "f32[2]");
  r.add(kPart.with("real"))
      .tag(Tag::View)
      .made_of(of_complex<"aten.real.default">)
      .sample("c64[2,3]")
      .refuses("C1", "f32[2]");
  r.add(kPart.with("imag"))
      .tag(Tag::View)
      .made_of(of_complex<"aten.imag.default">)
      .sample("c64[2,3]")
      .refuses("C1", "f32[2]");
  r.add(kConvert).made_of(convert).sample("f32[2,3]{1,2}, f16").sample("f32[2,3]{6,2}, f32");
}

}  // namespace ersatz::op_elementwise_prims
