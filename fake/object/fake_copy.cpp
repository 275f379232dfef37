#include "fake/object/fake_copy.h"

#include "fake/mode/fake_mode_state.h"
#include "fake/object/fake_copy_mode.h"
#include "runtime/base/log.h"
#include "runtime/op/clone_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

void FakeCopyMode::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (!op.tags.has(kCloneTag)) return dispatch(op, args, results);
  std::vector<Value> fakes(args.begin(), args.end());
  for (Value& v : fakes) {
    if (v.is_tensor()) v = fake_of(v.tensor());
  }
  mode_.state().call(op, fakes, results);
}

Tensor FakeCopyMode::fake_of(const Tensor& t) const {
  try {
    return mode_.from_tensor(t, {.static_shapes = true});
  } catch (const Error& e) {
    if (e.kind != ErrorKind::UnsupportedFakeTensor) throw;
    Error unsupported(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
                      fmt::format("Unsupported: {} with fake tensor propagation.", e.message));
    unsupported.op = e.op;
    unsupported.arguments = e.arguments;
    unsupported.source = e.source;
    unsupported.suggestion = "copy it outside the FakeCopyScope";
    log().warn("{}", unsupported.message);
    std::throw_with_nested(unsupported);
  }
}

FakeCopyMode* active_fake_copy() {
  for (ModeGuard* g = detail::t_outermost_mode; g; g = g->inner()) {
    if (auto* mode = dynamic_cast<FakeCopyMode*>(&g->mode())) return mode;
  }
  return nullptr;
}

struct FakeCopyScope::Impl {
  explicit Impl(const FakeMode& of) : mode(of), guard(mode) {}
  FakeCopyMode mode;
  ModeGuard guard;
};

FakeCopyScope::FakeCopyScope(const FakeMode& mode) : impl_(std::make_unique<Impl>(mode)) {}
FakeCopyScope::~FakeCopyScope() = default;

}  // namespace ersatz
