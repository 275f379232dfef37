#include "fake/crosscheck/crosscheck.h"

#include "fake/crosscheck/checked_call.h"
#include "fake/mode/fake_mode_state.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

FakeOptions probing(FakeOptions options) {
  options.propagate_real = false;  // the real side is crosscheck's own
  options.fallback = FallbackPolicy::Zeros;
  options.cache = CachePolicy::Never;  // each call is predicted afresh: that is what is checked
  options.count_sources = true;
  return options;
}

size_t leaves(std::span<const Value> results) {
  size_t n = 0;
  for (const Value& v : results) n += v.kind() == Value::Kind::List ? leaves(v.as_list()) : 1;
  return n;
}

}  // namespace

Crosscheck::Crosscheck(CrosscheckOptions options)
    : options_(std::move(options)), fake_mode_(probing(options_.fake)), buffers_(std::make_unique<CopyBuffers>()) {}
Crosscheck::~Crosscheck() = default;

CallOutcome Crosscheck::call(const OpEntry& op, const CallSite& site, std::span<const Value> fake,
                             std::span<const Value> real, bool twins) {
  const ExcludeAutograd below;
  const size_t before = report_.findings.size();
  CallOutcome outcome;
  CheckedCall(*this, op, site, fake, real, twins, outcome).run();
  if (options_.stop_at_first && report_.findings.size() > before) {
    const Finding& first = report_.findings[before];
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
  CheckedCall(*this, op, site, {}, {}, /*twins=*/false, outcome).refuse(error, std::move(args));
  return outcome;
}

void Crosscheck::skip(const OpEntry* op, SkipReason reason, size_t results) {
  const auto n = static_cast<int64_t>(results);
  ++report_.nodes;
  report_.count_skipped(reason, n);
  if (!op) return;
  report_.coverage.answered(*op, Source::None);
  report_.coverage.unchecked(*op, Check::Metadata, not_checked(reason), n);
}

Report Crosscheck::take_report() {
  Report report = std::exchange(report_, Report());
  report.waivers = options_.waivers.rows();
  report.coverage.add(fake_mode_.state().take_coverage());
  return report;
}

void Crosscheck::judge_output(const OutputSite& site, const Tensor& actual, const Tensor& expected) {
  if (site.random || site.tainted) {
    ++report_.skip_values(site.random ? SkipReason::Random : SkipReason::Tainted);
    return;
  }
  ++report_.values_compared;
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
      --report_.values_compared;
      ++report_.skip_values(SkipReason::Chosen);
      return;
    }
    f.field = FindingField::Value;
    f.predicted = to_string(*difference);
    f.observed = difference->expected;
  }
  Counted alone;
  if (add(std::move(f))) report_.count_mismatched(site.counted ? *site.counted : alone, Witness::Eager);
}

bool Crosscheck::add(Finding finding) {
  if (waives(finding)) return false;
  report_.findings.push_back(std::move(finding));
  return true;
}

bool Crosscheck::waives(const Finding& finding) {
  const bool waived = options_.waivers.waives(finding);
  report_.waived += waived;
  return waived;
}

}  // namespace ersatz
