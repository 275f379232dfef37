// Errors of the two sides of a call, against each other and against what a real run of another system did.
#include "fake/checked_call.h"

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
  const Error* real = real_error_ ? &*real_error_ : nullptr;
  const Error* fake = fake_error_ ? &*fake_error_ : nullptr;
  const Error* mine = has_real() ? real : fake;

  if (site_.error && !(mine && lacks_support(*mine))) {
    // A real run raised, so this one has to.
    Report& report = check_.report_;
    const std::string theirs = fmt::format("raises ({}): {}", name(site_.error->family), site_.error->message);
    const size_t before = outcome_.findings;
    if (!mine) {
      add_finding(-1, FindingField::Error, "passes", theirs, Witness::Eager);
      if (has_real() ? !fake : true) return false;
    } else {
      if (mine->family != site_.error->family)
        add_finding(-1, FindingField::Error, spell_error(*mine), theirs, Witness::Eager);
      ++report.results;
      ++report.compared;
      ++report.witnesses[static_cast<size_t>(Witness::Eager)];
      report.mismatched += outcome_.findings != before;
      outcome_.counted.push_back({outcome_.findings != before ? Counted::As::Mismatched : Counted::As::Agreed});
    }
  } else if (mine) {
    const Witness outside = outside_witness();
    if (mine->value_failure && device_run_ && !(device_run_->error && device_run_->error->value_failure)) {
      add_finding(-1, FindingField::Error, spell_error(*mine), "passes on the cpu", Witness::Device);
      count_mismatched(Witness::Device);
      return true;
    }
    if (mine->value_failure && op_.tags.has(Tag::FailsOnValues)) {
      ++check_.report_.value_failures;
      count_failed(SkipReason::DataDependent);
      return true;
    }
    if (lacks_data(*mine)) {
      count_failed(SkipReason::DataDependent);
      return true;
    }
    if (lacks_support(*mine) && has_real() && !fake) {
      no_kernel_ = true;
      return false;
    }
    if (lacks_support(*mine)) {
      count_failed(SkipReason::Unsupported);
      return true;
    }
    if (mine->value_failure) {
      add_finding(-1, FindingField::Error, "the kernel takes every value (the op does not declare fails_on_values)",
           spell_error(*mine), Witness::Declaration);
      count_mismatched(Witness::Declaration);
      return true;
    }
    if (outside != Witness::None) {
      add_finding(-1, FindingField::Error, spell_error(*mine), "passes", outside);
      count_mismatched(outside);
      return true;
    }
  }
  if (!has_real()) return mine != nullptr;

  if (real && !fake) {
    add_finding(-1, FindingField::Error, "passes", spell_error(*real), Witness::Kernel);
    if (!site_.error) count_mismatched(Witness::Kernel);
    return true;
  }
  if (real && fake) {
    const bool same = real->kind == fake->kind && real->family == fake->family && real->message == fake->message;
    // A fallback's kernel saw made-up inputs: its words may name them. A fake that lacks data was not asked.
    const bool comparable = !answer_.fell_back && !lacks_data(*fake) && !lacks_support(*fake);
    if (comparable && !same) {
      add_finding(-1, FindingField::Error, spell_error(*fake), spell_error(*real), Witness::Kernel);
      if (!site_.error) count_mismatched(Witness::Kernel);
    }
    return true;
  }
  if (fake) {
    if (lacks_support(*fake) || answer_.fell_back) {
      unpredicted_ = SkipReason::Unsupported;
    } else if (!lacks_data(*fake)) {
      add_finding(-1, FindingField::Error, spell_error(*fake), "passes", Witness::Kernel);
    }
  }
  return false;
}

}  // namespace ersatz
