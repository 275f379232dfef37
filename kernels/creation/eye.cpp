#include "kernels/creation/eye.h"

#include "kernels/shape/fill_elements.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_eye {
namespace {

template <bool square>
void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kEye, kEyeM};
  const SymInt sizes[] = {call.sym(kArgs["n"]), call.sym(square ? kEye["n"] : kEyeM["m"])};
  answer_sized(call, square ? kEye["dtype"] : kEyeM["dtype"], call.context.default_dtype, call.device, sizes);
}

void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  TensorMeta diagonal = out.meta();
  const SymInt n[] = {sym_min(out.sizes()[0], out.sizes()[1])}, step[] = {out.strides()[0] + out.strides()[1]};
  diagonal.sizes = DimVec(n);
  diagonal.strides = DimVec(step);
  fill_elements(make_view(out, std::move(diagonal)), 1);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& square = r.add(kEye)
                        .tag(Tag::Factory)
                        .with_rule(rule<true>)
                        .every_device(run)
                        .sample("3")
                        .sample("2, dtype=i64")
                        .refuses("C1", "-1");
  r.add_out_alike(square, "out").sample("3, out=f32[0]").refuses("C1", "-1, out=f32[0]");
  OpEntry& wide =
      r.add(kEyeM).tag(Tag::Factory).with_rule(rule<false>).every_device(run).sample("3, 4").refuses("C1", "3, -1");
  r.add_out_alike(wide, "m_out").sample("3, 4, out=f32[0]").refuses("C1", "3, -1, out=f32[0]");
}

}  // namespace ersatz::op_eye
