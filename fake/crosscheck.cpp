#include "fake/crosscheck.h"

#include "fake/checked_call.h"

namespace ersatz {
namespace {

FakeOptions probing(FakeOptions options) {
  options.fallback = FallbackPolicy::Zeros;
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

void Crosscheck::add(Finding finding) {
  if (options_.waivers.waives(finding)) {
    ++report_.waived;
    return;
  }
  report_.findings.push_back(std::move(finding));
}

}  // namespace ersatz
