#include "tools/validate/unit_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/op/value_checks.h"
#include "runtime/tensor/allocator.h"
#include "tools/calls/replay.h"
#include "tools/output/finding_cause.h"
#include "tools/output/finding_json.h"
#include "tools/output/interrupt.h"
#include "tools/program/repro_check.h"
#include "tools/validate/child.h"
#include "tools/validate/shrink.h"

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Returns advice for the author of the op on how to remove the finding.
std::string advice(const Finding& f) {
  switch (f.field) {
    case FindingField::Alias:
      return f.predicted.starts_with("has its own storage") ? "the schema does not say that this result shares an "
                                                              "argument's memory, as Tensor(a) x -> Tensor(a) does"
                                                            : "schema and rule say that this result shares an "
                                                              "argument's memory in that way; the kernel's does not";
    case FindingField::UndeclaredWrite:
      return "an op may write what its schema marks, Tensor(a!) x, and nothing else";
    case FindingField::Unwritten:
      return "the kernel left it out: on memory filled in two ways, it kept what the memory held";
    default:
      return {};
  }
}

/// Removes findings about the layout of a result if there is also a finding about its memory. A view of other memory
/// has the layout of that memory.
void absorb(std::vector<Finding>& findings) {
  std::vector<int> aliases;
  for (const Finding& f : findings) {
    if (f.field == FindingField::Alias && f.result >= 0) aliases.push_back(f.result);
  }
  std::erase_if(findings, [&](const Finding& f) {
    const bool layout =
        f.field == FindingField::Stride || f.field == FindingField::Offset || f.field == FindingField::Size;
    return layout && std::find(aliases.begin(), aliases.end(), f.result) != aliases.end();
  });
}

/// Makes a finding for a crash or hang.
Finding death(const CallSource& source, const ChildResult& child) {
  Finding f;
  f.op = source.op();
  f.field = FindingField::Error;
  f.predicted = "ends";
  f.observed = child.how();
  f.witness = Witness::Kernel;
  f.verdict = child.timed_out ? "hang" : "crash";
  f.words = child.last_words;
  return f;
}

class UnitRun {
 public:
  UnitRun(const CallSource& source, int64_t unit, const UnitOptions& options)
      : source_(source), unit_(unit), options_(options) {}

  OpVerdict here() {
    verdict_.is_foreign = source_.is_foreign();
    CallJudge judge(options_.device);
    for (int64_t i = 0; i < source_.size(); ++i) count(verdict_, i, source_.judge(i, judge));
    source_.conclude(verdict_);
    for (ValidateFinding& f : verdict_.found) name_call(f);
    return std::move(verdict_);
  }

  OpVerdict run() {
    verdict_.gaps = source_.gaps();
    verdict_.of_plugin = source_.is_of_plugin();
    verdict_.is_foreign = source_.is_foreign();
    int64_t from = 0;
    const int64_t end = source_.size();
    for (int crashes = 0; from < end && !interrupted();) {
      const ChildResult r = calls(from, end);
      if (r.finished) {
        verdict_.add(verdict_from_json(Json::parse(r.output)));
        break;
      }
      // The counts of the dead child are lost, so the calls before the crash are made again in a new child.
      const int64_t at = std::max(from, r.at);
      if (at > from) {
        const ChildResult again = calls(from, at);
        if (again.finished) verdict_.add(verdict_from_json(Json::parse(again.output)));
      }
      note_death(r, at);
      from = at + 1;
      // A hang counts as many crashes, because it takes the whole time limit.
      crashes += r.timed_out ? UnitOptions::kMostCrashes / 2 : 1;
      if (crashes < UnitOptions::kMostCrashes || from >= end) continue;
      verdict_.unchecked["after_crashes"] += end - from;
      break;
    }
    source_.conclude(verdict_);
    for (ValidateFinding& f : verdict_.found) make_small(f);
    return std::move(verdict_);
  }

 private:
  /// Compares the calls from <= i < to in a child process. Its output is the verdict as JSON.
  ChildResult calls(int64_t from, int64_t to) const {
    return run_in_child(
        [&](Progress64& at) {
          const AllocationLimit limit(kMostCallBytes);
          const ChecksAtOnce judged;
          CallJudge judge(options_.device);
          OpVerdict verdict;
          for (int64_t i = from; i < to; ++i) {
            at.store(i, std::memory_order_relaxed);
            if (i % 64 == 0 && interrupted()) break;
            count(verdict, i, source_.judge(i, judge));
          }
          return dumped(to_json(verdict));
        },
        options_.limit_s);
  }

  void count(OpVerdict& verdict, int64_t i, JudgedCall&& judged) const {
    ++verdict.samples;
    verdict.agreed += judged.ended == JudgedCall::Ended::Agreed;
    verdict.refused += judged.ended == JudgedCall::Ended::Refused;
    verdict.findings += judged.ended == JudgedCall::Ended::Found;
    for (const std::string& reason : judged.reasons) ++verdict.unchecked[reason];
    for (const auto& [reason, words] : judged.about) ++verdict.about[reason][words];
    verdict.unjudged += judged.ended == JudgedCall::Ended::Unchecked && source_.is_foreign();
    std::vector<std::string> keys;
    absorb(judged.findings);
    for (const Finding& f : judged.findings) {
      const std::string key = finding_key(f, source_.returns_list());
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      keys.push_back(key);
      const auto known = std::find_if(verdict.found.begin(), verdict.found.end(),
                                      [&](const ValidateFinding& g) { return g.key == key; });
      if (known != verdict.found.end()) {
        ++known->calls;
        continue;
      }
      verdict.found.push_back({f, key, {}, {}, {}, 1, unit_, i});
    }
  }

  void note_death(const ChildResult& r, int64_t at) {
    OpVerdict one;
    one.samples = one.findings = 1;
    one.found.push_back({death(source_, r), "death " + r.how(), {}, {}, {}, 1, unit_, at});
    verdict_.add(one);
  }

  void name_call(ValidateFinding& f) const {
    f.call = source_.spelled(f.at);
    f.first = source_.origin(f.at);
    f.place = source_.place(f.at);
  }

  void make_small(ValidateFinding& f) const {
    name_call(f);
    const std::optional<CallSpec> failing = source_.spec(f.at);
    if (!failing) return;
    f.first += ": " + f.call;
    if (f.key.starts_with("death ")) return make_death_small(f, *failing);
    const ChildResult r = run_in_child(
        [&](Progress64& at) {
          const AllocationLimit limit(kMostCallBytes);
          const ChecksAtOnce judged;
          CallJudge judge(options_.device);
          int64_t asked = 0;
          const Shrunk small = shrink(
              *failing,
              [&](const CallSpec& spec) {
                at.store(++asked, std::memory_order_relaxed);
                return shows(judge.judge(spec), f.key) != nullptr;
              },
              options_.shrink_budget);
          return tell(small, f.key);
        },
        options_.limit_s);
    if (r.finished) return take(f, r.output);
    // A simpler call may crash, so each candidate is tried in a child process of its own.
    const Shrunk small = shrink(
        *failing, [&](const CallSpec& spec) { return fails_in_child(spec, f.key); }, options_.shrink_budget / 10);
    const ChildResult again = run_in_child([&](Progress64&) { return tell(small, f.key); }, options_.limit_s);
    if (again.finished) take(f, again.output);
  }

  const Finding* shows(const JudgedCall& judged, const std::string& key) const {
    const bool returns_list = source_.returns_list();
    for (const Finding& g : judged.findings) {
      if (finding_key(g, returns_list) == key) return &g;
    }
    return nullptr;
  }

  bool fails_in_child(const CallSpec& spec, const std::string& key) const {
    const ChildResult r = run_in_child(
        [&](Progress64&) {
          const AllocationLimit limit(kMostCallBytes);
          CallJudge judge(options_.device);
          return std::string(shows(judge.judge(spec), key) ? "1" : "0");
        },
        options_.limit_s);
    return key.starts_with("death ") ? key == "death " + r.how() : r.output == "1";
  }

  /// Makes the smallest call. Returns JSON with the call, its finding and its repro.
  std::string tell(const Shrunk& small, const std::string& key) const {
    CallJudge judge(options_.device);
    const JudgedCall judged = judge.judge(small.smallest);
    const Finding* f = shows(judged, key);
    Json told = {{"call", small.smallest.spelled()}, {"why", small.why}};
    if (!f) return dumped(told);
    std::vector<Finding> checked = {*f};
    checked[0].repro = repro_of(small.smallest, *f);
    RunOptions like;
    if (!options_.device.is_cpu()) like.device = options_.device;
    check_repros(checked, like);
    told["finding"] = to_json(checked[0]);
    if (const std::string words = advice(*f); !words.empty()) told["why"].push_back(words);
    return dumped(told);
  }

  static void take(ValidateFinding& f, const std::string& told) {
    const Json json = Json::parse(told);
    f.call = json.at("call").get<std::string>();
    f.why = json.at("why").get<std::vector<std::string>>();
    if (json.contains("finding")) f.finding = finding_from_json(json.at("finding"));
  }

  void make_death_small(ValidateFinding& f, const CallSpec& failing) const {
    // Each hang takes the whole time limit, so only a few candidates are tried.
    const bool hangs = f.finding.verdict == "hang";
    const Shrunk small = shrink(
        failing, [&](const CallSpec& spec) { return fails_in_child(spec, f.key); },
        hangs ? 5 : options_.shrink_budget / 10);
    f.call = small.smallest.spelled();
    f.why = small.why;
    const ChildResult r = run_in_child(
        [&](Progress64&) {
          Finding finding;
          finding.op = source_.op();
          finding.field = FindingField::Error;
          return repro_of(small.smallest, finding);
        },
        options_.limit_s);
    if (r.finished) f.finding.repro = r.output;
    f.finding.args.clear();
    for (const Tensor& t : small.smallest.tensors()) f.finding.args.push_back(to_string(t.meta()));
  }

  const CallSource& source_;
  const int64_t unit_;
  const UnitOptions& options_;
  OpVerdict verdict_;
};

}  // namespace

OpVerdict run_unit(const CallSource& source, int64_t unit, const UnitOptions& options) {
  return UnitRun(source, unit, options).run();
}

OpVerdict judge_here(const CallSource& source) { return UnitRun(source, 0, {}).here(); }

std::string finding_key(const Finding& f, bool returns_list) {
  if (f.field == FindingField::Error) return fmt::format("error {}", cause_of(f));
  const std::string field(name(f.field));
  if (f.result >= 0) return returns_list ? field : fmt::format("{} of result {}", field, f.result);
  // The finding is about an argument, which the text names first: `argument 1 is left as it was`.
  const size_t end = f.predicted.find_first_of(" :", std::string_view("argument ").size());
  return f.predicted.starts_with("argument ") ? fmt::format("{} of {}", field, f.predicted.substr(0, end)) : field;
}

}  // namespace ersatz::tools
