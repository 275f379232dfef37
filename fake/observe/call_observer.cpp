#include "fake/observe/call_observer.h"

#include "fake/mode/active_fake_mode.h"
#include "runtime/op/autograd_entry.h"
#include "runtime/op/composite.h"

namespace ersatz {

namespace {

/// Returns whether all tensors belong to the active fake mode. Without an active mode: whether all have one owner, or
/// none.
bool tensors_agree(std::span<const Value> args) {
  const FakeOwner* owner = active_fake_mode();
  bool known = owner != nullptr, agree = true;
  for_each_tensor(args, [&](const TensorImpl* t) {
    if (!known) owner = t->fake_mode.get();
    known = true;
    agree = agree && t->fake_mode.get() == owner;
  });
  return agree;
}

}  // namespace

void CallObserver::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (op.composite && tensors_agree(args) && !autograd_keeps_whole(op, args)) {
    ModeGuard watching(*this);
    return run_composite(op, args, results);
  }
  const size_t before = results.size();
  dispatch(op, args, results);
  answered(op, args, std::span<const Value>(results).subspan(before));
}

}  // namespace ersatz
