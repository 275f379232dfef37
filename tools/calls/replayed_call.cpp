#include "tools/calls/replayed_call.h"

#include <algorithm>
#include <unordered_map>

#include "fake/watch/tensor_copies.h"
#include "runtime/op/dispatch.h"
#include "tools/calls/accepted_predictions.h"
#include "tracer/records/recorded_values.h"

namespace ersatz::tools {

namespace {

std::optional<Error> error_of(const std::exception_ptr& p) {
  if (!p) return std::nullopt;
  try {
    std::rethrow_exception(p);
  } catch (const Error& e) {
    return e;
  }
}

}  // namespace

ReplayedCall::ReplayedCall(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options)
    : engine_(engine), op_(op), record_(record), options_(options), cuda_(options.device_or_cpu().is_cuda()) {
  expected_ = cuda_ && options.no_real && !record.on_cuda && record.cuda_fake ? &*record.cuda_fake : &record.outcome;
  answer_.results = recorded_results(*expected_);
}

RecordAnswer ReplayedCall::run() {
  if (!record_.unusable.empty()) {
    skip(SkipReason::Unsupported, record_.unusable);
    return std::move(answer_);
  }
  if (record_.lacks_values) {
    skip(SkipReason::DataDependent, "the result depends on values that the record does not hold");
    return std::move(answer_);
  }
  const size_t before = engine_.report().findings.size();
  const CallOutcome outcome = call();
  take_findings(before);
  if (!answer_.bug) conclude(error_of(outcome.error), outcome);
  if (!answer_.findings.empty()) {
    answer_.verdict = Verdict::Failed;
  } else if (outcome.waived > 0) {
    answer_.verdict = Verdict::Waived;
  }
  return std::move(answer_);
}

CallOutcome ReplayedCall::call() {
  const ContextGuard of_its_group([&](RuleContext& c) {
    if (record_.group) c.groups = ProcessGroups::of({*record_.group});
    c.torch = options_.torch.value_or(record_.torch.value_or(c.torch));
  });
  CallSite site;
  site.node = record_.id;
  std::optional<Error> refusal;
  try {
    make_arguments();
    number_tensors();
  } catch (const Error& e) {
    refusal = e;  // the schema refuses the arguments, so neither fake nor real tensors run
    flat_of_.assign(record_.tensors.size(), -1);
  }
  try {
    evidence_ = RecordEvidence(record_, *expected_, flat_of_,
                               {evidence_of(), of_this_device() ? kCPU : options_.device_or_cpu(), !options_.no_real});
    site.evidence = evidence_.evidence();
    if (!refusal) return engine_.call(op_, site, fake_args_, real_args_);
  } catch (const Error& e) {
    refusal = e;
  }
  answer_.bug = refusal->kind == ErrorKind::InternalError;
  return engine_.refused(op_, site, *refusal, spell_arguments());
}

Evidence::Of ReplayedCall::evidence_of() const {
  // A CPU run says which results share memory, but not which strides a device gives them. So the record counts as
  // evidence of some run, not of this call.
  if (by_device()) return Evidence::Of::SomeRun;
  if (!cuda_ || of_this_device()) return Evidence::Of::ThisCall;
  return prediction_refuses() ? Evidence::Of::SomeRun : Evidence::Of::Prediction;
}

void ReplayedCall::take_findings(size_t first) {
  const std::vector<Finding>& all = engine_.report().findings;
  answer_.findings.assign(all.begin() + static_cast<ptrdiff_t>(first), all.end());
  std::vector<int> results;
  for (const Finding& f : answer_.findings) results.push_back(std::max(0, f.result));
  std::sort(results.begin(), results.end());
  const auto distinct = std::unique(results.begin(), results.end()) - results.begin();
  answer_.mismatched = std::min<int64_t>(answer_.results, distinct);
  answer_.only_values =
      !results.empty() && std::all_of(answer_.findings.begin(), answer_.findings.end(),
                                      [](const Finding& f) { return f.field == FindingField::Value; });
}

void ReplayedCall::make_arguments() {
  std::unordered_map<int64_t, Ref<Storage>> storages;
  for (const RecordedTensor& t : record_.tensors) {
    if (t.is >= 0) {  // the same tensor was given twice
      fakes_.push_back(fakes_[static_cast<size_t>(t.is)]);
      continue;
    }
    Ref<Storage>& storage = storages[t.storage];
    TensorMeta meta = t.meta;
    if (!of_this_device() && !meta.device.is_meta()) meta.device = options_.device_or_cpu();
    if (!storage) storage = Storage::make_fake(t.nbytes, meta.device);
    fakes_.push_back(engine_.fake_mode().make_on(storage, std::move(meta)));
  }
  fake_args_ = bind(fakes_);
  if (options_.no_real) return;
  reals_ = make_recorded_tensors(record_);
  if (cuda_) {
    // Random values are used, because zeros would agree on any device. The device's results are compared with a CPU run
    // on the same values.
    answer_.synthetic = fill_unrecorded(record_, reals_, op_, bind(reals_), options_.seed);
    TensorCopies on_device(options_.device_or_cpu());
    for (Tensor& t : reals_) t = on_device.of(t);
  }
  real_args_ = bind(reals_);
}

std::vector<Value> ReplayedCall::bind(std::span<const Tensor> tensors) const {
  return bind_recorded(op_.schema, record_, tensors, cuda_ && !of_this_device() ? options_.device : std::nullopt);
}

void ReplayedCall::number_tensors() {
  flat_of_.assign(fakes_.size(), -1);
  int flat = 0;
  for_each_tensor(fake_args_, [&](const TensorImpl* t) {
    for (size_t k = 0; k < fakes_.size(); ++k) {
      if (fakes_[k].impl() != t || flat_of_[k] >= 0) continue;
      flat_of_[k] = flat;
      break;
    }
    ++flat;
  });
}

void ReplayedCall::conclude_on_device(const std::optional<Error>& mine) {
  const bool on_device = !reals_.empty() || std::any_of(real_args_.begin(), real_args_.end(), [](const Value& v) {
    return v.kind() == Value::Kind::Device && v.as_device().is_cuda();
  });
  const bool passes = expected_->error.empty();
  if (mine && mine->value_failure) {  // the engine has checked whether the CPU refuses these values too
    if (answer_.synthetic && !has_error_finding()) skip(SkipReason::DataDependent, "refuses the made-up values");
  } else if (mine && passes && mine->kind == ErrorKind::NotSupported) {
    const bool failed = mine->family != ErrorFamily::NotImplemented;
    skip(SkipReason::Unsupported, failed ? "the device cannot be used any more" : "no kernel for the device");
  } else if (mine && passes && !has_error_finding()) {
    skip(SkipReason::Unwitnessed, "refused on this device only, real and fake");
  } else if (!on_device) {
    skip(SkipReason::Unwitnessed, "nothing of the call is on a device");
  } else if (!mine) {
    ++answer_.values_compared;
  }
}

void ReplayedCall::conclude_as_prediction(const std::optional<Error>& mine) {
  answer_.prediction_refused = prediction_refuses() && !mine;
  answer_.prediction_accepts = !prediction_refuses() && mine;
  skip(SkipReason::Unwitnessed, prediction_refuses() ? "the prediction refuses" : "only the prediction accepts");
}

void ReplayedCall::conclude(const std::optional<Error>& mine, const CallOutcome& outcome) {
  if (mine) answer_.refusal = refusal_name(*mine), answer_.refusal_words = mine->message;
  if (by_device()) return conclude_on_device(mine);
  if (cuda_ && !of_this_device() && (prediction_refuses() || mine)) return conclude_as_prediction(mine);
  answer_.extension = !mine && expected_->error == "NotImplementedError";
  answer_.values_compared = outcome.values_compared;
  answer_.values_skipped = outcome.values_skipped;
  if (outcome.undecided == Undecided::LacksData && options_.no_real) {
    skip(SkipReason::DataDependent, "the answer depends on data");
  } else if (outcome.undecided == Undecided::RaisesByData) {
    skip(SkipReason::DataDependent, "raising depends on data");
  } else if (outcome.undecided == Undecided::RaisesByValues) {
    skip(SkipReason::DataDependent, "raising depends on values that the record does not give");
    answer_.values_decide = true;
  } else if (outcome.undecided == Undecided::NotModelled) {
    skip(SkipReason::Unsupported, "not modelled here");
  }
}

void ReplayedCall::skip(SkipReason reason, std::string why) {
  answer_.verdict = Verdict::Skipped;
  answer_.reason = reason;
  answer_.why = std::move(why);
}

bool ReplayedCall::has_error_finding() const {
  const auto& findings = answer_.findings;
  return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.field == FindingField::Error; });
}

std::vector<std::string> ReplayedCall::spell_arguments() const {
  std::vector<std::string> texts;
  for (const RecordedArgument& a : record_.args) {
    texts.push_back((a.name.empty() ? "" : a.name + "=") + spell_argument(a));
  }
  return texts;
}

std::string ReplayedCall::spell_argument(const RecordedArgument& a) const {
  if (a.kind == RecordedArgument::Kind::Literal) return to_string(a.literal);
  if (a.kind == RecordedArgument::Kind::Tensor) {
    const RecordedTensor& t = record_.tensors[static_cast<size_t>(a.tensor)];
    MetaText text;
    text.meta = t.meta;
    for (size_t j = 0; j < static_cast<size_t>(a.tensor) && text.alias.empty(); ++j) {
      if (record_.tensors[j].storage == t.storage) text.alias = fmt::format("arg{}", j);
    }
    return to_string(text);
  }
  std::string text;
  for (const RecordedArgument& item : a.items) text += (text.empty() ? "" : ", ") + spell_argument(item);
  return "[" + text + "]";
}

}  // namespace ersatz::tools
