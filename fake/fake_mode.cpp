#include "fake/fake_mode.h"

#include "fake/fallback.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"
#include "runtime/meta_text.h"

namespace ersatz {

FakeModeState::FakeModeState(FakeOptions o) : options(std::move(o)), converter(*this) {}

void FakeModeState::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  bool foreign = false;
  for_each_tensor(args, [&](const TensorImpl* t) { foreign |= t->fake_mode.get() != this; });
  if (foreign) [[unlikely]]
    return call_with_foreign(op, args, results);
  call_own(op, args, results);
}

void FakeModeState::call_own(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (!op.rule || op.tags.has(Tag::DataDependent) || op.tags.has(Tag::ScalarRead)) [[unlikely]]
    return call_without_rule(op, args, results);
  RuleResult rule;
  run_rule(op, args, rule);
  if (!options.allow_meta) [[unlikely]]
    refuse_meta(op, rule);
  bump_written(op, args, rule);
  make_results(op, rule, this, results);
}

void FakeModeState::call_without_rule(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (op.composite) {
    // Its parts are ops like any other; they find this mode active again.
    ModeGuard guard(*this);
    return op.composite(args, results);
  }
  const bool reads_data = op.tags.has(Tag::ScalarRead) || op.tags.has(Tag::DataDependent);
  if (op.rule && reads_data) {
    // A call that the real op refuses is refused here in the same words, before data is missed.
    RuleResult unused;
    run_rule(op, args, unused);
  }
  if (op.tags.has(Tag::ScalarRead)) {
    fail(ErrorKind::DataDependentOutput, ErrorFamily::Runtime, "{}: a fake tensor has no value to read: {}", op.base(),
         render_call(op, args));
  }
  if (op.tags.has(Tag::DataDependent)) {
    fail(ErrorKind::DynamicOutputShape, ErrorFamily::Runtime,
         "{}: the size of the result depends on data, which a fake tensor has not: {}", op.base(),
         render_call(op, args));
  }
  const bool only_writes = op.schema.returns.empty() && op.schema.is_mutable() && !op.tags.has(Tag::InplaceView);
  if (only_writes && !fallback_allowed(*this, op)) {
    return bump_written(op, args, RuleResult());  // it returns nothing and a fake has no values to change
  }
  run_fallback(*this, op, args, results);
}

void FakeModeState::call_with_foreign(const OpEntry& op, std::span<const Value> args, Values& results) {
  // An in-place view op would change the caller's real tensor behind its back, converted or not.
  if (op.tags.has(Tag::InplaceView)) {
    fail_argument("{}: Can't call metadata mutating ops on non-Fake Tensor inputs. Found in {}", op.base(),
                  render_call(op, args));
  }
  if (!options.allow_non_fake_inputs && !op.tags.has(Tag::Lift)) {
    bool other_mode = false;
    for_each_tensor(args, [&](const TensorImpl* t) { other_mode |= t->fake_mode && t->fake_mode.get() != this; });
    if (other_mode) {
      fail_argument("{}: Mixing fake modes NYI: an argument belongs to another fake mode. Found in {}", op.base(),
                    render_call(op, args));
    }
    fail_argument(
        "{}: Please convert all Tensors to fake tensors first (from_tensor), or make the mode with "
        "allow_non_fake_inputs. Found in {}",
        op.base(), render_call(op, args));
  }
  const auto converted = [this](const auto& self, const Value& v) -> Value {
    if (v.is_tensor()) return Value(converter.convert(v.tensor()));
    if (v.kind() != Value::Kind::List) return v;
    std::vector<Value> items;
    for (const Value& item : v.as_list()) items.push_back(self(self, item));
    return Value::list(items);
  };
  std::vector<Value> own;
  own.reserve(args.size());
  for (const Value& v : args) own.push_back(converted(converted, v));
  call_own(op, own, results);
}

void FakeModeState::refuse_meta(const OpEntry& op, const RuleResult& rule) const {
  for (const OutputSpec& o : rule.outputs) {
    const bool tensor = o.kind != OutputSpec::Kind::Number && o.kind != OutputSpec::Kind::None;
    if (tensor && o.meta.device.is_meta()) {
      fail_argument("{}: this fake mode was made without allow_meta: no fake may live on the meta device: {}",
                    op.base(), o.meta);
    }
  }
}

Tensor FakeMode::make(TensorMeta meta, std::optional<SymInt> storage_bytes) const {
  const SymInt bytes = storage_bytes ? *storage_bytes : storage_bytes_needed(meta);
  Ref<Storage> storage = Storage::make_fake(bytes, meta.device);
  return make_on(storage, std::move(meta));
}

Tensor FakeMode::make_on(const Ref<Storage>& storage, TensorMeta meta) const {
  return Tensor(make_ref<TensorImpl>(std::move(meta), storage, Ref<FakeOwner>(state_.get())));
}

std::optional<FakeMode> mode_of(const Tensor& t) {
  if (!t || !t.is_fake()) return std::nullopt;
  auto* state = dynamic_cast<FakeModeState*>(t.impl()->fake_mode.get());
  if (!state) return std::nullopt;
  return FakeMode(Ref<FakeModeState>(state));
}

FakeScope::FakeScope(const FakeMode& mode) : mode_(mode) {
  if (active_mode(ModeOrder::Fake) != &mode_.state()) guard_.emplace(mode_.state());
}

std::string render_call(const OpEntry& op, std::span<const Value> args) {
  std::string text = op.name + "(";
  for (size_t i = 0; i < args.size(); ++i) text += (i ? ", " : "") + to_string(args[i]);
  return text + ")";
}

}  // namespace ersatz
