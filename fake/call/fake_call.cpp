// The order in which a fake mode answers a call. The first that answers wins:
//   1. numbers alone, and literals that enter: known values (constants.h)
//   2. tensors that are not the mode's: refused or converted; in-place view ops on them always refused
//   with propagate_real: the call runs for real beside the fake one (propagated_call.h), and 3 to 5 happen there
//   3. ops on nothing but known values: worked out on the values
//   4. composite ops: their parts, with the mode active again
//   5. what the mode remembers of such calls, where its policy has the op remembered (cached_call.cpp)
//   6. the rule; without one, or where it reads data: the fallback or an error that says why
// Whatever is written loses its known value.
#include <algorithm>

#include "fake/call/fallback.h"
#include "fake/call/made_symbols.h"
#include "fake/call/propagated_call.h"
#include "fake/mode/active_fake_mode.h"
#include "runtime/base/log.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/cpu_kernel_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

template <class F>
bool every_tensor(std::span<const Value> values, const F& f) {
  bool all = true;
  for_each_tensor(values, [&](TensorImpl* t) { all = all && f(t); });
  return all;
}

/// Position of the first argument that is, or holds, a tensor that `f` is true of; -1: none.
template <class F>
int first_tensor(std::span<const Value> args, const F& f) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (!every_tensor(args.subspan(i, 1), [&](const TensorImpl* t) { return !f(t); })) return static_cast<int>(i);
  }
  return -1;
}

/// Refuses a call that needs the data of its first tensor.
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

}  // namespace

// Part of the hot path (fake_mode.h).
[[gnu::always_inline]] inline void FakeModeState::finish(const OpEntry& op, std::span<const Value> args,
                                                         RuleResult& rule, Values& results, bool values_known) {
  if (!options.allow_meta) [[unlikely]]
    refuse_meta(op, rule);
  if (!op.written.empty() || !rule.also_written.empty()) [[unlikely]]
    note_writes(op, args, rule, values_known);
  const size_t before = results.size();
  make_results(op, rule, this, results);
  if (options.keep_stacks) [[unlikely]]
    note_stacks(std::span<const Value>(results).subspan(before));
}

void FakeModeState::note_writes(const OpEntry& op, std::span<const Value> args, const RuleResult& rule,
                                bool values_known) {
  bump_written(op, args, rule);
  if (!values_known) constants.forget_written(op, args, rule);
}

namespace {
/// What one look at a call's tensors tells: there are some, and something has to be done about one of them before the
/// op is asked.
struct Glance {
  bool any = false, slow;
};
/// By hand: what a function is given by reference does not stay in registers.
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
    return finish(op, args, rule, results, /*values_known=*/false);
  }
  if (plain && op.composite) {
    Answer made;
    answer_by_parts(op, args, made);
    return append(std::move(made.results), results);
  }
  call_slowly(op, args, seen.slow ? look(args) : Operands{.any = seen.any}, results);
}

void FakeModeState::call_slowly(const OpEntry& op, std::span<const Value> args, Operands operands, Values& results) {
  Answer made;
  answer(op, args, operands, made);
  append(std::move(made.results), results);
}

FakeModeState::Operands FakeModeState::look(std::span<const Value> args) const {
  Operands found;
  for_each_tensor(args, [&](const TensorImpl* t) {
    found.any = true;
    found.foreign |= t->fake_mode.get() != this;
    found.extra |= static_cast<bool>(t->extra);
  });
  return found;
}

void FakeModeState::answer(const OpEntry& op, std::span<const Value> args, Answer& made) {
  answer(op, args, look(args), made);
}

void FakeModeState::answer_uncounted(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  answer_uncounted(op, args, look(args), answer);
}

void FakeModeState::answer(const OpEntry& op, std::span<const Value> args, Operands operands, Answer& answer) {
  if (!options.count_sources) return answer_uncounted(op, args, operands, answer);
  const auto count = [&] {
    std::lock_guard lock(coverage_mutex_);
    count_answer(coverage_, op, answer);
  };
  try {
    answer_uncounted(op, args, operands, answer);
  } catch (...) {
    answer.source = Source::None;
    count();
    throw;
  }
  count();
}

void FakeModeState::answer_uncounted(const OpEntry& op, std::span<const Value> args, Operands operands,
                                     Answer& answer) {
  if (!operands.foreign) [[likely]]
    return answer_on_fakes(op, args, operands, /*may_look_up=*/true, answer);
  const std::vector<Value> own = adopt(op, args);
  const bool looks_up = keeps_answers(op);
  if (looks_up) note_bypass(op, holds_other_mode(args) ? "not our fake" : "non-fake tensor");
  answer_on_fakes(op, own, look(own), !looks_up, answer);
}

namespace {
thread_local int t_call_depth = 0;  // of logged calls: parts of a composite stand under it
struct CallDepth {
  CallDepth() { ++t_call_depth; }
  ~CallDepth() { --t_call_depth; }
};
}  // namespace

void FakeModeState::answer_on_fakes(const OpEntry& op, std::span<const Value> args, Operands operands, bool may_look_up,
                                    Answer& answer) {
  if (logs_calls) log().debug("fake:{:{}} {}", "", 2 * t_call_depth, render_call(op, args));
  const CallDepth depth;
  if (watches_calls) watched_.fetch_add(1, std::memory_order_relaxed);
  answer.source = op.rule ? Source::Rule : op.composite ? Source::Composite : Source::None;
  if (reals) {
    answer_with_values(op, args, answer);
  } else if ((operands.extra || !operands.any) && answer_on_known_values(op, args, answer)) {
    answer.source = Source::Constant;
    if (may_look_up) note_bypass(op, "constant attribute");
  } else if (may_look_up && keeps_answers(op)) {
    answer_cached(op, args, answer);
  } else {
    answer_afresh(op, args, answer);
  }
}

std::map<std::string, int64_t> FakeModeState::counters() const {
  std::map<std::string, int64_t> named;
  const int64_t by_tensor = routed_by_tensor_.load();
  named["calls.tensor"] = by_tensor;
  named["calls.mode"] = watched_.load() - by_tensor;
  const OpCoverage total = coverage().total();
  for (int s = 0; s < kSourceCount; ++s) {
    const int64_t times = total.sources[static_cast<size_t>(s)];
    if (times) named[fmt::format("answered.{}", name(static_cast<Source>(s)))] = times;
  }
  return named;
}

Coverage FakeModeState::coverage() const {
  std::lock_guard lock(coverage_mutex_);
  return coverage_;
}

Coverage FakeModeState::take_coverage() {
  std::lock_guard lock(coverage_mutex_);
  return std::exchange(coverage_, Coverage());
}

void FakeModeState::answer_afresh(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  if (!op.rule || tells_of_data(op)) [[unlikely]]
    return answer_without_rule(op, args, answer);
  ask_rule(op, args, answer);
  finish_by_rule(op, args, answer, /*values_known=*/false);
}

void FakeModeState::ask_rule(const OpEntry& op, std::span<const Value> args, Answer& answer, bool makes_symbols) {
  if (answer.ruled) return;
  std::optional<MadeSymbols> symbols;
  if (makes_symbols && options.shape_env && tells_of_data(op)) {
    symbols.emplace(*this, op);
    answer.rule.symbols = &*symbols;
  }
  // What the rule is given ends with this call, also where it raises.
  struct Given {
    RuleResult& rule;
    ~Given() { rule.symbols = nullptr; }
  } const given{answer.rule};
  run_rule(op, args, answer.rule);
  if (symbols) symbols->check_held(answer.rule);
  answer.over_symbols = symbols && symbols->asked();
  answer.ruled = true;
}

void FakeModeState::finish_by_rule(const OpEntry& op, std::span<const Value> args, Answer& answer, bool values_known) {
  finish(op, args, answer.rule, answer.results, values_known);
}

void FakeModeState::answer_with_values(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  if (op.composite) {
    answer_by_parts(op, args, answer);
    // Its parts ran for real each by itself; what its body did to an argument's metadata no op did.
    if (op.tags.has(Tag::InplaceView)) for_each_tensor(args, [&](TensorImpl* t) { reals->follow(t); });
    return;
  }
  PropagatedCall(*this, *reals, op, args, answer).run();
}

bool FakeModeState::works_on_known_values(const OpEntry& op, std::span<const Value> args) {
  if (op.composite || op.tags.has(Tag::Random) || op.tags.has(Tag::InplaceView) || op.tags.has(Tag::Uninitialized)) {
    return false;
  }
  bool any = false;
  if (!every_tensor(args, [&](const TensorImpl* t) { return any = true, t->extra && t->extra->constant; }))
    return false;
  // Numbers may stand for tensors; a factory makes what its user asks for, known or not.
  if (!any && !op.tags.has(Tag::AcceptsNumbers)) return false;
  const bool reads_data = tells_of_data(op);
  if (!op.rule && !reads_data) return false;
  return op.has_kernel(DeviceType::CPU) || op.tags.has(Tag::View);
}

bool FakeModeState::leaves_cpu(const RuleResult& rule) {
  return std::any_of(rule.outputs.begin(), rule.outputs.end(), [](const OutputSpec& o) {
    const bool tensor = o.kind != OutputSpec::Kind::Number && o.kind != OutputSpec::Kind::None;
    return tensor && !o.meta.device.is_cpu();
  });
}

bool FakeModeState::answer_on_known_values(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  if (!works_on_known_values(op, args)) return false;
  const bool reads_data = tells_of_data(op);
  if (op.rule && !reads_data) {
    // Values live on the CPU: a call that leaves it would need the device's kernel, and maybe a device that is not
    // there.
    ask_rule(op, args, answer);
    if (leaves_cpu(answer.rule)) return false;
  }
  Values values;
  {
    SuspendModes for_real;
    const auto value_of = [](const Tensor& t) { return t.impl()->extra->constant; };
    run_real(op, map_tensors(args, value_of), values);
  }
  const bool known = every_tensor(values, [](TensorImpl* t) { return Constants::qualifies(Tensor(Ref(t))); });
  if (reads_data) {
    if (!known) return false;  // data-dependent and too large to be remembered
    for (Value& v : map_tensors(values, [this](const Tensor& t) { return make_known(t); })) {
      answer.results.push_back(std::move(v));
    }
    return true;
  }
  finish_by_rule(op, args, answer, /*values_known=*/true);
  if (!known) return true;
  std::vector<Tensor> reals;
  for_each_tensor(values, [&](TensorImpl* t) { reals.emplace_back(Ref<TensorImpl>(t)); });
  size_t k = 0;
  for_each_tensor(answer.results, [&](TensorImpl* t) { constants.attach(Tensor(Ref<TensorImpl>(t)), reals[k++]); });
  return true;
}

Tensor FakeModeState::make_known(const Tensor& value) {
  TensorMeta meta = value.meta();
  meta.wrapped_number = false;
  Ref<Storage> storage = Storage::make_fake(value.storage()->nbytes(), meta.device);
  Tensor fake(make_ref<TensorImpl>(std::move(meta), std::move(storage), Ref<FakeOwner>(this)));
  Tensor own = make_real_tensor(value.meta());
  copy_elements(own, value);  // later writes to the literal do not show
  constants.attach(fake, own);
  if (reals) reals->attach(fake, own);
  return fake;
}

namespace {
void note_maker(TensorImpl* t, const Ref<CallStack>& maker) {
  if (!t->extra) t->extra = make_ref<TensorExtra>();
  if (!t->extra->made_at) t->extra->made_at = maker;
}
}  // namespace

void FakeModeState::note_stacks(std::span<const Value> results) {
  const Ref<CallStack> here = CallStack::capture(2);
  for_each_tensor(results, [&](TensorImpl* t) { note_maker(t, here); });
}

Tensor FakeModeState::note_made(Tensor fake) const {
  if (options.keep_stacks) note_maker(fake.impl(), CallStack::capture(1));
  return fake;
}

/// The mode that is active while a composite op's body runs. Each op that the body calls is answered by the fake mode;
/// whether it fell back, and its unknown layouts, are added to the composite's own Answer.
class FakeModeState::Parts final : public PartsMode {
 public:
  Parts(FakeModeState& mode, Answer& whole) : PartsMode(mode), whole_(whole) {}
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override {
    FakeModeState& mode = fake_mode();
    const Glance seen = glance(mode, args);
    if (seen.any && !seen.slow && !mode.keeps_answers(op) && answers_by_rule_alone(op)) [[likely]] {
      RuleResult rule;
      run_rule(op, args, rule);
      return mode.finish(op, args, rule, results, /*values_known=*/false);
    }
    Answer part;
    const Told told{whole_, part};
    mode.answer(op, args, part);
    append(std::move(part.results), results);
  }

 private:
  struct Told {  // also where a part raises
    Answer& whole;
    const Answer& part;
    ~Told() {
      whole.fell_back |= part.fell_back;
      whole.layouts_untold += part.layouts_untold;
    }
  };
  Answer& whole_;
};

void FakeModeState::answer_by_parts(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  Parts parts(*this, answer);
  const ModeGuard guard(parts);  // the parts find the mode active again
  CompositeCall call(op, args, answer.results);
  try {
    op.composite(call);
  } catch (Error& e) {
    name_missing_kernel(op, args, e);
    throw;
  }
  for (const OutputSpec& o : call.out.outputs) answer.layouts_untold += o.unknown_layout;
}

void FakeModeState::answer_without_rule(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  if (op.composite) return answer_by_parts(op, args, answer);
  const bool reads_data = tells_of_data(op);
  if (!op.rule && options.inferred && options.inferred(op, args, answer.rule)) {
    answer.ruled = true;
    answer.source = Source::Inferred;
    return finish_by_rule(op, args, answer, /*values_known=*/false);
  }
  if (op.rule && reads_data) {
    // A call that the real op refuses is refused here in the same words, before data is missed. A rule that names
    // outputs says that those of this call do not depend on data (indices that are no masks), or has symbols for what
    // does.
    ask_rule(op, args, answer);
    const bool answered = !op.tags.has(Tag::ScalarRead) || answer.over_symbols;
    if (answered && !answer.rule.outputs.empty()) return finish_by_rule(op, args, answer, /*values_known=*/false);
  }
  if (op.tags.has(Tag::ScalarRead)) {
    refuse_data(ErrorKind::DataDependentOutput, op, args, "a fake tensor has no value to read");
  }
  if (op.tags.has(Tag::DataDependent)) {
    if (options.allow_data_dependent) return run_fallback(*this, op, args, answer);
    refuse_data(ErrorKind::DynamicOutputShape, op, args,
                "the size of the result depends on data, which a fake tensor has not");
  }
  const bool only_writes = op.schema.returns.empty() && op.schema.is_mutable() && !op.tags.has(Tag::InplaceView);
  if (only_writes && !fallback_allowed(*this, op)) {
    // It returns nothing, and of values only known ones could change.
    constants.forget_written(op, args, RuleResult());
    return bump_written(op, args, RuleResult());
  }
  run_fallback(*this, op, args, answer);
}

bool FakeModeState::holds_other_mode(std::span<const Value> args) const {
  return !every_tensor(args, [this](const TensorImpl* t) { return !t->fake_mode || t->fake_mode.get() == this; });
}

std::vector<Value> FakeModeState::adopt(const OpEntry& op, std::span<const Value> args) {
  // An in-place view op would change the caller's real tensor behind its back, converted or not.
  if (op.tags.has(Tag::InplaceView)) {
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime,
            fmt::format("{}: Can't call metadata mutating ops on non-Fake Tensor inputs. Found in {}", op.base(),
                        render_call(op, args)));
    e.op = op.base();
    e.argument = first_tensor(args, [this](const TensorImpl* t) { return t->fake_mode.get() != this; });
    e.suggestion = "convert it with from_tensor before the call";
    describe_error(e, args);
    throw e;
  }
  const bool literal = op.tags.has(Tag::Lift);
  if (!options.allow_non_fake_inputs && !literal) refuse_foreign(op, args);
  return map_tensors(args, [&](const Tensor& t) {
    const bool parameter = t.impl()->extra && t.impl()->extra->is_parameter;
    return literal && !parameter && Constants::qualifies(t) ? note_made(make_known(t))
                                                            : note_made(converter.convert(t));
  });
}

void FakeModeState::refuse_foreign(const OpEntry& op, std::span<const Value> args) const {
  const bool other_mode = holds_other_mode(args);
  int argument = -1;
  std::string where;
  for (size_t i = 0; i < args.size() && argument < 0; ++i) {
    for_each_tensor(args.subspan(i, 1), [&](const TensorImpl* t) {
      if (argument >= 0 || t->fake_mode.get() == this) return;
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

void FakeModeState::refuse_meta(const OpEntry& op, const RuleResult& rule) const {
  for (const OutputSpec& o : rule.outputs) {
    const bool tensor = o.kind != OutputSpec::Kind::Number && o.kind != OutputSpec::Kind::None;
    if (tensor && o.meta.device.is_meta()) {
      fail_argument("{}: this fake mode was made without allow_meta: no fake may live on the meta device: {}",
                    op.base(), o.meta);
    }
  }
}

}  // namespace ersatz
