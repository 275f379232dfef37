#include "fake/crosscheck/checked_call.h"
#include "fake/mode/fake_mode_state.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/value_checks.h"

namespace ersatz {
namespace {

template <class F>
void catch_error(std::optional<Error>& error, std::exception_ptr& exception, F&& f) {
  try {
    f();
  } catch (const DeferredError&) {  // the error of an earlier call
    throw;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    error = e;
    exception = std::current_exception();
  } catch (const std::exception& e) {  // from a plugin's kernel, or std::bad_alloc
    error = Error(ErrorKind::InvalidArgument, ErrorFamily::Runtime, e.what());
    exception = std::make_exception_ptr(*error);
  }
}

}  // namespace

Values flat_results(const Values& results) {
  Values flat;
  flatten(results, flat);
  return flat;
}

CheckedCall::CheckedCall(Crosscheck& check, CopyBuffers& buffers, const OpEntry& op, const CallSite& site,
                         std::span<const Value> fake, std::span<const Value> real, bool fresh_fakes,
                         CallOutcome& outcome)
    : case_(check, check.fake_mode(), buffers, op, site, fake, real, outcome),
      judgement_(check, case_),
      outcome_(outcome),
      fresh_fakes_(fresh_fakes) {}

void CheckedCall::run() {
  Report& report = judgement_.report;
  const int64_t mismatched = report.mismatched;
  ++report.nodes;
  note_arguments();
  if (const auto reason = exempt()) {
    run_unchecked(*reason);
    return conclude(mismatched);
  }
  run_fake();
  const auto& error = case_.predicted.error;
  outcome_.data_decided = case_.op.tags.has(Tag::ScalarRead) || (error && lacks_data(*error)) ||
                          (case_.answer.fell_back && case_.op.tags.has(Tag::DataDependent));
  settle_data(case_, outcome_.data_decided);
  complete_records(case_);
  note_follow_ups(case_, judgement_);
  drop_records_of_cpu(case_, judgement_);
  if (!case_.own_facts.empty()) case_.watched.set_facts(case_.own_facts);
  if (case_.has_real()) {
    run_on_cpu();
    run_real();
  }
  judge();
  take_values_from_cpu();
  conclude(mismatched);
}

void CheckedCall::refuse(const Error& error, std::vector<std::string> args) {
  const int64_t mismatched = judgement_.report.mismatched;
  ++judgement_.report.nodes;
  case_.spelled = std::move(args);
  for (CallSide* side : {&case_.predicted, &case_.observed}) {
    side->error = error;
    side->exception = std::make_exception_ptr(error);
  }
  outcome_.error = case_.observed.exception;
  judge_errors(case_, judgement_);
  conclude(mismatched);
}

/// Copies the results of the Judgement to the outcome. `mismatched` is Report::mismatched before the call.
void CheckedCall::conclude(int64_t mismatched) {
  if (judgement_.findings > 0 && judgement_.report.mismatched == mismatched) judgement_.count_call_mismatched();
  outcome_.tainted = case_.tainted();
  outcome_.findings = judgement_.findings;
  outcome_.waived = judgement_.waived;
  outcome_.undecided = judgement_.undecided;
  outcome_.values_compared = judgement_.values_compared;
  outcome_.values_skipped = judgement_.values_skipped;
  outcome_.counted = std::move(judgement_.counted);
}

void CheckedCall::judge() {
  outcome_.error = case_.has_real() ? case_.observed.exception : case_.predicted.exception;
  const ErrorsSay errors = judge_errors(case_, judgement_);
  if (errors == ErrorsSay::CallIsJudged) return;
  case_.no_kernel = errors == ErrorsSay::NoKernel;
  flatten_results();
  if (case_.has_real()) fill_alias_map(case_.observed.places, case_.observed.tensors, case_.observed.flat);
  if (!case_.predicted.error) fill_alias_map(case_.predicted.places, case_.predicted.tensors, case_.predicted.flat);
  Judgement::Result unjudged;
  if (case_.no_kernel) unjudged.skip = SkipReason::Unsupported;
  judgement_.states.resize(case_.flat().size(), unjudged);
  judge_results(case_, judgement_);
  judge_aliases(case_, judgement_);
  if (case_.has_real()) {
    judge_arguments(case_, judgement_);
    judge_device(case_, judgement_);
  }
  for (const ByteFault& f : case_.watched.faults) {
    judgement_.add(f.result, f.field, f.predicted, f.observed, Witness::Declaration);
  }
  if (case_.evidence.complete()) judge_evidence(case_, judgement_);
  judgement_.tally();
  if (case_.has_real()) learn_layouts(case_, judgement_);
  bool adopts_evidence = judgement_.findings > 0 || case_.predicted.error;
  for (const Judgement::Result& r : judgement_.states) adopts_evidence |= r.adopts_observed;
  if (adopts_evidence) take_truth();
}

void CheckedCall::run_on_cpu() {
  if (!case_.options.other_device || !CpuRun::device_of(case_.real_args)) return;
  case_.cpu_run.emplace(case_.op, case_.real_args, case_.options.reference_f64);
  case_.cpu_flat = flat_results(case_.cpu_run->results);
  case_.reference_flat = flat_results(case_.cpu_run->reference);
}

void CheckedCall::flatten_results() {
  const auto leaves = [](const Values& results, Values& room) -> std::span<const Value> {
    const bool lists =
        std::any_of(results.begin(), results.end(), [](const Value& v) { return v.kind() == Value::Kind::List; });
    if (!lists) return results;
    flatten(results, room);
    return room;
  };
  case_.predicted.flat = leaves(outcome_.fake, case_.predicted.leaves);
  case_.observed.flat = leaves(outcome_.real, case_.observed.leaves);
}

std::optional<SkipReason> CheckedCall::exempt() const {
  const CrosscheckOptions& o = case_.options;
  if (o.exclude && o.exclude(case_.op)) return SkipReason::Excluded;
  if (o.skip_without_rule && !case_.op.rule && !case_.op.composite) return SkipReason::Unsupported;
  return std::nullopt;
}

/// Runs the operator with real tensors only, and gives the fake results the metadata of the real results. If crosscheck
/// makes no real runs, runs the operator with fake tensors only.
void CheckedCall::run_unchecked(SkipReason reason) {
  if (case_.has_real()) {
    catch_error(case_.observed.error, case_.observed.exception, [&] {
      SuspendModes for_real;
      const ChecksAtOnce judged;
      ersatz::run_real(case_.op, case_.real_args, outcome_.real);
    });
    if (case_.observed.error) outcome_.real.clear();
    outcome_.error = case_.observed.exception;
  } else {
    run_fake();
    outcome_.error = case_.predicted.exception;
  }
  if (outcome_.error) return judgement_.count_failed(reason);
  flatten_results();
  Judgement::Result unjudged;
  unjudged.skip = reason;
  judgement_.states.resize(case_.flat().size(), unjudged);
  judgement_.tally();
  if (case_.has_real()) take_truth();
}

void CheckedCall::note_arguments() {
  note_tensors(case_.fake_args, case_.real_args);
  const bool changes = case_.may_change_metas();
  if (changes) {
    for (const TensorImpl* t : case_.predicted.tensors) case_.predicted.metas.emplace_back(t->meta);
  }
  alike_ = fresh_fakes_ || are_alike();
  if (alike_ && !changes) return;
  for (const TensorImpl* t : case_.observed.tensors) case_.observed.metas.emplace_back(t->meta);
}

/// Stores pairs of a fake and a real tensor argument, including elements of lists. Raises InternalError if the fake and
/// the real arguments do not correspond.
void CheckedCall::note_tensors(std::span<const Value> fake, std::span<const Value> real) {
  const bool both = case_.has_real();
  ERSATZ_ASSERT(!both || fake.size() == real.size(), "{}: the fake call has {} arguments, the real one {}",
                case_.op.name, fake.size(), real.size());
  for (size_t i = 0; i < fake.size(); ++i) {
    const bool list = fake[i].kind() == Value::Kind::List;
    ERSATZ_ASSERT(
        !both || (fake[i].is_tensor() == real[i].is_tensor() && list == (real[i].kind() == Value::Kind::List)),
        "{}: the fake call has {} where the real one has {}", case_.op.name, to_string(fake[i]), to_string(real[i]));
    if (list) note_tensors(fake[i].as_list(), both ? real[i].as_list() : std::span<const Value>());
    if (!fake[i].is_tensor()) continue;
    CallCase::Argument& a = case_.arguments.emplace_back();
    TensorImpl* const f = fake[i].tensor_impl();
    a.fake = f;
    a.fake_version = f->storage->version();
    a.fake_storage = f->storage.get();
    case_.predicted.tensors.push_back(f);
    if (!both) continue;
    TensorImpl* const r = real[i].tensor_impl();
    a.real = r;
    a.real_version = r->storage->version();
    a.real_storage = r->storage.get();
    a.real_nbytes = r->storage->nbytes().guard_int();
    case_.observed.tensors.push_back(r);
  }
}

/// Returns whether the fake and the real arguments are equal in everything that a rule reads: metadata, storage sizes
/// and shared storages.
bool CheckedCall::are_alike() const {
  for (size_t i = 0; i < case_.arguments.size(); ++i) {
    const CallCase::Argument& a = case_.arguments[i];
    if (!a.real || !(a.fake->meta == a.real->meta)) return false;
    if (!a.fake->storage->nbytes().is_identical(a.real->storage->nbytes())) return false;
    for (size_t j = 0; j < i; ++j) {
      const bool shared = case_.arguments[j].fake_storage == a.fake_storage;
      if (shared != (case_.arguments[j].real_storage == a.real_storage)) return false;
    }
  }
  return true;
}

void CheckedCall::run_fake() {
  const bool plans_real =
      alike_ && case_.op.rule && !case_.op.tags.has(Tag::Foreign) && !case_.op.composite && case_.has_real();
  catch_error(case_.predicted.error, case_.predicted.exception, [&] {
    SuspendModes alone;
    if (plans_real) ask_rule_for_both();
    case_.mode.state().answer_uncounted(case_.op, case_.fake_args, case_.answer);
  });
  if (case_.predicted.error) case_.answer.source = Source::None;
  count_answer(judgement_.report.coverage, case_.op, case_.answer);
  if (!case_.predicted.error) outcome_.fake = std::move(case_.answer.results);
}

/// Runs the rule once for the fake and the real run, because a rule sees no difference between their arguments. An
/// error of the rule is dropped, because the fake mode's call raises the same error.
void CheckedCall::ask_rule_for_both() {
  try {
    run_rule(case_.op, case_.fake_args, case_.answer.rule);
  } catch (const Error&) {
    case_.answer.rule = RuleResult();
    return;
  }
  case_.answer.ruled = true;
  plan_real();
}

/// Stores the rule's result as the plan of the real run, with real tensors in place of fakes.
void CheckedCall::plan_real() {
  const auto real_of = [&](const TensorImpl* fake) {
    const auto a =
        std::find_if(case_.arguments.begin(), case_.arguments.end(), [&](const auto& x) { return x.fake == fake; });
    ERSATZ_ASSERT(a != case_.arguments.end(), "{}: a rule named a tensor that is no argument", case_.op.name);
    return a->real;
  };
  RuleResult& plan = case_.watched.plan();
  plan = case_.answer.rule;
  for (OutputSpec& o : plan.outputs) {
    if (o.source) o.source = real_of(o.source);
  }
  for (TensorImpl*& t : plan.also_written) t = real_of(t);
}

void CheckedCall::run_real() {
  catch_error(case_.observed.error, case_.observed.exception, [&] { case_.watched.run(); });
  outcome_.real = std::move(case_.watched.results);
  if (case_.observed.error) outcome_.real.clear();
}

}  // namespace ersatz
