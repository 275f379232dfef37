// Compares the errors of the fake and the real run with each other, and with a recorded run of another system.
#include "fake/crosscheck/judge.h"
#include "runtime/op/behind_values.h"

namespace ersatz {

bool lacks_data(const Error& e) {
  return e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape ||
         e.kind == ErrorKind::GuardOnDataDependent;
}

bool lacks_support(const Error& e) {
  return e.kind == ErrorKind::NotSupported || e.kind == ErrorKind::UnsupportedOperator ||
         e.kind == ErrorKind::UnsupportedFakeTensor;
}

bool is_not_modelled(const Error& e) {
  return lacks_support(e) && (e.kind != ErrorKind::NotSupported || e.label.ends_with(".NYI"));
}

std::string to_string(const ErrorFact& e) {
  constexpr std::string_view classes[] = {"IndexError", "TypeError", "ValueError", "RuntimeError",
                                          "NotImplementedError"};
  if (e.message.empty()) return fmt::format("raises {}", classes[static_cast<int>(e.family)]);
  return fmt::format("raises ({}): {}", name(e.family), e.message);
}

namespace {

std::string spell_error(const Error& e) { return fmt::format("{} ({}): {}", name(e.kind), name(e.family), e.message); }

ErrorsSay skip_failed(Judgement& j, SkipReason reason, Undecided undecided = Undecided::No) {
  j.count_failed(reason);
  j.undecided = undecided;
  return ErrorsSay::CallIsJudged;
}

/// Compares a call that raised no error with its evidence. If the recorded run raised an error only because it had no
/// kernel, complete evidence does not contradict the call.
ErrorsSay judge_passed(const CallCase& c, Judgement& j) {
  const Evidence& t = c.evidence;
  if (!t.error) return ErrorsSay::Nothing;
  if (t.raises_by_values && c.has_real()) {
    return skip_failed(j, SkipReason::DataDependent, Undecided::RaisesByValues);
  }
  if (t.complete() && t.error->family == ErrorFamily::NotImplemented) return ErrorsSay::Nothing;
  if (t.complete() && !c.has_real() && c.op.tags.has(Tag::FailsOnValues)) {
    j.undecided = Undecided::RaisesByData;
  } else {
    j.add(-1, FindingField::Error, "passes", to_string(*t.error), Witness::Eager);
  }
  return ErrorsSay::Nothing;
}

/// Compares the error `mine` with the outcome of another system's run. A difference is a finding. `passes` is the
/// source that shows that the call passed there, or None.
void judge_against_told(const CallCase& c, Judgement& j, const Error& mine, Witness passes) {
  const bool kernel_is_missing = mine.kind == ErrorKind::NotSupported && c.has_real() && !c.predicted.error;
  const auto found = [&](std::string predicted, std::string observed) {
    j.add(-1, FindingField::Error, std::move(predicted), std::move(observed), Witness::Eager);
  };
  if (!c.evidence.error) {
    const bool has_evidence = passes != Witness::None;
    j.add(-1, FindingField::Error, spell_error(mine), has_evidence ? "passes" : "answers or refuses",
          has_evidence ? passes : c.evidence.witness());
  } else if (mine.kind == ErrorKind::InternalError ||
             (mine.family != c.evidence.error->family && !values_may_raise(mine, c.evidence.error->family))) {
    found(spell_error(mine), to_string(*c.evidence.error));
  } else if (kernel_is_missing) {
    found("passes as a fake", spell_error(mine));
  }
}

ErrorsSay judge_raised(const CallCase& c, Judgement& j, const Error& mine) {
  const Evidence& t = c.evidence;
  const bool has_evidence = t.error || t.of == Evidence::Of::ThisCall;
  const bool by_value = mine.value_failure, declared = by_value && c.op.tags.has(Tag::FailsOnValues);
  if (by_value && c.cpu_run && !(c.cpu_run->error && c.cpu_run->error->value_failure)) {
    j.add(-1, FindingField::Error, spell_error(mine), "passes on the cpu", Witness::Device);
    j.count_mismatched(Witness::Device);
    return ErrorsSay::CallIsJudged;
  }
  j.report.value_failures += declared;
  if (by_value && t.raises_by_values && c.has_real()) {
    return skip_failed(j, SkipReason::DataDependent, Undecided::RaisesByValues);
  }
  if (declared && !has_evidence) return skip_failed(j, SkipReason::DataDependent);
  if (lacks_data(mine) && !(has_evidence && c.has_real())) {
    return skip_failed(j, SkipReason::DataDependent, Undecided::LacksData);
  }
  const bool unsupported = lacks_support(mine), only_kernel = unsupported && c.has_real() && !c.predicted.error;
  if (unsupported && t.of != Evidence::Of::ThisCall) {
    return only_kernel ? ErrorsSay::NoKernel : skip_failed(j, SkipReason::Unsupported);
  }
  if (is_not_modelled(mine) && !(t.error && t.error->family == mine.family)) {
    if (only_kernel && !t.error) return ErrorsSay::NoKernel;
    if (!only_kernel) return skip_failed(j, SkipReason::Unsupported, Undecided::NotModelled);
  }
  if (has_evidence && anything_may_happen(mine) && !(t.error && t.error->family == mine.family))
    return skip_failed(j, SkipReason::Unsupported, Undecided::NotModelled);
  const size_t before = j.findings;
  if (by_value && !declared) {
    j.add(-1, FindingField::Error, "the kernel takes every value (the op does not declare fails_on_values)",
          spell_error(mine), Witness::Declaration);
  }
  const Witness passes = outside_witness(c);
  const bool broken = mine.kind == ErrorKind::InternalError;
  if (t.error || broken || (passes != Witness::None && j.findings == before)) judge_against_told(c, j, mine, passes);
  if (only_kernel && !t.error) return ErrorsSay::NoKernel;
  if (t.error) {
    const bool differs = j.findings != before;
    j.report.count_compared(Witness::Eager, 1, differs);
    j.counted.push_back({differs ? Counted::As::Mismatched : Counted::As::Agreed});
    return by_value || unsupported ? ErrorsSay::CallIsJudged : ErrorsSay::Nothing;
  }
  if (!by_value && passes == Witness::None) return ErrorsSay::Nothing;
  j.count_mismatched(by_value && !declared ? Witness::Declaration : passes);
  return ErrorsSay::CallIsJudged;
}

/// Compares the errors of the fake and the real run with each other. Returns whether the real run raised an error.
bool judge_sides(const CallCase& c, Judgement& j) {
  const Error* real = c.observed.error ? &*c.observed.error : nullptr;
  const Error* fake = c.predicted.error ? &*c.predicted.error : nullptr;
  const auto found = [&](std::string predicted, const Error& raised) {
    j.add(-1, FindingField::Error, std::move(predicted), spell_error(raised), Witness::Kernel);
    if (!c.evidence.error) j.count_mismatched(Witness::Kernel);
  };
  if (real && !fake) found("passes", *real);
  if (real && fake) {
    const bool same = real->kind == fake->kind && real->family == fake->family && real->message == fake->message;
    // A fallback's error is not compared, because its message may mention synthetic inputs. An error about missing data
    // or support is not compared, because it does not predict an error of the real call.
    const bool comparable = !c.answer.fell_back && !lacks_data(*fake) && !lacks_support(*fake);
    if (comparable && !same) found(spell_error(*fake), *real);
  }
  if (real) return true;
  if (!fake) return false;
  if (lacks_support(*fake) || c.answer.fell_back) {
    j.unpredicted = SkipReason::Unsupported;
  } else if (!lacks_data(*fake)) {
    j.add(-1, FindingField::Error, spell_error(*fake), "passes", Witness::Kernel);
  }
  return false;
}

}  // namespace

ErrorsSay judge_errors(const CallCase& c, Judgement& j) {
  const auto& error = c.has_real() ? c.observed.error : c.predicted.error;
  const Error* mine = error ? &*error : nullptr;
  const ErrorsSay say = mine ? judge_raised(c, j, *mine) : judge_passed(c, j);
  if (say != ErrorsSay::Nothing) return say;
  const bool judged = c.has_real() ? judge_sides(c, j) : mine != nullptr;
  return judged ? ErrorsSay::CallIsJudged : ErrorsSay::ResultsAreThere;
}

}  // namespace ersatz
