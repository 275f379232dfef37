#include "tools/validate/call_source.h"

#include <fmt/format.h>

#include "tools/calls/known_differences.h"
#include "tools/infer/prediction_cause.h"
#include "tools/infer/recorded_prediction.h"
#include "tools/output/short_paths.h"
#include "tools/validate/record_review.h"

namespace ersatz::tools {

namespace {

bool one_list(const FunctionSchema& schema) { return schema.returns.size() == 1 && schema.returns[0].type.is_list(); }

/// Calls of a registered op, made from its samples.
class SampledCalls : public CallSource {
 public:
  explicit SampledCalls(const OpEntry& op) : op_(op) {}
  const std::string& op() const override { return op_.name; }
  bool returns_list() const override { return one_list(op_.schema); }
  bool is_of_plugin() const override { return op_.tags.has(Tag::Foreign); }

 protected:
  static std::map<std::string, std::string> no_samples() {
    return {{"no_samples", "the op has no samples: nobody says what a call of it looks like"}};
  }
  const OpEntry& op_;
};

class Sweep : public SampledCalls {
 public:
  Sweep(const OpEntry& op, const CallListOptions& options, Device device)
      : SampledCalls(op), list_(op, options, device.type) {}
  int64_t size() const override { return list_.size(); }
  JudgedCall judge(int64_t i, CallJudge& judge) const override { return judge.judge(list_.at(i)); }
  std::optional<CallSpec> spec(int64_t i) const override { return list_.at(i); }
  std::string spelled(int64_t i) const override { return list_.at(i).spelled(); }
  std::string origin(int64_t i) const override { return list_.origin(i); }
  std::map<std::string, std::string> gaps() const override {
    if (samples_of(op_).empty()) return no_samples();
    std::map<std::string, std::string> gaps;
    for (const std::string& g : list_.gaps()) gaps.emplace("no_rule_for_out", g);
    if (gaps.empty() && list_.size() == 0) gaps["filtered"] = "no call of the samples passes --dtype and --layout";
    return gaps;
  }

 private:
  CallList list_;
};

class RandomCalls : public SampledCalls {
 public:
  RandomCalls(const OpEntry& op, uint64_t seed, int64_t first, int64_t count)
      : SampledCalls(op), seed_(seed), first_(first), count_(samples_of(op).empty() ? 0 : count) {}
  int64_t size() const override { return count_; }
  JudgedCall judge(int64_t i, CallJudge& judge) const override {
    std::optional<CallSpec> call = spec(i);
    if (call) return judge.judge(*call);
    // If the functional op refuses the arguments, there are no valid metadata for the `out=` tensors.
    JudgedCall none;
    none.ended = JudgedCall::Ended::Unchecked;
    none.reasons.emplace_back("no_such_tensors");
    return none;
  }
  std::optional<CallSpec> spec(int64_t i) const override {
    try {
      return random_call(op_, seed_, first_ + i);
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  std::string spelled(int64_t i) const override {
    const std::optional<CallSpec> call = spec(i);
    return call ? call->spelled() : op_.name;
  }
  std::string origin(int64_t i) const override { return fmt::format("random call {} of seed {}", first_ + i, seed_); }
  std::map<std::string, std::string> gaps() const override {
    if (count_ > 0) return {};
    return no_samples();
  }

 private:
  const uint64_t seed_;
  const int64_t first_, count_;
};

std::string spelled_argument(const RecordedArgument& argument, const CallRecord& record) {
  std::string text;
  switch (argument.kind) {
    case RecordedArgument::Kind::Literal:
      text = to_string(argument.literal);
      break;
    case RecordedArgument::Kind::Tensor:
      text = to_string(record.tensors[static_cast<size_t>(argument.tensor)].meta, MetaStyle::Full);
      break;
    case RecordedArgument::Kind::List:
      for (const RecordedArgument& item : argument.items)
        text += (text.empty() ? "" : ", ") + spelled_argument(item, record);
      text = "[" + text + "]";
  }
  return argument.name.empty() ? text : argument.name + "=" + text;
}

std::string spelled_call(const CallRecord& record) {
  std::string text;
  for (const RecordedArgument& a : record.args) text += (text.empty() ? "" : ", ") + spelled_argument(a, record);
  return fmt::format("{}({})", record.op, text);
}

std::string origin_of(const RecordLine& line) {
  const std::string& place = line.record.at;
  return fmt::format("record {}, {}{}", line.record.id, line.at, place.empty() ? "" : ", made at " + place);
}

std::string place_of(const RecordLine& line) {
  return path_of_source(line.record.at).empty() ? line.at : line.record.at;
}

class Records : public CallSource {
 public:
  Records(const OpEntry& op, std::vector<RecordLine> records, const RunOptions& options)
      : op_(op),
        records_(std::move(records)),
        waivers_(known_differences(options.device_or_cpu(), false, clock_date())),
        options_(options) {}
  const std::string& op() const override { return op_.name; }
  int64_t size() const override { return static_cast<int64_t>(records_.size()); }
  JudgedCall judge(int64_t i, CallJudge& judge) const override {
    const RecordLine& line = records_[static_cast<size_t>(i)];
    Report& report = judge.engine().report();
    const size_t before = report.findings.size();
    RecordAnswer answer = replay(judge.engine(), op_, line.record, options_);
    report.findings.resize(before);
    JudgedCall judged;
    std::erase_if(answer.findings, [&](const Finding& f) {
      return waivers_.waives(f) || waivers_.waives_record(f, record_checksum(line.text));
    });
    if (!answer.findings.empty()) {
      judged.ended = JudgedCall::Ended::Found;
      judged.findings = std::move(answer.findings);
    } else if (answer.verdict == Verdict::Skipped) {
      judged.ended = JudgedCall::Ended::Unchecked;
      judged.reasons.push_back(answer.why);
    }
    return judged;
  }
  std::optional<CallSpec> spec(int64_t) const override { return std::nullopt; }
  std::string spelled(int64_t i) const override { return spelled_call(records_[static_cast<size_t>(i)].record); }
  std::string origin(int64_t i) const override { return origin_of(records_[static_cast<size_t>(i)]); }
  std::string place(int64_t i) const override { return place_of(records_[static_cast<size_t>(i)]); }
  bool returns_list() const override { return one_list(op_.schema); }

 private:
  const OpEntry& op_;
  const std::vector<RecordLine> records_;
  mutable Waivers waivers_;  // mutable because waivers count their uses
  const RunOptions options_;
};

/// Recorded calls of an op that is not registered. No call is made: the prediction in each record is compared with the
/// run in it.
class ForeignRecords : public CallSource {
 public:
  ForeignRecords(std::string op, std::vector<RecordLine> records) : op_(std::move(op)), records_(std::move(records)) {}
  const std::string& op() const override { return op_; }
  int64_t size() const override { return static_cast<int64_t>(records_.size()); }
  JudgedCall judge(int64_t i, CallJudge&) const override {
    const CallRecord& record = records_[static_cast<size_t>(i)].record;
    RecordJudgement own = judge_by_own_record(record);
    JudgedCall judged;
    if (record.variant.ends_with(", as given") && !record.outcome.error.empty()) {
      // The author expects this call to work. It raised, so there is no result to compare with the fake kernel's
      // result.
      judged.ended = JudgedCall::Ended::Unchecked;
      judged.reasons = {"kernel_raised"};
      judged.about = {{"kernel_raised", fmt::format("{} ({})", record.variant, record.outcome.message)}};
      return judged;
    }
    switch (own.verdict) {
      case RecordJudgement::Verdict::Agrees:
        break;
      case RecordJudgement::Verdict::Differs:
        judged.ended = JudgedCall::Ended::Found;
        judged.findings = std::move(own.findings);
        break;
      case RecordJudgement::Verdict::NoPrediction:
        judged.ended = JudgedCall::Ended::Unchecked;
        judged.reasons = {"prediction_refused"};
        judged.about = {{"prediction_refused", own.why}};
        break;
      case RecordJudgement::Verdict::Unusable:
        judged.ended = JudgedCall::Ended::Unchecked;
        judged.reasons = {"unsupported"};
        judged.about = {{"unsupported", own.why}};
    }
    return judged;
  }
  std::optional<CallSpec> spec(int64_t) const override { return std::nullopt; }
  std::string spelled(int64_t i) const override { return spelled_call(records_[static_cast<size_t>(i)].record); }
  std::string origin(int64_t i) const override { return origin_of(records_[static_cast<size_t>(i)]); }
  std::string place(int64_t i) const override { return place_of(records_[static_cast<size_t>(i)]); }
  std::map<std::string, std::string> gaps() const override {
    return {
        {"foreign", "no operator of that name is here: what its recorder predicted is held against what the call did"}};
  }
  bool returns_list() const override { return !records_.empty() && RecordedSchema(records_[0].record).returns_list(); }
  bool is_foreign() const override { return true; }
  void conclude(OpVerdict& verdict) const override { review_records(records_, verdict); }

 private:
  const std::string op_;
  const std::vector<RecordLine> records_;
};

}  // namespace

std::unique_ptr<CallSource> sweep_of(const OpEntry& op, const CallListOptions& list, Device device) {
  return std::make_unique<Sweep>(op, list, device);
}

std::unique_ptr<CallSource> random_calls_of(const OpEntry& op, uint64_t seed, int64_t first, int64_t count) {
  return std::make_unique<RandomCalls>(op, seed, first, count);
}

std::unique_ptr<CallSource> records_of(const OpEntry& op, std::vector<RecordLine> records, const RunOptions& options) {
  return std::make_unique<Records>(op, std::move(records), options);
}

std::unique_ptr<CallSource> foreign_records_of(std::string op, std::vector<RecordLine> records) {
  return std::make_unique<ForeignRecords>(std::move(op), std::move(records));
}

}  // namespace ersatz::tools
