#include "tools/calls/replayed_call.h"

#include <algorithm>
#include <unordered_map>

#include "fake/watch/tensor_copies.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "tools/calls/accepted_predictions.h"
#include "tracer/records/recorded_values.h"

namespace ersatz::tools {

namespace {

using Kind = RecordedResult::Kind;

std::string spell(const Error& e) { return fmt::format("{} ({}): {}", name(e.kind), name(e.family), e.message); }

/// c10's number of a dtype: results of type ScalarType are recorded so.
int64_t number_of(DType t) {
  constexpr int64_t numbers[kDTypeCount] = {11, 0, 1, 2, 3, 4, 5, 15, 6, 7, 9, 10};
  return numbers[static_cast<int>(t)];
}

/// The leaves of results as records have them: each integer of a list, dtypes as their numbers.
std::vector<Value> recorded_leaves(std::span<const Value> values) {
  std::vector<Value> leaves, spelled;
  flatten(values, leaves);
  for (const Value& v : leaves) {
    if (v.kind() == Value::Kind::IntList) {
      for (SymInt i : v.as_ints()) spelled.emplace_back(i);
    } else {
      spelled.push_back(v.kind() == Value::Kind::DType ? Value(number_of(v.as_dtype())) : v);
    }
  }
  return spelled;
}

}  // namespace

ReplayedCall::ReplayedCall(Crosscheck& engine, const OpEntry& op, const CallRecord& record,
                           const ReplayOptions& options)
    : engine_(engine), op_(op), record_(record), options_(options), cuda_(options.device.is_cuda()) {
  expected_ = cuda_ && options.no_real && record.cuda_fake ? &*record.cuda_fake : &record.outcome;
  answer_.results = recorded_results(*expected_);
}

RecordAnswer ReplayedCall::run() {
  if (!record_.unusable.empty()) {
    skip_here(SkipReason::Unsupported, record_.unusable);
    return std::move(answer_);
  }
  const int64_t waived = engine_.report().waived;
  try {
    call_and_judge();
  } catch (const Error& e) {
    answer_.bug = true;  // what a call may raise is judged below; nothing else may pass
    take_engine_findings();
    add_finding(-1, FindingField::Error, spell(e), expected_text());
  }
  for (Finding& f : answer_.findings) {
    if (cuda_ && options_.no_real && f.witness == Witness::Eager)
      f.witness = Witness::Record;  // nobody ran it: a recorded prediction
  }
  if (!answer_.findings.empty()) {
    answer_.verdict = Verdict::Failed;
    count_mismatched();
  } else if (engine_.report().waived != waived) {
    answer_.verdict = Verdict::Waived;
  }
  return std::move(answer_);
}

/// What the engine found of the call is the first part of what is found of the record.
void ReplayedCall::take_engine_findings() {
  std::vector<Finding> found = engine_.hand_over_findings();
  std::move(found.begin(), found.end(), std::back_inserter(answer_.findings));
}

void ReplayedCall::call_and_judge() {
  std::optional<Error> refusal;
  try {
    make_arguments();
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    refusal = e;  // by the schema: before either side could run
  }
  CallOutcome outcome;
  if (!refusal) {
    number_tensors();
    make_facts();
    CallSite site;
    site.node = record_.id;
    site.results = facts_;
    outcome = engine_.call(op_, site, fake_args_, real_args_);
    take_engine_findings();
    if (outcome.error) refusal = error_of(outcome.error);
  }
  if (by_device()) return judge_on_device(refusal);
  if (cuda_ && judged_as_prediction(refusal)) return;
  if (judge_error(refusal, outcome)) return;
  const Values& mine = options_.no_real ? outcome.fake : outcome.real;
  results_ = recorded_leaves(mine);
  judge_results(outcome.tainted);
  judge_arguments(outcome.tainted);
}

Error ReplayedCall::error_of(const std::exception_ptr& p) {
  try {
    std::rethrow_exception(p);
  } catch (const Error& e) {
    return e;
  }
}

void ReplayedCall::make_arguments() {
  std::unordered_map<int64_t, Ref<Storage>> storages;
  for (const RecordedTensor& t : record_.tensors) {
    Ref<Storage>& storage = storages[t.storage];
    if (!storage) storage = Storage::make_fake(t.nbytes, options_.device);
    TensorMeta meta = t.meta;
    meta.device = options_.device;
    fakes_.push_back(engine_.fake_mode().make_on(storage, std::move(meta)));
  }
  fake_args_ = bind(fakes_);
  if (options_.no_real) return;
  reals_ = make_recorded_tensors(record_);
  if (cuda_) {
    // Zeros would agree on any device. Nothing recorded is held against the values: the CPU runs beside the device.
    answer_.made_up = fill_unrecorded(record_, reals_, op_, bind(reals_), options_.seed);
    TensorCopies on_device(options_.device);
    for (Tensor& t : reals_) t = on_device.of(t);
  }
  real_args_ = bind(reals_);
}

std::vector<Value> ReplayedCall::bind(std::span<const Tensor> tensors) const {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
  for (const RecordedArgument& a : record_.args) {
    Value v = argument_value(a, tensors);
    if (cuda_ && v.kind() == Value::Kind::Device && v.as_device().is_cpu()) v = Value(options_.device);
    if (a.name.empty()) {
      positional.push_back(std::move(v));
    } else {
      keywords.emplace_back(a.name, std::move(v));
    }
  }
  return bind_arguments(op_.schema, positional, keywords);
}

void ReplayedCall::number_tensors() {
  flat_of_.assign(fakes_.size(), -1);
  int flat = 0;
  for_each_tensor(fake_args_, [&](const TensorImpl* t) {
    for (size_t k = 0; k < fakes_.size(); ++k) {
      if (fakes_[k].impl() == t) flat_of_[k] = flat;
    }
    ++flat;
  });
}

int64_t ReplayedCall::storage_after(size_t argument) const {
  for (const auto& [k, t] : expected_->after) {
    if (static_cast<size_t>(k) == argument) return t.storage;
  }
  return record_.tensors[argument].storage;
}

TensorMeta ReplayedCall::expected_meta(const RecordedTensor& t) const {
  TensorMeta meta = t.meta;
  if (cuda_) meta.device = options_.device;
  return meta;
}

void ReplayedCall::make_facts() {
  // The CPU's layouts are no fact of a device; who shares memory with whom is, unless it was predicted otherwise.
  const bool predicted = by_device() && record_.cuda_fake && !record_.cuda_fake->results.empty();
  for (const RecordedResult& r : predicted ? record_.cuda_fake->results : expected_->results) {
    ResultFacts& f = facts_.emplace_back();
    if (r.kind == Kind::Number) f.number = r.number;
    if (r.kind != Kind::Tensor) continue;
    if (!by_device()) f.eager = expected_meta(r.tensor);
    f.alias.kind = AliasFact::Kind::Own;
    for (size_t k = 0; k < record_.tensors.size(); ++k) {
      if (storage_after(k) != r.tensor.storage || flat_of_[k] < 0) continue;
      f.alias.kind = AliasFact::Kind::Argument;
      f.alias.argument = flat_of_[k];
      break;
    }
  }
}

void ReplayedCall::judge_on_device(const std::optional<Error>& mine) {
  if (record_.uninit) {
    std::erase_if(answer_.findings, [](const Finding& f) { return f.field == FindingField::Value; });
  }
  const bool on_device = !reals_.empty() || std::any_of(real_args_.begin(), real_args_.end(), [](const Value& v) {
    return v.kind() == Value::Kind::Device && v.as_device().is_cuda();
  });
  const bool no_kernel = mine && expected_->error.empty() && mine->kind == ErrorKind::NotSupported;
  if (mine && mine->value_failure) {  // the engine saw whether the CPU refuses the same values
    if (answer_.made_up && !has_error_finding()) skip_here(SkipReason::DataDependent, "refuses the made-up values");
    return;
  }
  if (no_kernel) {
    answer_.findings.clear();
    const bool failed = mine->family != ErrorFamily::NotImplemented;
    skip_here(SkipReason::Unsupported, failed ? "the device cannot be used any more" : "no kernel for the device");
  } else if (mine && expected_->error.empty() && !has_error_finding()) {
    skip_here(SkipReason::Unwitnessed, "refused on this device only, real and fake");
  } else if (!on_device) {
    skip_here(SkipReason::Unwitnessed, "nothing of the call is on a device");
  } else if (!mine) {
    ++answer_.values_compared;
  }
}

bool ReplayedCall::judged_as_prediction(const std::optional<Error>& mine) {
  const bool refused = expected_->refused || !expected_->error.empty();
  if (!refused && !mine) return false;
  answer_.prediction_refused = refused && !mine;
  answer_.prediction_accepts = !refused && mine;
  if (answer_.prediction_accepts) {
    answer_.refusal = refusal_name(*mine);
    answer_.refusal_words = mine->message;
  }
  answer_.findings.clear();
  skip_here(SkipReason::Unwitnessed, refused ? "the prediction refuses" : "only the prediction accepts");
  return true;
}

void ReplayedCall::skip_here(SkipReason reason, std::string why) {
  answer_.verdict = Verdict::Skipped;
  answer_.reason = reason;
  answer_.why = std::move(why);
}

std::string ReplayedCall::expected_text() const {
  return expected_->error.empty() ? "passes" : fmt::format("raises {}", expected_->error);
}

bool ReplayedCall::has_error_finding() const {
  const auto& findings = answer_.findings;
  return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.field == FindingField::Error; });
}

bool ReplayedCall::judge_error(const std::optional<Error>& mine, const CallOutcome& outcome) {
  const bool raises = !expected_->error.empty();
  if (!mine && !raises) return false;
  if (mine && options_.no_real && lacks_data(*mine)) {
    skip_here(SkipReason::DataDependent, "the answer depends on data");
    return true;
  }
  if (record_.value_dependent && !options_.no_real && (!mine || mine->value_failure)) {
    skip_here(SkipReason::DataDependent, "raising depends on values that the record does not give");
    answer_.values_decide = true;
    return true;
  }
  if (!mine) {
    if (expected_->error == "NotImplementedError") {
      answer_.extension = true;
    } else if (options_.no_real && op_.tags.has(Tag::FailsOnValues)) {
      skip_here(SkipReason::DataDependent, "raising depends on data");
    } else {
      add_finding(-1, FindingField::Error, "passes", expected_text());
    }
    return true;
  }
  if (!raises) {
    if (!has_error_finding()) add_finding(-1, FindingField::Error, spell(*mine), expected_text());
  } else if (mine->family != expected_->family()) {
    add_finding(-1, FindingField::Error, spell(*mine), expected_text());
  } else if (mine->kind == ErrorKind::NotSupported && !outcome.fake.empty() && !options_.no_real) {
    add_finding(-1, FindingField::Error, "passes as a fake", spell(*mine));
  }
  return true;
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

void ReplayedCall::add_finding(int result, FindingField field, std::string predicted, std::string observed,
                               std::string words) {
  Finding f;
  f.node = record_.id;
  f.op = op_.name;
  f.result = result;
  f.field = field;
  f.predicted = std::move(predicted);
  f.observed = std::move(observed);
  f.witness = Witness::Eager;
  f.verdict = "significant";
  f.words = std::move(words);
  f.args = spell_arguments();
  if (const auto& print = engine_.options().repro) {
    const std::vector<Value>& args = options_.no_real ? fake_args_ : real_args_;
    std::vector<TensorMeta> before(record_.tensors.size());
    for (size_t k = 0; k < flat_of_.size(); ++k) {
      if (flat_of_[k] >= 0) before[static_cast<size_t>(flat_of_[k])] = record_.tensors[k].meta;
    }
    if (args.size() == op_.schema.arguments.size()) {
      f.repro = print({op_, args, before, facts_, {}, results_, f});
    }
  }
  if (!engine_.waives(f)) answer_.findings.push_back(std::move(f));
}

void ReplayedCall::count_mismatched() {
  std::vector<int> results;
  for (const Finding& f : answer_.findings) results.push_back(std::max(0, f.result));
  std::sort(results.begin(), results.end());
  const auto distinct = std::unique(results.begin(), results.end()) - results.begin();
  answer_.mismatched = std::min<int64_t>(answer_.results, distinct);
  answer_.only_values = std::all_of(answer_.findings.begin(), answer_.findings.end(),
                                    [](const Finding& f) { return f.field == FindingField::Value; });
}

}  // namespace ersatz::tools
