#include "fake/crosscheck/checked_call.h"
#include "runtime/op/map_tensors.h"

namespace ersatz {
namespace {

template <class F>
void catch_error(std::optional<Error>& error, std::exception_ptr& exception, F&& f) {
  try {
    f();
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    error = e;
    exception = std::current_exception();
  } catch (const std::exception& e) {  // of a foreign kernel, or memory that is not there
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

CheckedCall::CheckedCall(Crosscheck& check, const OpEntry& op, const CallSite& site, std::span<const Value> fake,
                         std::span<const Value> real, CallOutcome& outcome)
    : check_(check),
      op_(op),
      site_(site),
      fake_args_(fake),
      real_args_(real),
      real_run_(check.options_, *check.buffers_, op, real, site.results),
      outcome_(outcome) {}

void CheckedCall::run() {
  const int64_t mismatched = check_.report_.mismatched;
  ++check_.report_.nodes;
  note_arguments();
  if (const auto reason = exempt()) {
    run_unchecked(*reason);
    outcome_.tainted = site_.tainted;
    return;
  }
  run_fake();
  settle_data();
  note_follow_ups();
  drop_records_of_cpu();
  if (!settled_.empty()) real_run_.set_facts(settled_);
  if (has_real()) {
    run_on_cpu();
    run_real();
  }
  if (!judge_errors()) {
    flatten_results();
    map_aliases();
    judge_counts();
    ResultState unjudged;
    if (no_kernel_) unjudged.skip = SkipReason::Unsupported;
    states_.resize(flat().size(), unjudged);
    if (op_.tags.has(Tag::LayoutByLibrary)) note_unknown_layouts();
    bool takes_real = false;
    for (size_t k = 0; k < states_.size(); ++k) {
      const Value& v = flat()[k];
      if (v.is_tensor()) {
        judge_tensor(k);
        judge_flags(k);
        takes_real |= states_[k].takes_real;
      }
      if (v.is_number()) judge_number(k);
    }
    judge_aliases();
    if (has_real()) {
      judge_arguments();
      judge_device();
    }
    judge_bytes();
    tally();
    if (outcome_.findings || fake_error_ || takes_real) take_truth();
  }
  take_values_from_cpu();
  outcome_.tainted = site_.tainted || real_run_.tainted;
  if (outcome_.findings > 0 && check_.report_.mismatched == mismatched) count_call_mismatched();
}

void CheckedCall::flatten_results() {
  const auto leaves = [](const Values& results, Values& room) -> std::span<const Value> {
    const bool lists =
        std::any_of(results.begin(), results.end(), [](const Value& v) { return v.kind() == Value::Kind::List; });
    if (!lists) return results;
    flatten(results, room);
    return room;
  };
  fake_flat_ = leaves(outcome_.fake, fake_leaves_);
  real_flat_ = leaves(outcome_.real, real_leaves_);
}

/// A finding about the call as a whole that no result stands for yet: its first result does, if it has one.
void CheckedCall::count_call_mismatched() {
  Counted alone;
  Counted* first = &alone;
  for (size_t k = outcome_.counted.size(); k-- > 0;) {
    if (outcome_.counted[k].as != Counted::As::Uncounted) first = &outcome_.counted[k];
  }
  check_.report_.count_mismatched(*first, call_witness_);
}

std::vector<ResultFacts>& CheckedCall::settled() {
  if (settled_.empty()) settled_.assign(site_.results.begin(), site_.results.end());
  return settled_;
}

void CheckedCall::settle_data() {
  outcome_.data_decided = op_.tags.has(Tag::ScalarRead) || (fake_error_ && lacks_data(*fake_error_)) ||
                          (answer_.fell_back && op_.tags.has(Tag::DataDependent));
  if (!outcome_.data_decided || site_.results.empty()) return;
  for (ResultFacts& f : settled()) {
    f.recorded_number.reset();
    if (!site_.other_values) continue;
    f.eager.reset();
    f.number.reset();
    if (f.record_of_cpu) f.record.reset();  // an eager run's, on that device
  }
}

std::optional<SkipReason> CheckedCall::exempt() const {
  const CrosscheckOptions& o = check_.options_;
  if (o.exclude && o.exclude(op_)) return SkipReason::Excluded;
  if (o.skip_without_rule && !op_.rule && !op_.composite) return SkipReason::Unsupported;
  return std::nullopt;
}

/// The real side alone; the fake one takes what it gives.
void CheckedCall::run_unchecked(SkipReason reason) {
  if (has_real()) {
    catch_error(real_error_, real_exception_, [&] {
      SuspendModes for_real;
      ersatz::run_real(op_, real_args_, outcome_.real);
    });
    if (real_error_) outcome_.real.clear();
    outcome_.error = real_exception_;
  } else {
    run_fake();
    outcome_.error = fake_exception_;
  }
  if (outcome_.error) return count_failed(reason);
  flatten_results();
  ResultState unjudged;
  unjudged.skip = reason;
  states_.resize(flat().size(), unjudged);
  tally();
  if (has_real()) take_truth();
}

bool CheckedCall::may_change_metas() const {
  return !op_.written.empty() || op_.schema.is_mutable() || op_.tags.has(Tag::InplaceView) || !op_.rule;
}

void CheckedCall::note_arguments() {
  const bool changes = may_change_metas();
  for_each_tensor(fake_args_, [&](TensorImpl* t) {
    ArgumentState& a = arguments_.emplace_back();
    a.fake = t;
    a.fake_version = t->storage->version();
    a.fake_storage = t->storage.get();
    fake_tensors_.push_back(t);
    if (changes) fake_metas_.emplace_back(t->meta);
  });
  size_t i = 0;
  for_each_tensor(real_args_, [&](TensorImpl* t) {
    ERSATZ_ASSERT(i < arguments_.size(), "{}: the real call has more tensors than the fake one", op_.name);
    ArgumentState& a = arguments_[i++];
    a.real = t;
    a.real_version = t->storage->version();
    a.real_storage = t->storage.get();
    real_tensors_.push_back(t);
  });
  ERSATZ_ASSERT(!has_real() || i == arguments_.size(), "{}: the fake call has more tensors than the real one",
                op_.name);
  alike_ = are_alike();
  if (alike_ && !changes) return;
  for (const TensorImpl* t : real_tensors_) real_metas_.emplace_back(t->meta);
}

/// Are the arguments the same on both sides in all that a rule can see: metadata, storage sizes, who shares a storage?
bool CheckedCall::are_alike() const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentState& a = arguments_[i];
    if (!a.real || !(a.fake->meta == a.real->meta)) return false;
    if (!a.fake->storage->nbytes().same_word(a.real->storage->nbytes())) return false;
    for (size_t j = 0; j < i; ++j) {
      const bool shared = arguments_[j].fake_storage == a.fake_storage;
      if (shared != (arguments_[j].real_storage == a.real_storage)) return false;
    }
  }
  return true;
}

void CheckedCall::run_fake() {
  const bool plans_real = alike_ && op_.rule && !op_.tags.has(Tag::Foreign) && !op_.composite && has_real();
  catch_error(fake_error_, fake_exception_, [&] {
    SuspendModes alone;
    if (plans_real) ask_rule_for_both();
    check_.fake_mode_.state().answer(op_, fake_args_, answer_);
  });
  if (!fake_error_) outcome_.fake = std::move(answer_.results);
}

/// What the rule says of arguments that are alike on both sides holds for both. What it refuses, the fake mode refuses.
void CheckedCall::ask_rule_for_both() {
  try {
    run_rule(op_, fake_args_, answer_.rule);
  } catch (const Error&) {
    answer_.rule = RuleResult();
    return;
  }
  answer_.ruled = true;
  plan_real();
}

/// The rule's answer, about the real arguments.
void CheckedCall::plan_real() {
  const auto real_of = [&](const TensorImpl* fake) {
    const auto a = std::find_if(arguments_.begin(), arguments_.end(), [&](const auto& x) { return x.fake == fake; });
    ERSATZ_ASSERT(a != arguments_.end(), "{}: a rule named a tensor that is no argument", op_.name);
    return a->real;
  };
  RuleResult& plan = real_run_.plan();
  plan = answer_.rule;
  for (OutputSpec& o : plan.outputs) {
    if (o.source) o.source = real_of(o.source);
  }
  for (TensorImpl*& t : plan.also_written) t = real_of(t);
}

void CheckedCall::run_real() {
  catch_error(real_error_, real_exception_, [&] { real_run_.run(); });
  outcome_.real = std::move(real_run_.results);
  if (real_error_) outcome_.real.clear();
}

const ResultFacts& CheckedCall::facts(size_t k) const {
  static const ResultFacts none;
  const std::span<const ResultFacts> all = all_facts();
  return k < all.size() ? all[k] : none;
}

void CheckedCall::judge_bytes() {
  for (ByteFault& f : real_run_.faults) {
    add_finding(f.result, f.field, std::move(f.predicted), std::move(f.observed), Witness::Declaration);
  }
}

void CheckedCall::tally() {
  const auto counts = [&](size_t k) { return flat()[k].is_tensor() || flat()[k].is_number(); };
  if (call_witness_ != Witness::None) {
    size_t first = 0;
    while (first < states_.size() && !counts(first)) ++first;
    if (first < states_.size()) mark(first, call_witness_);
  }
  for (size_t k = 0; k < states_.size(); ++k) {
    Counted& counted = outcome_.counted.emplace_back();
    if (counts(k)) counted = count_result(states_[k]);
  }
  if (!has_real()) return;
  learn_layouts();
  const auto unchecked = [&](Check check, const std::optional<NotChecked>& reason) {
    if (reason) check_.report_.coverage.unchecked(op_, check, *reason);
  };
  unchecked(Check::Unwritten, real_run_.unwritten_unchecked);
  unchecked(Check::OutOfBounds, real_run_.bounds_unchecked);
  unchecked(Check::UndeclaredWrite, real_run_.inputs_unchecked);
}

Counted CheckedCall::count_result(ResultState& s) {
  Report& report = check_.report_;
  Counted counted{s.mismatched ? Counted::As::Mismatched : Counted::As::Agreed, s.skip};
  if (s.on_device) {
    report.values_compared += s.values_compared;
    if (s.witness == Witness::None) s.witness = Witness::Device;
    // Another device judges beside whoever else does.
    if (s.witness != Witness::Device) ++report.witnesses[static_cast<size_t>(Witness::Device)];
  }
  if (s.witness == Witness::None) {
    counted.as = Counted::As::Skipped;
    report.count_skipped(s.skip);
    report.coverage.unchecked(op_, Check::Metadata, not_checked(s.skip));
  } else {
    report.count_compared(s.witness, 1, s.mismatched);
    report.memory_formats += s.mismatched && s.format_differs;
    if (s.cosmetic != Cosmetic::No && !s.mismatched) {
      ++report.cosmetic;
      ++(s.cosmetic == Cosmetic::SizeOne ? report.size_one_only : report.empty_tensor);
    }
  }
  if (op_.tags.has(Tag::Random) && !s.values_compared) skip_values(SkipReason::Random);
  if (site_.tainted) skip_values(SkipReason::Tainted);
  return counted;
}

void CheckedCall::skip_values(SkipReason reason) {
  ++check_.report_.skip_values(reason);
  check_.report_.coverage.unchecked(op_, Check::Values, not_checked(reason));
}

}  // namespace ersatz
