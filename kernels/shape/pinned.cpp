#include "kernels/shape/pinned.h"

#include "runtime/op/dispatch.h"

namespace ersatz::op_pinned {
namespace {

void rule(RuleCall& call) {
  Error e(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
          fmt::format("NYI: {}: memory of a device given by position is not modelled [{}.NYI]", call.op.name,
                      call.op.base()));
  e.op = call.op.base();
  e.label = fmt::format("{}.NYI", call.op.base());
  e.suggestion = "leave the memory where it is";
  throw e;
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kPinMemory).with_rule(rule).refuses("NYI", "f32[2]");
  const OpEntry& copy = r.add(kPinMemoryCopy).with_rule(rule).refuses("NYI", "f32[2]");
  r.add_out_alike(copy, "out").refuses("NYI", "f32[2], out=f32[2]");
  r.add(kIsPinned).with_rule(rule).refuses("NYI", "f32[2]");
  r.add(kResizeOutputInplace).tag(Tag::InplaceView).with_rule(rule).refuses("NYI", "f32[2], [3], cpu");
  const OpEntry& resized = r.add(kResizeOutput).with_rule(rule).refuses("NYI", "f32[2], [3], cpu");
  r.add_out_alike(resized, "out").refuses("NYI", "f32[2], [3], cpu, out=f32[3]");
}

}  // namespace ersatz::op_pinned
