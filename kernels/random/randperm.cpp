#include "kernels/random/randperm.h"

#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_randperm {

void run(KernelCall& call);

namespace {

void check(const RuleCall& call, DType dtype) {
  static constexpr Schemas kArgs{kRandperm, kRandpermOut};
  const SymInt n = call.sym(kArgs["n"]);
  call.require(guard_ge(n, 0), "C1", "n must not be negative: got {}", n);
  call.require_dtype(dtype, kReals);
  if (!n.is_int()) return;
  // bf16 is not asked about by PyTorch either.
  const int64_t most = dtype == DType::F16   ? (int64_t(1) << 11) + 1
                       : dtype == DType::F32 ? (int64_t(1) << 24) + 1
                       : dtype == DType::F64 ? (int64_t(1) << 53) + 1
                                             : INT64_MAX;
  const bool fits = n.as_int() <= most && (n.as_int() == 0 || scalar_fits(n.as_int() - 1, dtype));
  call.require(fits, "C2", "numbers up to {} must be distinct in dtype {}", n, name(dtype));
}

void rule(RuleCall& call) {
  TensorMeta& out = start_factory(call, kRandperm["dtype"], DType::I64, call.device);
  check(call, out.dtype);
  const SymInt sizes[] = {call.sym(kRandperm["n"])};
  set_sizes(call, out, sizes);
}

void out_rule(RuleCall& call) {
  check(call, call.meta(kRandpermOut["out"]).dtype);
  const SymInt sizes[] = {call.sym(kRandpermOut["n"])};
  resized_out(call, kRandpermOut["out"], sizes);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kRandperm)
      .tag(Tag::Factory | Tag::Random | Tag::Core)
      .with_rule(rule)
      .every_device(run)
      .sample("5")
      .sample("5, dtype=f32")
      .refuses("C1", "-1")
      .refuses("C2", "300, dtype=u8");
  r.add(kRandpermOut)
      .tag(Tag::Random)
      .with_rule(out_rule)
      .every_device(run)
      .sample("5, out=i64[0]")
      .refuses("C2", "300, out=u8[0]");
}

}  // namespace ersatz::op_randperm

namespace ersatz::ops {

Tensor randperm(SymInt n, const FactoryOptions& o) {
  return call_op<"aten.randperm.default">(n, o.dtype.value_or(DType::I64), std::nullopt, o.device, std::nullopt);
}

}  // namespace ersatz::ops
