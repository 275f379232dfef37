// Prims that create tensors with a given dtype and device.
//
// Constraints, where `prim` is the prim's name:
// [prim.C1] requires_grad is true only if the dtype is a float or complex.
#include "kernels/creation/arange.h"
#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/shape/number_range.h"
#include "kernels/synonyms/the_op.h"
#include "runtime/op/registry.h"

namespace ersatz::op_factory_prims {
namespace {

/// The schema pattern of `empty`, `empty_strided`, `empty_permuted`, `full` and `full_like`. Their first parameters
/// differ.
constexpr Schema kMake{"prims::{}({}, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor"};
/// Returns `length` numbers: start, start + step, and so on.
/// [iota.C2] the dtype is an integer.
/// [iota.C3] step is not 0.
/// [iota.C4] length is not negative.
constexpr Schema kIota{
    "prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, bool requires_grad) -> "
    "Tensor"};
/// [scalar_tensor.C2] if `s` is complex, the dtype is complex.
constexpr Schema kScalarTensor{
    "prims::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> Tensor"};
/// [normal.C2] std is real and not negative.
/// [normal.C3] mean is real.
/// [normal.C4] the dtype is a float or complex.
constexpr Schema kNormal{
    "prims::normal(SymInt[] shape, *, Scalar mean, Scalar std, ScalarType dtype, Device device, bool requires_grad, "
    "Generator? generator=None) -> Tensor"};
/// [uniform.C2] the bounds are real.
constexpr Schema kUniform{
    "prims::uniform(SymInt[] shape, *, Scalar low, Scalar high, ScalarType dtype, Device device, SymInt[] stride, "
    "Generator? generator=None) -> Tensor"};
constexpr Schema kLimit{"prims::{}(ScalarType dtype) -> Scalar"};

FactoryOptions options(const CompositeCall& call, Position dtype, Position device) {
  return {.dtype = call[dtype].as_dtype(), .device = call[device].as_device()};
}

/// Makes `made` the result of the call, and sets its requires_grad if `requires_grad` is true. Checks C1.
void returns(CompositeCall& call, Tensor made, bool requires_grad) {
  call.require(!requires_grad || kFloatsAndComplexes.has(made.dtype()), "C1",
               "only floats and complex numbers have gradients: it is {}", made.meta());
  if (requires_grad) made.impl()->meta.requires_grad = true;
  call.returns(std::move(made));
}

/// Calls an ATen operator whose last arguments are dtype, layout, device and pin_memory.
template <OpName op>
void make(CompositeCall& call) {
  const size_t own = call.args.size() - 3;
  Values arguments, results;
  for (const Value& v : call.args.first(own)) arguments.push_back(v.borrowed());
  arguments.push_back(call[own]);
  arguments.push_back(Value());
  arguments.push_back(call[own + 1]);
  const OpEntry& entry = op_entry<op>();
  while (arguments.size() < entry.schema.arguments.size()) arguments.push_back(Value());
  dispatch(entry, arguments, results);
  returns(call, results[0].tensor(), call.boolean(own + 2));
}

void iota(CompositeCall& call) {
  const SymInt length = call.sym(kIota["length"]), start = call.sym(kIota["start"]), step = call.sym(kIota["step"]);
  const DType dtype = call[kIota["dtype"]].as_dtype();
  call.require(is_integer(dtype), "C2", "expects an integer dtype: it is {}", name(dtype));
  call.require(check_ne(step, 0), "C3", "step must not be 0{}", "");
  call.require(check_ge(length, 0), "C4", "length must not be negative: it is {}", length);
  returns(call, ops::arange(start, start + length * step, step, options(call, kIota["dtype"], kIota["device"])),
          call.boolean(kIota["requires_grad"]));
}

void scalar_tensor(CompositeCall& call) {
  const Value& dtype = call[kScalarTensor["dtype"]];
  if (call.scalar(kScalarTensor["s"]).is_complex() && !dtype.is_none() && !is_complex(dtype.as_dtype()))
    call.refuse(ErrorFamily::Type, "C2", "a complex number needs a complex dtype: it is {}", name(dtype.as_dtype()));
  call.returns(call_op<"aten.scalar_tensor.default">(call[kScalarTensor["s"]], call[kScalarTensor["dtype"]], Value(),
                                                     call[kScalarTensor["device"]], Value()));
}

void require_real(const CompositeCall& call, Position i, std::string_view label) {
  if (call.scalar(i).is_complex())
    call.refuse(ErrorFamily::Type, label, "{} must be real: it is {}", call.op.schema.arguments[i].name,
                to_string(call[i]));
}

void normal(CompositeCall& call) {
  require_real(call, kNormal["std"], "C2");
  const double std = call.scalar(kNormal["std"]).to_double();
  call.require(std >= 0, "C2", "std must not be negative: it is {}", std);
  const DType dtype = call[kNormal["dtype"]].as_dtype();
  call.require(kFloatsAndComplexes.has(dtype), "C4", "expects a float or complex dtype: it is {}", name(dtype));
  const Tensor made = ops::empty(call.ints(kNormal["shape"]), options(call, kNormal["dtype"], kNormal["device"]));
  require_real(call, kNormal["mean"], "C3");
  returns(
      call,
      call_op<"aten.normal_.default">(made, call.scalar(kNormal["mean"]).to_double(), std, call[kNormal["generator"]]),
      call.boolean(kNormal["requires_grad"]));
}

void uniform(CompositeCall& call) {
  const Tensor made = ops::empty_strided(call.ints(kUniform["shape"]), call.ints(kUniform["stride"]),
                                         options(call, kUniform["dtype"], kUniform["device"]));
  require_real(call, kUniform["low"], "C2");
  require_real(call, kUniform["high"], "C2");
  call.returns(call_op<"aten.uniform_.default">(made, call.scalar(kUniform["low"]).to_double(),
                                                call.scalar(kUniform["high"]).to_double(),
                                                call[kUniform["generator"]]));
}

/// Returns the smallest or largest number of a dtype; for complex dtypes, of their parts.
/// [minimum_value.C1] the dtype has a smallest or largest number.
template <bool largest>
void limit(CompositeCall& call) {
  const DType dtype = real_dtype(call[kLimit["dtype"]].as_dtype());
  if (dtype == DType::Bool) return call.returns(largest);
  if (is_integer(dtype)) {
    const int64_t bits = item_size(dtype) * 8;
    const uint64_t most = ~uint64_t{0} >> (64 - bits + (is_signed(dtype) ? 1 : 0));
    return call.returns(largest            ? static_cast<int64_t>(most)
                        : is_signed(dtype) ? -static_cast<int64_t>(most) - 1
                                           : int64_t{0});
  }
  if (is_packed(dtype)) call.not_supported("{} has no such number", name(dtype));
  call.returns(largest ? number_range(dtype).high : number_range(dtype).low);
}

}  // namespace

void register_ops(Registry& r) {
  const auto factory = [&](std::string_view name, std::string_view arguments, CompositeBody body,
                           std::string_view sample, Tags tags = {}) {
    r.add(kMake.with(name, arguments))
        .tag(tags)
        .made_of(body)
        .sample(fmt::format("{}, dtype=f32, device=cpu, requires_grad=False", sample))
        .refuses("C1", fmt::format("{}, dtype=i64, device=cpu, requires_grad=True", sample));
  };
  const Tags unwritten = Tag::Factory | Tag::Uninitialized;
  factory("empty", "SymInt[] shape", make<"aten.empty.memory_format">, "[2, 3]", unwritten);
  factory("empty_strided", "SymInt[] shape, SymInt[] strides", make<"aten.empty_strided.default">, "[2, 3], [1, 2]",
          unwritten);
  factory("empty_permuted", "SymInt[] shape, int[] physical_layout", make<"aten.empty_permuted.default">,
          "[2, 3], [1, 0]", unwritten);
  factory("full", "SymInt[] shape, Scalar fill_value", make<"aten.full.default">, "[2, 3], 2", Tag::Factory);
  factory("full_like", "Tensor a, Scalar fill_value", make<"aten.full_like.default">, "f32[2,3]{1,2}, 2");
  r.add(kIota)
      .tag(Tag::Factory)
      .made_of(iota)
      .sample("4, start=7, step=-3, dtype=i32, device=cpu, requires_grad=False")
      .refuses("C1", "4, start=0, step=1, dtype=i64, device=cpu, requires_grad=True")
      .refuses("C2", "4, start=0, step=1, dtype=f32, device=cpu, requires_grad=False")
      .refuses("C3", "4, start=0, step=0, dtype=i64, device=cpu, requires_grad=False")
      .refuses("C4", "-4, start=0, step=1, dtype=i64, device=cpu, requires_grad=False");
  r.add(kScalarTensor)
      .tag(Tag::Factory)
      .made_of(scalar_tensor)
      .sample("2.5, dtype=f32, device=cpu")
      .refuses("C2", "(1+2j), dtype=f32");
  const std::string options = ", dtype=f32, device=cpu, requires_grad=False";
  r.add(kNormal)
      .tag(Tag::Factory | Tag::Random)
      .made_of(normal)
      .sample("[2, 3], mean=0.0, std=1.0" + options)
      .refuses("C2", "[2], mean=0.0, std=-1.0" + options)
      .refuses("C3", "[2], mean=(1+2j), std=1.0" + options)
      .refuses("C4", "[2], mean=0.0, std=1.0, dtype=i64, device=cpu, requires_grad=False");
  r.add(kUniform)
      .tag(Tag::Factory | Tag::Random)
      .made_of(uniform)
      .sample("[2, 3], low=0.0, high=1.0, dtype=f32, device=cpu, stride=[1, 2]")
      .refuses("C2", "[2], low=(1+2j), high=1.0, dtype=f32, device=cpu, stride=[1]");
  r.add(kLimit.with("maximum_value")).made_of(limit<true>).sample("f32").sample("i8");
  r.add(kLimit.with("minimum_value")).made_of(limit<false>).sample("f32").sample("u8");
}

}  // namespace ersatz::op_factory_prims
