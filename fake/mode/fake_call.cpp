// The steps in which a fake mode answers a call. The first step that has an answer ends the call.
//   1. Arguments that are real or fakes of another mode are refused or converted (adopted_arguments.h).
//   2. With propagate_real, the call runs on fakes and on real tensors (propagated_call.h). Steps 3 to 7 are left out.
//   3. If all tensors have known values, the results are computed from these values (constants.h).
//   4. If the mode caches the op's answers, the answer comes from the cache (cached_call.cpp).
//   5. The op's rule answers, unless the op reads data.
//   6. If the op is composite, its body runs, and the mode answers the ops that the body calls.
//   7. An inferred rule answers, or the fallback runs (fallback.h), or the call raises an error with the reason.
// A tensor that the call writes loses its known value.
#include "fake/mode/fake_call.h"

#include <algorithm>

#include "fake/mode/adopted_arguments.h"
#include "fake/mode/argument_tensors.h"
#include "fake/mode/constants.h"
#include "fake/mode/data_dependent_symbols.h"
#include "fake/mode/fallback.h"
#include "fake/mode/parts_mode.h"
#include "fake/mode/propagated_call.h"
#include "fake/mode/real_values.h"
#include "runtime/base/log.h"
#include "runtime/op/composite_body.h"
#include "runtime/op/copy.h"
#include "runtime/op/device_layouts.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

/// Raises the error of a call that needs the data of its first tensor.
[[noreturn]] void refuse_data(ErrorKind kind, const OpEntry& op, std::span<const Value> args, std::string_view why) {
  Error e(kind, ErrorFamily::Runtime, fmt::format("{}: {}: {}", op.base(), why, render_call(op, args)));
  e.op = op.base();
  e.argument = first_tensor(args, [](const TensorImpl*) { return true; });
  describe_error(e, args);
  throw e;
}

void append(Values&& made, Values& results) {
  if (results.empty()) {
    results = std::move(made);
  } else {
    for (Value& v : made) results.push_back(std::move(v));
  }
}

void note_writes(FakeModeState& mode, const OpEntry& op, std::span<const Value> args, const RuleResult& rule,
                 bool values_known) {
  bump_written(op, args, rule);
  if (!values_known) mode.constants.forget_written(op, args, rule);
}

/// Makes the results from a rule's outputs. It is part of the hot path (fake_mode_state.h).
[[gnu::always_inline]] inline void finish(FakeModeState& mode, const OpEntry& op, std::span<const Value> args,
                                          RuleResult& rule, Values& results, bool values_known) {
  if (!mode.options.allow_meta) [[unlikely]]
    refuse_meta(op, rule);
  if (!op.written.empty() || !rule.also_written.empty()) [[unlikely]]
    note_writes(mode, op, args, rule, values_known);
  const size_t before = results.size();
  make_results(op, rule, &mode, results);
  if (mode.options.keep_stacks) [[unlikely]]
    mode.note_stacks(std::span<const Value>(results).subspan(before));
}

/// The result of a loop over a call's tensors. `any`: there are tensors. `slow`: the call needs more than the hot path.
struct Glance {
  bool any = false, slow;
};
/// Looks at a call's tensors. It is a hand-written loop because variables that a callback captures by reference do not
/// stay in registers.
[[gnu::always_inline]] inline Glance glance(const FakeModeState& mode, std::span<const Value> args) {
  Glance seen{.slow = mode.watches_calls || mode.reals};
  for (const Value& v : args) {
    if (v.is_tensor()) {
      const TensorImpl* t = v.tensor_impl();
      seen.any = true;
      seen.slow |= t->fake_mode.get() != &mode || t->extra;
    } else if (v.kind() == Value::Kind::List) {
      for (const Value& item : v.as_list()) {
        if (!item.is_tensor()) continue;
        const TensorImpl* t = item.tensor_impl();
        seen.any = true;
        seen.slow |= t->fake_mode.get() != &mode || t->extra;
      }
    }
  }
  return seen;
}
bool answers_by_rule_alone(const OpEntry& op) {
  return op.rule && !op.tags.has(Tag::DataDependent) && !op.tags.has(Tag::ScalarRead);
}
}  // namespace

void FakeModeState::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  const Glance seen = glance(*this, args);
  const bool plain = seen.any && !seen.slow && !keeps_answers(op);
  if (plain && answers_by_rule_alone(op)) [[likely]] {
    RuleResult rule;
    run_rule(op, args, rule);
    return finish(*this, op, args, rule, results, /*values_known=*/false);
  }
  Answer made;
  if (plain && op.composite) {
    FakeCall(*this, op, args, made).run_parts();
  } else {
    answer(op, args, made);
  }
  append(std::move(made.results), results);
}

void FakeModeState::answer(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  if (!options.count_sources) return answer_uncounted(op, args, answer);
  try {
    answer_uncounted(op, args, answer);
  } catch (...) {
    answer.source = Source::None;
    count(op, answer);
    throw;
  }
  count(op, answer);
}

void FakeModeState::answer_uncounted(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  const bool own = every_tensor(args, [this](const TensorImpl* t) { return t->fake_mode.get() == this; });
  if (own) [[likely]]
    return FakeCall(*this, op, args, answer).run(/*may_look_up=*/true);
  const std::vector<Value> adopted = adopt_arguments(*this, op, args);
  FakeCall call(*this, op, adopted, answer);
  call.note_bypass(holds_other_mode(*this, args) ? "not our fake" : "non-fake tensor");
  call.run(/*may_look_up=*/!keeps_answers(op));
}

namespace {
thread_local int t_call_depth = 0;  // the number of FakeCalls that are running, which indents the log
struct CallDepth {
  CallDepth() { ++t_call_depth; }
  ~CallDepth() { --t_call_depth; }
};
}  // namespace

void FakeCall::run(bool may_look_up) {
  if (mode_.logs_calls) log().debug("fake:{:{}} {}", "", 2 * t_call_depth, render_call(op_, args_));
  const CallDepth depth;
  if (mode_.watches_calls) mode_.count_call();
  answer_.source = op_.rule ? Source::Rule : op_.composite ? Source::Composite : Source::None;
  if (mode_.reals) {
    run_beside_real();
  } else if (compute_on_known_values()) {
    answer_.source = Source::Constant;
    if (may_look_up) note_bypass("constant attribute");
  } else if (may_look_up && mode_.keeps_answers(op_)) {
    use_cache();
  } else {
    run_rule_or_fallback();
  }
}

void FakeCall::ask_rule(bool makes_symbols) {
  if (answer_.ruled) return;
  std::optional<DataDependentSymbols> symbols;
  if (makes_symbols && mode_.options.shape_env && tells_of_data(op_)) {
    symbols.emplace(mode_, op_);
    answer_.rule.symbols = &*symbols;
  }
  // The destructor of Given removes the pointer to the local variable `symbols`, even if the rule raises an error.
  struct Given {
    RuleResult& rule;
    ~Given() { rule.symbols = nullptr; }
  } const given{answer_.rule};
  run_rule(op_, args_, answer_.rule);
  if (symbols) symbols->check_held(answer_.rule);
  answer_.over_symbols = symbols && symbols->asked();
  answer_.ruled = true;
}

void FakeCall::build_results(bool values_known) {
  finish(mode_, op_, args_, answer_.rule, answer_.results, values_known);
}

void FakeCall::run_beside_real() {
  if (!op_.composite) return PropagatedCall(*this, *mode_.reals).run();
  run_parts();
  // The body may change an argument's metadata without calling an op, so the real tensor is adjusted.
  if (op_.tags.has(Tag::InplaceView)) for_each_tensor(args_, [&](TensorImpl* t) { mode_.reals->follow(t); });
}

bool works_on_known_values(const OpEntry& op, std::span<const Value> args) {
  if (op.composite || op.tags.has(Tag::Random) || op.tags.has(Tag::InplaceView) || op.tags.has(Tag::Uninitialized)) {
    return false;
  }
  bool any = false;
  if (!every_tensor(args, [&](const TensorImpl* t) { return any = true, t->extra && t->extra->constant; }))
    return false;
  // A call without tensors qualifies only if the op accepts numbers in place of tensors (AcceptsNumbers). Factories do
  // not qualify.
  if (!any && !op.tags.has(Tag::AcceptsNumbers)) return false;
  const bool reads_data = tells_of_data(op);
  if (!op.rule && !reads_data) return false;
  return op.has_kernel(DeviceType::CPU) || op.tags.has(Tag::View);
}

bool leaves_cpu(const RuleResult& rule) {
  return std::any_of(rule.outputs.begin(), rule.outputs.end(), [](const OutputSpec& o) {
    const bool tensor = o.kind != OutputSpec::Kind::Number && o.kind != OutputSpec::Kind::None;
    return tensor && !o.meta.device.is_cpu();
  });
}

bool FakeCall::compute_on_known_values() {
  if (!works_on_known_values(op_, args_)) return false;
  const bool reads_data = tells_of_data(op_);
  if (op_.rule && !reads_data) {
    // Known values are CPU tensors. A result on another device would need a kernel of that device, which may be
    // missing.
    ask_rule();
    if (leaves_cpu(answer_.rule)) return false;
  }
  Values values;
  {
    SuspendModes for_real;
    const auto value_of = [](const Tensor& t) { return t.impl()->extra->constant; };
    run_real(op_, map_tensors(args_, value_of), values);
  }
  const bool known = every_tensor(values, [](TensorImpl* t) { return Constants::qualifies(Tensor(Ref(t))); });
  if (reads_data) {
    if (!known) return false;  // the result's size depends on data, and it is too large to be a known value
    for (Value& v : map_tensors(values, [this](const Tensor& t) { return mode_.make_known(t); })) {
      answer_.results.push_back(std::move(v));
    }
    return true;
  }
  build_results(/*values_known=*/true);
  if (!known) return true;
  std::vector<Tensor> reals;
  for_each_tensor(values, [&](TensorImpl* t) { reals.emplace_back(Ref<TensorImpl>(t)); });
  size_t k = 0;
  for_each_tensor(answer_.results,
                  [&](TensorImpl* t) { mode_.constants.attach(Tensor(Ref<TensorImpl>(t)), reals[k++]); });
  return true;
}

namespace {
/// The mode that is active while a composite op's body runs. The fake mode answers each op that the body calls. The
/// Answer of the composite op gets fell_back and the unknown layouts of these ops.
class Parts final : public PartsMode {
 public:
  Parts(FakeModeState& mode, Answer& whole) : PartsMode(mode), whole_(whole) {}
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override {
    FakeModeState& mode = fake_mode();
    const Glance seen = glance(mode, args);
    if (seen.any && !seen.slow && !mode.keeps_answers(op) && answers_by_rule_alone(op)) [[likely]] {
      RuleResult rule;
      run_rule(op, args, rule);
      return finish(mode, op, args, rule, results, /*values_known=*/false);
    }
    Answer part;
    const AddPart add_part{whole_, part};
    mode.answer(op, args, part);
    append(std::move(part.results), results);
  }

 private:
  struct AddPart {  // the destructor adds fields of `part` to `whole`, even if the call raised an error
    Answer& whole;
    const Answer& part;
    ~AddPart() {
      whole.fell_back |= part.fell_back;
      whole.unknown_body_layouts += part.unknown_body_layouts;
    }
  };
  Answer& whole_;
};
}  // namespace

bool FakeCall::run_recorded_parts(const DeviceLayouts& layouts) {
  const std::string situation = layout_situation(args_);
  const auto strides_of = [&](size_t k) { return layouts.find(op_.name, k, situation); };
  size_t first = 0;
  while (first < op_.schema.returns.size() && !strides_of(first)) ++first;
  if (first == op_.schema.returns.size()) return false;
  {
    const DeviceLayoutsGuard by_rules(nullptr);
    run_parts();
  }
  Values leaves;
  flatten(answer_.results, leaves);
  for (size_t k = 0; k < leaves.size(); ++k) {
    const DimVec* strides = strides_of(k);
    if (!strides || !leaves[k].is_tensor()) continue;
    TensorMeta meta = leaves[k].tensor_impl()->meta;
    const Storage* storage = leaves[k].tensor_impl()->storage.get();
    const bool is_new = every_tensor(args_, [&](const TensorImpl* t) { return t->storage.get() != storage; });
    if (!is_new || strides->size() != meta.sizes.size()) continue;
    meta.strides = *strides;
    leaves[k] = FakeMode(Ref<FakeModeState>(&mode_)).make(std::move(meta));
  }
  answer_.results = repack(leaves, answer_.results);
  layouts.count(op_, situation, /*recorded=*/true);
  return true;
}

void FakeCall::run_parts() {
  if (const DeviceLayouts* layouts = device_layouts(); layouts && run_recorded_parts(*layouts)) [[unlikely]]
    return;
  Parts parts(mode_, answer_);
  const ModeGuard guard(parts);  // the fake mode answers the ops that the body calls
  CompositeCall call(op_, args_, answer_.results);
  run_body(op_, call);
  for (const OutputSpec& o : call.out.outputs) answer_.unknown_body_layouts += o.unknown_layout;
}

void FakeCall::run_rule_or_fallback() {
  const bool reads_data = tells_of_data(op_);
  if (op_.rule && !reads_data) [[likely]] {
    ask_rule();
    return build_results(/*values_known=*/false);
  }
  if (op_.composite) return run_parts();
  if (!op_.rule && mode_.options.inferred && mode_.options.inferred(op_, args_, answer_.rule)) {
    answer_.ruled = true;
    answer_.source = Source::Inferred;
    return build_results(/*values_known=*/false);
  }
  if (op_.rule && reads_data) {
    // The rule first raises the errors that the real op raises. If the rule returns outputs, they do not depend on data
    // in this call (indexing without masks), or they have symbols for the sizes and numbers that depend on data.
    ask_rule();
    const bool answered = !op_.tags.has(Tag::ScalarRead) || answer_.over_symbols;
    if (answered && !answer_.rule.outputs.empty()) return build_results(/*values_known=*/false);
  }
  if (op_.tags.has(Tag::ScalarRead)) {
    refuse_data(ErrorKind::DataDependentOutput, op_, args_, "a fake tensor has no value to read");
  }
  if (op_.tags.has(Tag::DataDependent)) {
    if (mode_.options.allow_data_dependent) return run_fallback(mode_, op_, args_, answer_);
    refuse_data(ErrorKind::DynamicOutputShape, op_, args_,
                "the size of the result depends on data, which a fake tensor has not");
  }
  const bool only_writes = op_.schema.returns.empty() && op_.schema.is_mutable() && !op_.tags.has(Tag::InplaceView);
  if (only_writes && !fallback_allowed(mode_, op_)) {
    // The op returns nothing, so the call only makes known values of written tensors unknown and increases their
    // versions.
    mode_.constants.forget_written(op_, args_, RuleResult());
    return bump_written(op_, args_, RuleResult());
  }
  run_fallback(mode_, op_, args_, answer_);
}

void refuse_meta(const OpEntry& op, const RuleResult& rule) {
  for (const OutputSpec& o : rule.outputs) {
    const bool tensor = o.kind != OutputSpec::Kind::Number && o.kind != OutputSpec::Kind::None;
    if (tensor && o.meta.device.is_meta()) {
      fail_argument("{}: this fake mode was made without allow_meta: no fake may live on the meta device: {}",
                    op.base(), o.meta);
    }
  }
}

}  // namespace ersatz
