#include "kernels/creation/eye.h"

#include "runtime/op/dispatch.h"

namespace ersatz::op_eye {

void run(KernelCall& call);

namespace {

// (n, options) and (n, m, options)
template <bool square>
void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kEye, kEyeM};
  const SymInt sizes[] = {call.sym(kArgs["n"]), call.sym(square ? kEye["n"] : kEyeM["m"])};
  set_sizes(call, start_factory(call, square ? kEye["dtype"] : kEyeM["dtype"], call.context.default_dtype, call.device),
            sizes);
}
template <bool square>
void out_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kEyeOut, kEyeMOut};
  const SymInt sizes[] = {call.sym(kArgs["n"]), call.sym(square ? kEye["n"] : kEyeM["m"])};
  for (SymInt s : sizes) {
    call.require(s.is_symbolic() || s.as_int() >= 0, "C1", "sizes must not be negative: got {}",
                 std::span<const SymInt>(sizes));
  }
  resized_out(call, square ? kEyeOut["out"] : kEyeMOut["out"], sizes);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kEye)
      .tag(Tag::Factory)
      .with_rule(rule<true>)
      .every_device(run)
      .sample("3")
      .sample("2, dtype=i64")
      .refuses("C1", "-1");
  r.add(kEyeM).tag(Tag::Factory).with_rule(rule<false>).every_device(run).sample("3, 4").refuses("C1", "3, -1");
  r.add(kEyeOut).with_rule(out_rule<true>).every_device(run).sample("3, out=f32[0]").refuses("C1", "-1, out=f32[0]");
  r.add(kEyeMOut)
      .with_rule(out_rule<false>)
      .every_device(run)
      .sample("3, 4, out=f32[0]")
      .refuses("C1", "3, -1, out=f32[0]");
}

}  // namespace ersatz::op_eye
