#include "tools/infer/infer.h"

#include <algorithm>

#include "tools/infer/probe.h"

namespace ersatz::tools {

namespace {

constexpr int kTriesPerExample = 12;

/// Returns the metadata of all results as one text. Calls with equal texts have equal result metadata.
std::string results_text(const Observation& o) {
  std::string text;
  for (const SeenResult& r : o.results) text += to_string(tensor_meta(r.meta)) + ";";
  return text;
}

/// Returns the confidence after `confirmed` held-back examples were all predicted: 1 minus an upper bound of the error
/// rate.
double bounded_confidence(int64_t confirmed) {
  return confirmed <= 0 ? 0 : std::max(0.0, 1 - 3.0 / static_cast<double>(confirmed));
}

ExampleList pointers_to(const std::vector<Observation>& all) {
  ExampleList list;
  for (const Observation& o : all) list.push_back(&o);
  return list;
}

class Inferrer {
 public:
  Inferrer(const OpEntry& op, const InferOptions& options)
      : op_(op), options_(options), prober_(op, options.seed * 7919 + 1) {
    result_.op = op.name;
  }

  Inference run() {
    std::vector<Observation> examples = gather(options_.probes, true);
    if (result_.data_dependent) return std::move(result_);
    for (int round = 0; round < options_.rounds; ++round) {
      std::optional<InferredRule> rule = decided(examples);
      if (!rule) return std::move(result_);
      const std::vector<Observation> held = gather(options_.held_back, false);
      if (result_.data_dependent) return std::move(result_);
      std::vector<Observation> refuting = judge(*rule, held);
      if (refuting.empty()) {
        const size_t fitted = examples.size();
        for (const Observation& o : held) {
          if (predict_anyway(*rule, o.arguments)) examples.push_back(o);
        }
        conclude(std::move(*rule), fitted, examples);
        return std::move(result_);
      }
      result_.declined = fmt::format("a held-back probe refutes what {} examples suggest: ({}) {}", examples.size(),
                                     refuting[0].spelling, first_difference_);
      constexpr size_t kMostTaken = 200;
      refuting.resize(std::min(refuting.size(), kMostTaken), Observation());
      std::move(refuting.begin(), refuting.end(), std::back_inserter(examples));
    }
    return std::move(result_);
  }

 private:
  std::optional<Observation> probe(const ProbeCall& call) {
    ++result_.probes;
    std::optional<Observation> o = prober_.run(call, static_cast<uint64_t>(result_.probes));
    result_.refused += !o;
    return o;
  }

  /// Runs probes until `wanted` examples are found. `twice`: some calls are repeated with other values, to see whether
  /// metadata depend on them.
  std::vector<Observation> gather(int64_t wanted, bool twice) {
    std::vector<Observation> found;
    for (int64_t tries = wanted * kTriesPerExample; tries > 0; --tries) {
      if (static_cast<int64_t>(found.size()) >= wanted) break;
      ProbeCall call = prober_.next();
      if (call.arguments.empty() && !op_.schema.arguments.empty()) break;
      std::optional<Observation> o = probe(call);
      if (!o) continue;
      if (twice && found.size() % 2 == 0) {
        call.low = 0, call.high = found.size() % 4 == 0 ? 0 : 1;
        const std::optional<Observation> other = probe(call);
        if (other && results_text(*other) != results_text(*o)) {
          result_.data_dependent = true;
          result_.declined =
              fmt::format("the results' metadata depend on values: ({}) gives {} and, with other values, {}",
                          o->spelling, results_text(*o), results_text(*other));
          return found;
        }
      }
      found.push_back(std::move(*o));
    }
    return found;
  }

  /// Fits a rule. Runs the calls for which its remaining forms differ, and fits again, until the forms agree on all
  /// probes.
  std::optional<InferredRule> decided(std::vector<Observation>& examples) {
    constexpr int kRounds = 8;
    constexpr size_t kCandidates = 3000, kRuns = 100;
    std::optional<InferredRule> rule;
    for (int round = 0; round < kRounds; ++round) {
      rule = fit_rule(examples, result_.declined);
      if (!rule) return std::nullopt;
      std::vector<ProbeCall> calls;
      std::vector<std::vector<SeenArgument>> seen;
      for (size_t i = 0; i < kCandidates; ++i) {
        calls.push_back(prober_.next());
        seen.push_back(calls.back().arguments);
      }
      const std::vector<size_t> deciding = deciding_calls(*rule, seen);
      size_t decided = 0, ran = 0;
      for (size_t i : deciding) {
        if (++ran > kRuns) break;
        std::optional<Observation> o = probe(calls[i]);
        if (!o) continue;
        examples.push_back(std::move(*o));
        ++decided;
      }
      if (decided == 0) return rule;  // the op refuses every call that could decide between the forms
    }
    return rule;
  }

  std::vector<Observation> judge(const InferredRule& rule, const std::vector<Observation>& held) {
    std::vector<Observation> refuting;
    result_.confirmed = result_.not_covered = 0;
    for (const Observation& o : held) {
      const auto predicted = predict_anyway(rule, o.arguments);
      if (!predicted) {
        ++result_.not_covered;
        continue;
      }
      const std::string d = difference(*predicted, o.results);
      if (d.empty()) {
        ++result_.confirmed;
      } else {
        if (refuting.empty()) first_difference_ = d;
        refuting.push_back(o);
      }
    }
    return refuting;
  }

  /// Stores the rule in the result. `all` has the examples and those held-back calls that the rule predicted.
  void conclude(InferredRule rule, size_t examples, const std::vector<Observation>& all) {
    note_domain(rule, pointers_to(all));
    result_.examples = static_cast<int64_t>(examples);
    result_.declined.clear();
    if (result_.confirmed == 0) {
      result_.declined = "no held-back probe could confirm what the examples suggest";
      return;
    }
    rule.op = op_.name;
    rule.schema = to_string(op_.schema);
    for (const Argument& a : op_.schema.arguments) rule.arguments.push_back(a.name);
    rule.confidence = bounded_confidence(result_.confirmed);
    if (result_.confirmed < options_.least_held) rule.confidence = std::min(rule.confidence, kHighConfidence - 0.05);
    result_.rule = std::move(rule);
  }

  const OpEntry& op_;
  const InferOptions& options_;
  Prober prober_;
  Inference result_;
  std::string first_difference_;
};

}  // namespace

Inference infer(const OpEntry& op, const InferOptions& options) {
  Inference none;
  none.op = op.name;
  if (!op.has_kernel(DeviceType::CPU) && !op.rule && !op.composite) {
    none.declined = "it has no kernel for the CPU";
    return none;
  }
  return Inferrer(op, options).run();
}

std::optional<FunctionSchema> recorded_schema(std::string_view op, std::span<const CallRecord> records) {
  if (records.empty() || records[0].schema.empty()) return std::nullopt;
  for (const CallRecord& r : records) {
    if (r.schema != records[0].schema) return std::nullopt;
  }
  try {
    FunctionSchema schema = parse_schema(records[0].schema);
    if (schema.qualified_name() == op) return schema;
  } catch (const Error&) {  // an argument has a type that inference does not support
  }
  return std::nullopt;
}

Inference infer(std::string_view op, std::span<const CallRecord> records, const InferOptions& options) {
  Inference result;
  result.op = op;
  const std::optional<FunctionSchema> schema = recorded_schema(op, records);
  std::vector<std::string> names;
  for (size_t i = 0; schema && i < schema->arguments.size(); ++i) names.push_back(schema->arguments[i].name);
  std::vector<Observation> all;
  for (const CallRecord& r : records) {
    ++result.probes;
    std::optional<Observation> o = observe(r, schema ? &*schema : nullptr, names);
    if (r.data_dependent) result.data_dependent = true;
    if (o) {
      all.push_back(std::move(*o));
    } else {
      ++result.refused;
    }
  }
  for (Observation& o : all) o.arguments.resize(names.size());
  if (result.data_dependent) {
    result.declined = "the records say that the results' sizes depend on values";
    return result;
  }
  std::map<std::string, std::string> answers;
  for (const Observation& o : all) {
    std::string spelled;
    for (const SeenArgument& a : o.arguments) {
      if (a.kind == SeenArgument::Kind::Float || a.kind == SeenArgument::Kind::Complex) spelled += "?";
    }
    if (!spelled.empty()) continue;  // `spelling` omits values of floats, so different calls may have equal spellings
    const auto [at, fresh] = answers.try_emplace(o.spelling, results_text(o));
    if (fresh || at->second == results_text(o)) continue;
    result.data_dependent = true;
    result.declined =
        fmt::format("two records of ({}) have other metadata: {} and {}", o.spelling, at->second, results_text(o));
    return result;
  }
  std::vector<Observation> examples, held;
  for (size_t i = 0; i < all.size(); ++i) (i % 4 == 3 ? held : examples).push_back(all[i]);
  std::optional<InferredRule> rule = fit_rule(examples, result.declined);
  if (!rule) return result;
  for (const Observation& o : held) {
    const auto predicted = predict_anyway(*rule, o.arguments);
    const std::string d = predicted ? difference(*predicted, o.results) : "";
    if (!d.empty()) {
      result.declined =
          fmt::format("a held-back record refutes what {} records suggest: ({}) {}", examples.size(), o.spelling, d);
      return result;
    }
    ++(predicted ? result.confirmed : result.not_covered);
  }
  note_domain(*rule, pointers_to(all));
  rule->op = op;
  if (schema) rule->schema = to_string(*schema);
  rule->arguments = names;
  // The recorded calls cannot be run again. Calls that would decide between forms are reported, and they lower the
  // confidence.
  std::vector<std::vector<SeenArgument>> others;
  for (const Observation& o : all) {
    for (size_t i = 0; i < o.arguments.size(); ++i) {
      for (size_t d = 0; !o.arguments[i].tensors.empty() && d < o.arguments[i].tensors[0].sizes.size(); ++d) {
        others.push_back(o.arguments);
        PlainMeta& t = others.back()[i].tensors[0];
        t.sizes[d] += 3;
        int64_t next = 1;
        for (size_t k = t.sizes.size(); k-- > 0;) {
          t.strides[k] = next;
          next *= std::max<int64_t>(t.sizes[k], 1);
        }
      }
    }
  }
  const std::vector<size_t> deciding = deciding_calls(*rule, others);
  if (!deciding.empty()) result.undecided = spell(others[deciding[0]]);
  result.examples = static_cast<int64_t>(examples.size());
  rule->confidence = bounded_confidence(result.confirmed);
  if (result.confirmed < options.least_held || !result.undecided.empty())
    rule->confidence = std::min(rule->confidence, kHighConfidence - 0.05);
  if (result.confirmed == 0) {
    result.declined = "no held-back record could confirm what the others suggest";
    return result;
  }
  result.rule = std::move(rule);
  return result;
}

}  // namespace ersatz::tools
