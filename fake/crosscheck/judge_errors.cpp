// Errors of the two sides of a call, against each other and against what a real run of another system did.
#include "fake/crosscheck/judge.h"

namespace ersatz {

bool lacks_data(const Error& e) {
  return e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape ||
         e.kind == ErrorKind::GuardOnDataDependent;
}

bool lacks_support(const Error& e) {
  return e.kind == ErrorKind::NotSupported || e.kind == ErrorKind::UnsupportedOperator ||
         e.kind == ErrorKind::UnsupportedFakeTensor;
}

namespace {

std::string spell_error(const Error& e) { return fmt::format("{} ({}): {}", name(e.kind), name(e.family), e.message); }

/// A real run of another system raised, so this one has to.
ErrorsSay judge_against_recorded(const CallCase& c, Judgement& j, const Error* mine) {
  const std::string theirs = fmt::format("raises ({}): {}", name(c.site.error->family), c.site.error->message);
  const size_t before = j.findings;
  if (!mine) {
    j.add(-1, FindingField::Error, "passes", theirs, Witness::Eager);
    return c.has_real() && c.predicted.error ? ErrorsSay::Nothing : ErrorsSay::ResultsAreThere;
  }
  if (mine->family != c.site.error->family) j.add(-1, FindingField::Error, spell_error(*mine), theirs, Witness::Eager);
  const bool differs = j.findings != before;
  j.report.count_compared(Witness::Eager, 1, differs);
  j.counted.push_back({differs ? Counted::As::Mismatched : Counted::As::Agreed});
  return ErrorsSay::Nothing;
}

/// The call raised and no witness is known to have raised.
ErrorsSay judge_own(const CallCase& c, Judgement& j, const Error& mine) {
  const auto skipped = [&](SkipReason reason) {
    j.count_failed(reason);
    return ErrorsSay::CallIsJudged;
  };
  const auto found = [&](std::string predicted, std::string observed, Witness witness) {
    j.add(-1, FindingField::Error, std::move(predicted), std::move(observed), witness);
    j.count_mismatched(witness);
    return ErrorsSay::CallIsJudged;
  };
  if (mine.value_failure && c.cpu_run && !(c.cpu_run->error && c.cpu_run->error->value_failure)) {
    return found(spell_error(mine), "passes on the cpu", Witness::Device);
  }
  if (mine.value_failure && c.op.tags.has(Tag::FailsOnValues)) {
    ++j.report.value_failures;
    return skipped(SkipReason::DataDependent);
  }
  if (lacks_data(mine)) return skipped(SkipReason::DataDependent);
  if (lacks_support(mine)) {
    if (!c.has_real() || c.predicted.error) return skipped(SkipReason::Unsupported);
    return ErrorsSay::NoKernel;
  }
  if (mine.value_failure) {
    return found("the kernel takes every value (the op does not declare fails_on_values)", spell_error(mine),
                 Witness::Declaration);
  }
  const Witness outside = outside_witness(c);
  if (outside != Witness::None) return found(spell_error(mine), "passes", outside);
  return ErrorsSay::Nothing;
}

/// The two sides against each other. True: at least one has no results.
bool judge_sides(const CallCase& c, Judgement& j) {
  const Error* real = c.observed.error ? &*c.observed.error : nullptr;
  const Error* fake = c.predicted.error ? &*c.predicted.error : nullptr;
  const auto found = [&](std::string predicted, const Error& raised) {
    j.add(-1, FindingField::Error, std::move(predicted), spell_error(raised), Witness::Kernel);
    if (!c.site.error) j.count_mismatched(Witness::Kernel);
  };
  if (real && !fake) found("passes", *real);
  if (real && fake) {
    const bool same = real->kind == fake->kind && real->family == fake->family && real->message == fake->message;
    // A fallback's kernel saw made-up inputs: its words may name them. A fake that lacks data was not asked.
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
  ErrorsSay say = ErrorsSay::Nothing;
  if (c.site.error && !(mine && lacks_support(*mine))) {
    say = judge_against_recorded(c, j, mine);
  } else if (mine) {
    say = judge_own(c, j, *mine);
  }
  if (say != ErrorsSay::Nothing) return say;
  const bool judged = c.has_real() ? judge_sides(c, j) : mine != nullptr;
  return judged ? ErrorsSay::CallIsJudged : ErrorsSay::ResultsAreThere;
}

}  // namespace ersatz
