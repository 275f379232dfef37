// Errors of the two sides of a call, against each other and against what a real run of another system did.
#include "fake/crosscheck/checked_call.h"

namespace ersatz {
namespace {

std::string spell_error(const Error& e) { return fmt::format("{} ({}): {}", name(e.kind), name(e.family), e.message); }

/// Is the error of a kind that says that an operator or a kernel is missing, and not that the call is wrong?
bool lacks_support(const Error& e) {
  return e.kind == ErrorKind::NotSupported || e.kind == ErrorKind::UnsupportedOperator ||
         e.kind == ErrorKind::UnsupportedFakeTensor;
}

}  // namespace

bool lacks_data(const Error& e) {
  return e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape ||
         e.kind == ErrorKind::GuardOnDataDependent;
}

Witness CheckedCall::outside_witness() const {
  Witness strongest = Witness::None;
  for (const ResultFacts& f : all_facts()) {
    if (f.eager || f.number) return Witness::Eager;
    if (f.record || f.recorded_number) strongest = Witness::Record;
  }
  return strongest;
}

int64_t CheckedCall::expected_results() const {
  return static_cast<int64_t>(std::max(site_.results.size(), op_.schema.returns.size()));
}

void CheckedCall::count_failed(SkipReason reason) {
  check_.report_.count_skipped(reason, expected_results());
  for (int64_t k = 0; k < expected_results(); ++k) outcome_.counted.push_back({Counted::As::Skipped, reason});
  check_.report_.coverage.unchecked(op_, Check::Metadata, not_checked(reason), expected_results());
}

void CheckedCall::count_mismatched(Witness witness) {
  const int64_t n = std::max<int64_t>(1, expected_results());
  check_.report_.count_compared(witness, n, n);
  for (int64_t k = 0; k < n; ++k) outcome_.counted.push_back({Counted::As::Mismatched});
}

bool CheckedCall::only_kernel_is_missing() const {
  return real_error_ && lacks_support(*real_error_) && (!fake_error_ || lacks_data(*fake_error_));
}

bool CheckedCall::judge_errors() {
  outcome_.error = has_real() ? real_exception_ : fake_exception_;
  const auto& error = has_real() ? real_error_ : fake_error_;
  const Error* mine = error ? &*error : nullptr;
  ErrorsSay say = ErrorsSay::Nothing;
  if (site_.error && !(mine && lacks_support(*mine))) {
    say = judge_against_recorded(mine);
  } else if (mine) {
    say = judge_own(*mine);
  }
  if (say != ErrorsSay::Nothing) return say == ErrorsSay::CallIsJudged;
  return has_real() ? judge_sides() : mine != nullptr;
}

/// A real run of another system raised, so this one has to.
CheckedCall::ErrorsSay CheckedCall::judge_against_recorded(const Error* mine) {
  const std::string theirs = fmt::format("raises ({}): {}", name(site_.error->family), site_.error->message);
  const size_t before = outcome_.findings;
  if (!mine) {
    add_finding(-1, FindingField::Error, "passes", theirs, Witness::Eager);
    return has_real() && fake_error_ ? ErrorsSay::Nothing : ErrorsSay::ResultsAreThere;
  }
  if (mine->family != site_.error->family)
    add_finding(-1, FindingField::Error, spell_error(*mine), theirs, Witness::Eager);
  const bool differs = outcome_.findings != before;
  check_.report_.count_compared(Witness::Eager, 1, differs);
  outcome_.counted.push_back({differs ? Counted::As::Mismatched : Counted::As::Agreed});
  return ErrorsSay::Nothing;
}

/// The call raised and no witness is known to have raised.
CheckedCall::ErrorsSay CheckedCall::judge_own(const Error& mine) {
  const auto skipped = [&](SkipReason reason) {
    count_failed(reason);
    return ErrorsSay::CallIsJudged;
  };
  const auto found = [&](std::string predicted, std::string observed, Witness witness) {
    add_finding(-1, FindingField::Error, std::move(predicted), std::move(observed), witness);
    count_mismatched(witness);
    return ErrorsSay::CallIsJudged;
  };
  if (mine.value_failure && cpu_run_ && !(cpu_run_->error && cpu_run_->error->value_failure)) {
    return found(spell_error(mine), "passes on the cpu", Witness::Device);
  }
  if (mine.value_failure && op_.tags.has(Tag::FailsOnValues)) {
    ++check_.report_.value_failures;
    return skipped(SkipReason::DataDependent);
  }
  if (lacks_data(mine)) return skipped(SkipReason::DataDependent);
  if (lacks_support(mine)) {
    if (!has_real() || fake_error_) return skipped(SkipReason::Unsupported);
    no_kernel_ = true;
    return ErrorsSay::ResultsAreThere;
  }
  if (mine.value_failure) {
    return found("the kernel takes every value (the op does not declare fails_on_values)", spell_error(mine),
                 Witness::Declaration);
  }
  const Witness outside = outside_witness();
  if (outside != Witness::None) return found(spell_error(mine), "passes", outside);
  return ErrorsSay::Nothing;
}

/// The two sides against each other. True: at least one has no results.
bool CheckedCall::judge_sides() {
  const Error* real = real_error_ ? &*real_error_ : nullptr;
  const Error* fake = fake_error_ ? &*fake_error_ : nullptr;
  const auto found = [&](std::string predicted, const Error& raised) {
    add_finding(-1, FindingField::Error, std::move(predicted), spell_error(raised), Witness::Kernel);
    if (!site_.error) count_mismatched(Witness::Kernel);
  };
  if (real && !fake) found("passes", *real);
  if (real && fake) {
    const bool same = real->kind == fake->kind && real->family == fake->family && real->message == fake->message;
    // A fallback's kernel saw made-up inputs: its words may name them. A fake that lacks data was not asked.
    const bool comparable = !answer_.fell_back && !lacks_data(*fake) && !lacks_support(*fake);
    if (comparable && !same) found(spell_error(*fake), *real);
  }
  if (real) return true;
  if (!fake) return false;
  if (lacks_support(*fake) || answer_.fell_back) {
    unpredicted_ = SkipReason::Unsupported;
  } else if (!lacks_data(*fake)) {
    add_finding(-1, FindingField::Error, spell_error(*fake), "passes", Witness::Kernel);
  }
  return false;
}

}  // namespace ersatz
