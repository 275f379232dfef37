#include "tools/validate/record_review.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/infer/advice.h"
#include "tools/infer/alias_cause.h"
#include "tools/infer/recorded_prediction.h"
#include "tools/infer/unknown_size.h"
#include "tools/validate/unit_run.h"

namespace ersatz::tools {

namespace {

using Calls = std::vector<const CallRecord*>;

bool returned(const CallRecord& r) { return r.outcome.error.empty() && r.died.empty(); }

/// Returns the calls in which the prediction and the run both have a tensor as result number `result`.
std::vector<ResultPair> pairs_of(const Calls& calls, size_t result) {
  std::vector<ResultPair> pairs;
  for (const CallRecord* r : calls) {
    const RecordedOutcome& p = r->prediction();
    if (!returned(*r) || !p.error.empty() || p.refused) continue;
    if (result >= r->outcome.results.size() || result >= p.results.size()) continue;
    const RecordedResult &mine = p.results[result], &theirs = r->outcome.results[result];
    if (mine.kind != RecordedResult::Kind::Tensor || theirs.kind != RecordedResult::Kind::Tensor) continue;
    pairs.push_back({r, &mine.tensor, &theirs.tensor});
  }
  return pairs;
}

/// True if calls with equal argument metadata have different sizes in a dim for which the prediction is wrong. Values
/// then decide that size.
bool depends_on_values(const std::vector<ResultPair>& differing, const std::vector<ResultPair>& known) {
  std::set<size_t> dims;
  for (const ResultPair& p : differing) {
    const size_t rank = p.observed->meta.sizes.size();
    const bool same_rank = rank == p.predicted->meta.sizes.size();
    for (size_t d = 0; d < rank; ++d) {
      if (!same_rank || p.observed->meta.sizes[d].as_int() != p.predicted->meta.sizes[d].as_int()) dims.insert(d);
    }
  }
  std::map<std::string, std::vector<int64_t>> sizes;
  for (const ResultPair& p : known) {
    std::vector<int64_t> answered;
    for (const size_t d : dims)
      answered.push_back(d < p.observed->meta.sizes.size() ? p.observed->meta.sizes[d].as_int() : -1);
    if (sizes.emplace(arguments_text(*p.record), answered).first->second != answered) return true;
  }
  return false;
}

/// True if the calls differ from the prediction only in dims that the fake kernel leaves unknown.
bool is_unknown(const std::vector<ResultPair>& differing, int result) {
  return std::all_of(differing.begin(), differing.end(), [&](const ResultPair& p) {
    const auto& unknown = p.record->unknown;
    const auto at = std::find_if(unknown.begin(), unknown.end(), [&](const auto& u) { return u.first == result; });
    const DimVec &mine = p.predicted->meta.sizes, &theirs = p.observed->meta.sizes;
    if (at == unknown.end() || mine.size() != theirs.size()) return false;
    for (size_t d = 0; d < mine.size(); ++d) {
      const bool known = std::find(at->second.begin(), at->second.end(), static_cast<int64_t>(d)) == at->second.end();
      if (known && mine[d].as_int() != theirs[d].as_int()) return false;
    }
    return true;
  });
}

std::string in_python(const Value& v) {
  if (v.is_none()) return "None";
  if (v.kind() == Value::Kind::Bool) return v.as_bool() ? "True" : "False";
  return v.kind() == Value::Kind::String ? fmt::format("\"{}\"", v.as_string()) : to_string(v);
}

/// Returns the arguments that are no tensors, by name, in Python's spelling. For an optional tensor, the text says
/// whether it was given.
std::map<std::string, std::string> choices_of(const CallRecord& record, const FunctionSchema& schema) {
  std::map<std::string, std::string> choices;
  size_t next = 0;
  for (const Argument& a : schema.arguments) {
    if (a.default_value) choices[a.name] = in_python(*a.default_value);
  }
  for (const RecordedArgument& a : record.args) {
    const size_t at = next++;
    const std::string name = !a.name.empty()                ? a.name
                             : at < schema.arguments.size() ? schema.arguments[at].name
                                                            : std::to_string(at);
    choices[name] = a.kind == RecordedArgument::Kind::Literal  ? in_python(a.literal)
                    : a.kind == RecordedArgument::Kind::Tensor ? "given"
                                                               : fmt::format("a list of {}", a.items.size());
  }
  return choices;
}

class Review {
 public:
  Review(std::span<const RecordLine> records, OpVerdict& verdict) : records_(records), verdict_(verdict) {
    for (const RecordLine& line : records) {
      const CallRecord& r = line.record;
      RecordJudgement judged = judge_by_own_record(r);
      if (judged.verdict != RecordJudgement::Verdict::Agrees && judged.verdict != RecordJudgement::Verdict::Differs)
        continue;
      known_.push_back(&r);
      if (judged.findings.empty()) agreed_.push_back(&r);
      std::set<std::string> keys;
      for (const Finding& f : judged.findings) {
        const std::string key = recorded_finding_key(r, f);
        if (keys.insert(key).second) differing_[key].push_back(&r);
        results_.emplace(key, f.result);
        if (f.field == FindingField::Error) messages_[key].insert(f.cause);
      }
      for (const auto& [result, field] : judged.absorbed) with_it_[result].insert(std::string(name(field)));
    }
  }

  void run() {
    unknown_sizes();
    overlaps();
    for (ValidateFinding& f : verdict_.found) {
      const auto calls = differing_.find(f.key);
      if (calls == differing_.end() || f.finding.verdict == "crash") continue;
      cause(f, calls->second);
      decided_by(f, calls->second);
    }
  }

 private:
  void cause(ValidateFinding& f, const Calls& calls) {
    const FindingField field = f.finding.field;
    const int result = results_.at(f.key);
    if (field == FindingField::Error) return messages(f);
    if (result < 0) return;
    const auto k = static_cast<size_t>(result);
    const std::vector<ResultPair> differing = pairs_of(calls, k), known = pairs_of(known_, k);
    if (differing.empty()) return;
    std::string words;
    if (field == FindingField::Size && is_unknown(differing, result)) {
      words = fmt::format(
          "the fake leaves a size of result {} to values (new_dynamic_size()), and the kernel's is outside of the "
          "bounds "
          "that the fake gives for it, or is not that of the other dims to which the fake gives the same symbol",
          result);
    } else if (field == FindingField::Size && depends_on_values(differing, known)) {
      words = with_sentence("the size depends on values: for arguments of the same metadata it was another one",
                            "Let the fake kernel take it from torch.library.get_ctx().new_dynamic_size()");
    } else if (field == FindingField::Alias) {
      Calls all;
      for (const ResultPair& p : known) all.push_back(p.record);
      words = alias_cause(calls, all, k);
      const auto with = with_it_.find(result);
      if (with != with_it_.end())
        words = with_sentence(words, fmt::format("With it differ: {}", fmt::join(with->second, ", ")));
    } else {
      words = cause_of_difference(field, differing, known);
    }
    if (!words.empty()) f.finding.cause = words;
  }

  /// Different calls may raise different errors that the fake kernel does not raise. If so, the number of messages that
  /// the finding does not show is added to its cause.
  void messages(ValidateFinding& f) const {
    const std::set<std::string>& said = messages_.at(f.key);
    if (said.size() < 2) return;
    f.finding.cause = with_sentence(f.finding.cause, fmt::format("Other calls raise in {} more ways", said.size() - 1));
  }

  /// Finds a non-tensor argument that has one value in all differing calls and other values in all calls that agree.
  void decided_by(ValidateFinding& f, const Calls& calls) {
    if (agreed_.empty() || calls[0]->schema.empty()) return;
    FunctionSchema schema;
    try {
      schema = parse_schema(calls[0]->schema);
    } catch (const Error&) {
      return;  // the schema has a type that ersatz cannot parse
    }
    const std::map<std::string, std::string> first = choices_of(*calls[0], schema);
    for (const auto& [name, value] : first) {
      const auto same = [&, &name = name, &value = value](const CallRecord* r) {
        const auto choices = choices_of(*r, schema);
        const auto at = choices.find(name);
        return at != choices.end() && at->second == value;
      };
      if (!std::all_of(calls.begin(), calls.end(), same) || std::any_of(agreed_.begin(), agreed_.end(), same)) continue;
      f.why.push_back(fmt::format("only where {} is {}: in the calls that agree it is not", name, value));
    }
  }

  /// If a kernel writes memory without declaring it, PyTorch refuses arguments with overlapping memory because of that
  /// write. Findings about this refusal are removed.
  void overlaps() {
    const auto is_memory = [](const ValidateFinding& f) {
      return f.finding.field == FindingField::UndeclaredWrite || f.finding.field == FindingField::Alias;
    };
    if (std::none_of(verdict_.found.begin(), verdict_.found.end(), is_memory)) return;
    std::erase_if(verdict_.found, [&](const ValidateFinding& f) {
      const auto said = messages_.find(f.key);
      return said != messages_.end() && std::all_of(said->second.begin(), said->second.end(), [](const auto& m) {
               return m.find("more than one element of the written-to tensor refers to a single memory location") !=
                      m.npos;
             });
    });
  }

  void unknown_sizes() {
    std::map<std::pair<int, int64_t>, Calls> calls;
    for (const CallRecord* r : known_) {
      for (const auto& [result, dims] : r->unknown) {
        for (const int64_t dim : dims) calls[{result, dim}].push_back(r);
      }
    }
    for (const auto& [at, shown] : calls) unknown_size(at.first, static_cast<size_t>(at.second), shown);
  }

  void unknown_size(int result, size_t dim, const Calls& calls) {
    UnknownSize size(result, dim);
    for (const CallRecord* r : calls) size.see(*r);
    if (size.known().empty()) return;
    Finding f = size.finding();
    f.source.clear();
    ValidateFinding found{
        std::move(f), fmt::format("unknown size of result {} dim {}", result, dim), {}, {}, {}, 0, 0, 0};
    found.of_many = true;
    found.calls = static_cast<int64_t>(calls.size());
    found.at = number_of(calls[0]);
    verdict_.found.push_back(std::move(found));
    for (const CallRecord* r : calls) {
      if (std::erase(agreed_, r) == 0) continue;
      --verdict_.agreed, ++verdict_.findings;
    }
  }

  int64_t number_of(const CallRecord* r) const { return std::find(known_.begin(), known_.end(), r) - known_.begin(); }

  const std::span<const RecordLine> records_;
  OpVerdict& verdict_;
  Calls known_, agreed_;
  std::map<std::string, Calls> differing_;
  std::map<std::string, int> results_;
  std::map<std::string, std::set<std::string>> messages_;
  std::map<int, std::set<std::string>> with_it_;
};

}  // namespace

std::string recorded_finding_key(const CallRecord& op, const Finding& finding) {
  return finding_key(finding, RecordedSchema(op).returns_list());
}

void review_records(std::span<const RecordLine> records, OpVerdict& verdict) { Review(records, verdict).run(); }

}  // namespace ersatz::tools
