#include "fake/mode/adopted_arguments.h"

#include "fake/mode/argument_tensors.h"
#include "fake/mode/constants.h"
#include "fake/mode/fake_converter.h"
#include "runtime/op/map_tensors.h"

namespace ersatz {

bool holds_other_mode(const FakeModeState& mode, std::span<const Value> args) {
  return !every_tensor(args, [&](const TensorImpl* t) { return !t->fake_mode || t->fake_mode.get() == &mode; });
}

namespace {

[[noreturn]] void refuse_foreign(const FakeModeState& mode, const OpEntry& op, std::span<const Value> args) {
  const bool other_mode = holds_other_mode(mode, args);
  int argument = -1;
  std::string where;
  for (size_t i = 0; i < args.size() && argument < 0; ++i) {
    for_each_tensor(args.subspan(i, 1), [&](const TensorImpl* t) {
      if (argument >= 0 || t->fake_mode.get() == &mode) return;
      argument = static_cast<int>(i);
      const auto* other = dynamic_cast<const FakeModeState*>(t->fake_mode.get());
      if (other) where += "\nIts mode was made\n" + other->made_at->text();
      if (t->extra && t->extra->made_at) where += "\nIt was made\n" + t->extra->made_at->text();
    });
  }
  Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "");
  e.op = op.base();
  e.argument = argument;
  if (other_mode) {
    e.message = fmt::format("{}: Mixing fake modes NYI: argument {} belongs to another fake mode. Found in {}{}",
                            op.base(), argument, render_call(op, args), where);
    e.suggestion = "convert it with from_tensor of the active mode, or make that mode with allow_non_fake_inputs";
  } else {
    e.message = fmt::format(
        "{}: Please convert all Tensors to fake tensors first (from_tensor), or make the mode with "
        "allow_non_fake_inputs: argument {} is real. Found in {}{}",
        op.base(), argument, render_call(op, args), where);
    e.suggestion = "convert it with from_tensor, or make the mode with allow_non_fake_inputs";
  }
  describe_error(e, args);
  throw e;
}

}  // namespace

std::vector<Value> adopt_arguments(FakeModeState& mode, const OpEntry& op, std::span<const Value> args) {
  // An in-place view op would change the metadata of the converted fake but not of the caller's tensor, so it is always
  // refused.
  if (op.tags.has(Tag::InplaceView)) {
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime,
            fmt::format("{}: Can't call metadata mutating ops on non-Fake Tensor inputs. Found in {}", op.base(),
                        render_call(op, args)));
    e.op = op.base();
    e.argument = first_tensor(args, [&](const TensorImpl* t) { return t->fake_mode.get() != &mode; });
    e.suggestion = "convert it with from_tensor before the call";
    describe_error(e, args);
    throw e;
  }
  const bool literal = op.tags.has(Tag::Lift);
  if (!mode.options.allow_non_fake_inputs && !literal) refuse_foreign(mode, op, args);
  return map_tensors(args, [&](const Tensor& t) {
    const bool parameter = t.impl()->extra && t.impl()->extra->is_parameter;
    return literal && !parameter && Constants::qualifies(t) ? mode.note_made(mode.make_known(t))
                                                            : mode.note_made(mode.converter.convert(t));
  });
}

}  // namespace ersatz
