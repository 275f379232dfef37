#include "tools/validate/judged_call.h"

#include <algorithm>

#include "fake/mode/fake_real_map.h"
#include "runtime/op/map_tensors.h"
#include "tools/output/finding_cause.h"
#include "tools/output/repro.h"

namespace ersatz::tools {

namespace {

// A new engine is made after this many calls, because an engine's memory grows with the calls that it sees.
constexpr int64_t kCallsOfAnEngine = 4096;

void note(std::vector<std::string>& reasons, std::string_view reason) {
  if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.emplace_back(reason);
}

}  // namespace

CallJudge::CallJudge(Device device) : device_(device) { renew(); }

void CallJudge::renew() { engine_ = std::make_unique<Crosscheck>(); }

JudgedCall CallJudge::judge(const CallSpec& spec) {
  if (++calls_ % kCallsOfAnEngine == 0) renew();
  JudgedCall judged;
  std::vector<Value> reals;
  try {
    reals = make_arguments(spec, device_);
  } catch (const Error&) {
    judged.ended = JudgedCall::Ended::Unchecked;
    judged.reasons.emplace_back("no_such_tensors");
    return judged;
  }
  FakeRealMap fake_real(engine_->fake_mode().state());
  const std::vector<Value> fakes =
      map_tensors(reals, [&](const Tensor& t) { return fake_real.fake_of(Value(t)).tensor(); });
  const size_t before = engine_->report().findings.size();
  try {
    return concluded(engine_->call(*spec.op, CallSite(), fakes, reals, device_.is_cpu()), before);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::InternalError) throw;
    return broken(spec, e);
  }
}

JudgedCall CallJudge::broken(const CallSpec& spec, const Error& error) {
  renew();  // a new engine, because this one may be in an incomplete state
  JudgedCall judged;
  judged.ended = JudgedCall::Ended::Found;
  Finding f;
  f.op = spec.op->name;
  f.field = FindingField::Error;
  f.predicted = "passes, or is refused";
  f.observed = error.message;
  f.witness = Witness::Kernel;
  f.verdict = "bug";
  judged.findings.push_back(std::move(f));
  return judged;
}

JudgedCall CallJudge::concluded(const CallOutcome& outcome, size_t findings_before) {
  JudgedCall judged;
  std::vector<Finding>& findings = engine_->report().findings;
  judged.findings.assign(std::make_move_iterator(findings.begin() + static_cast<ptrdiff_t>(findings_before)),
                         std::make_move_iterator(findings.end()));
  findings.resize(findings_before);
  bool agreed = outcome.counted.empty(), skipped = false;
  for (const Counted& c : outcome.counted) {
    agreed |= c.as == Counted::As::Agreed;
    if (c.as != Counted::As::Skipped) continue;
    skipped |= c.reason == SkipReason::Unsupported || c.reason == SkipReason::DataDependent;
    note(judged.reasons, name(c.reason));
  }
  if (!judged.findings.empty()) {
    judged.ended = JudgedCall::Ended::Found;
  } else if (outcome.error) {
    judged.ended = JudgedCall::Ended::Refused;
    try {
      std::rethrow_exception(outcome.error);
    } catch (const Error& e) {
      if (e.value_failure) note(judged.reasons, "refused_for_values");
      if (e.kind == ErrorKind::NotSupported || e.kind == ErrorKind::UnsupportedOperator) {
        judged.ended = JudgedCall::Ended::Unchecked;
        note(judged.reasons, "unsupported");
        judged.about.emplace_back("unsupported", without_details(e.message));
      }
    } catch (const std::exception&) {
    }
  } else if (skipped && !agreed) {
    judged.ended = JudgedCall::Ended::Unchecked;
  }
  return judged;
}

std::string repro_of(const CallSpec& spec, const Finding& finding) {
  const std::vector<Value> args = make_arguments(spec, kCPU);
  return print_repro({*spec.op, args, {}, {}, {}, {}, finding});
}

}  // namespace ersatz::tools
