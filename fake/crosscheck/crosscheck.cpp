#include "fake/crosscheck/crosscheck.h"

#include "fake/crosscheck/checked_call.h"
#include "fake/mode/fake_mode_state.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

FakeOptions probing(FakeOptions options) {
  options.propagate_real = false;  // crosscheck makes the real run itself
  options.fallback = FallbackPolicy::Zeros;
  options.cache = CachePolicy::Never;  // the rule runs for each call, because its result is checked
  options.count_sources = true;
  return options;
}

size_t leaves(std::span<const Value> results) {
  size_t n = 0;
  for (const Value& v : results) n += v.kind() == Value::Kind::List ? leaves(v.as_list()) : 1;
  return n;
}

}  // namespace

struct Crosscheck::Impl {
  explicit Impl(CrosscheckOptions o) : options(std::move(o)), fake_mode(probing(options.fake)) {}

  CrosscheckOptions options;
  FakeMode fake_mode;
  Report report;
  CopyBuffers buffers;
};

Crosscheck::Crosscheck(CrosscheckOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Crosscheck::~Crosscheck() = default;

const FakeMode& Crosscheck::fake_mode() const { return impl_->fake_mode; }
const CrosscheckOptions& Crosscheck::options() const { return impl_->options; }
Report& Crosscheck::report() { return impl_->report; }
const Report& Crosscheck::report() const { return impl_->report; }

CallOutcome Crosscheck::call(const OpEntry& op, const CallSite& site, std::span<const Value> fake,
                             std::span<const Value> real, bool fresh_fakes) {
  const ExcludeAutograd below;
  const std::vector<Finding>& findings = impl_->report.findings;
  const size_t before = findings.size();
  CallOutcome outcome;
  CheckedCall(*this, impl_->buffers, op, site, fake, real, fresh_fakes, outcome).run();
  if (impl_->options.stop_at_first && findings.size() > before) {
    const Finding& first = findings[before];
    Error e(ErrorKind::MetadataMismatch, ErrorFamily::Runtime,
            mismatch_text(first, std::max(leaves(outcome.real), leaves(outcome.fake)) > 1));
    e.op = op.base();
    e.arguments = first.args;
    e.source = first.source;
    throw e;
  }
  return outcome;
}

CallOutcome Crosscheck::refused(const OpEntry& op, const CallSite& site, const Error& error,
                                std::vector<std::string> args) {
  CallOutcome outcome;
  CheckedCall(*this, impl_->buffers, op, site, {}, {}, /*fresh_fakes=*/false, outcome).refuse(error, std::move(args));
  return outcome;
}

void Crosscheck::skip(const OpEntry* op, SkipReason reason, size_t results) {
  Report& report = impl_->report;
  const auto n = static_cast<int64_t>(results);
  ++report.nodes;
  report.count_skipped(reason, n);
  if (!op) return;
  report.coverage.answered(*op, Source::None);
  report.coverage.unchecked(*op, Check::Metadata, not_checked(reason), n);
}

Report Crosscheck::take_report() {
  Report report = std::exchange(impl_->report, Report());
  report.waivers = impl_->options.waivers.rows();
  report.coverage.add(impl_->fake_mode.state().take_coverage());
  return report;
}

void Crosscheck::judge_output(const OutputSite& site, const Tensor& actual, const Tensor& expected) {
  Report& report = impl_->report;
  if (site.random || site.tainted) {
    ++report.skip_values(site.random ? SkipReason::Random : SkipReason::Tainted);
    return;
  }
  ++report.values_compared;
  Finding f;
  f.node = site.node;
  f.op = site.op;
  f.source = site.source;
  f.witness = Witness::Eager;
  f.verdict = "significant";
  f.predicted = to_string(actual.meta());
  f.observed = to_string(expected.meta());
  const bool same_sizes = sym_eq(actual.sizes(), expected.sizes());
  if (!same_sizes || actual.dtype() != expected.dtype()) {
    f.field = same_sizes ? FindingField::DType : FindingField::Size;
  } else {
    const auto difference = compare_values(on_host(actual), expected, site.tolerance);
    if (!difference || site.choice == Choice::Lawful) return;
    if (site.choice == Choice::Computed) {
      --report.values_compared;
      ++report.skip_values(SkipReason::Chosen);
      return;
    }
    f.field = FindingField::Value;
    f.predicted = to_string(*difference);
    f.observed = difference->expected;
  }
  Counted alone;
  if (add(std::move(f))) report.count_mismatched(site.counted ? *site.counted : alone, Witness::Eager);
}

bool Crosscheck::add(Finding finding) {
  if (waives(finding)) return false;
  impl_->report.findings.push_back(std::move(finding));
  return true;
}

bool Crosscheck::waives(const Finding& finding) {
  const bool waived = impl_->options.waivers.waives(finding);
  impl_->report.waived += waived;
  return waived;
}

}  // namespace ersatz
