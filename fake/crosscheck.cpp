#include "fake/crosscheck.h"

#include "fake/checked_call.h"
#include "runtime/meta_text.h"

namespace ersatz {
namespace {

FakeOptions probing(FakeOptions options) {
  options.propagate_real = false;  // the real side is crosscheck's own
  options.fallback = FallbackPolicy::Zeros;
  options.cache = CachePolicy::Never;  // each call is predicted afresh: that is what is checked
  return options;
}

}  // namespace

Crosscheck::Crosscheck(CrosscheckOptions options) : options_(std::move(options)), fake_mode_(probing(options_.fake)) {}
Crosscheck::~Crosscheck() = default;

CallOutcome Crosscheck::call(const OpEntry& op, const CallSite& site, std::span<const Value> fake,
                             std::span<const Value> real) {
  const size_t before = report_.findings.size();
  CallOutcome outcome = CheckedCall(*this, op, site, fake, real).run();
  if (options_.stop_at_first && report_.findings.size() > before) {
    fail(ErrorKind::MetadataMismatch, ErrorFamily::Runtime,
         "When comparing the output of {} on fake and real tensors, found a mismatch: {}", op.name,
         to_string(report_.findings[before]));
  }
  return outcome;
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
    const auto difference = compare_values(actual, expected, site.tolerance);
    if (!difference) return;
    f.field = FindingField::Value;
    f.predicted = to_string(*difference);
    f.observed = difference->expected;
  }
  add(std::move(f));
}

void Crosscheck::add(Finding finding) {
  if (options_.waivers.waives(finding)) {
    ++report_.waived;
    return;
  }
  report_.findings.push_back(std::move(finding));
}

}  // namespace ersatz
