#include "tools/validate/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "fake/crosscheck/not_clean.h"
#include "runtime/base/error.h"
#include "tools/output/finding_json.h"

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

bool before(const ValidateFinding& a, const ValidateFinding& b) {
  return std::pair(a.unit, a.at) < std::pair(b.unit, b.at);
}

ValidateFinding validate_finding_from_json(const Json& json) {
  ValidateFinding f;
  f.call = json.at("call").get<std::string>();
  f.first = json.at("first").get<std::string>();
  f.place = json.value("place", "");
  f.why = json.at("why").get<std::vector<std::string>>();
  f.calls = json.at("calls").get<int64_t>();
  f.key = json.at("key").get<std::string>();
  f.unit = json.at("order").at(0).get<int64_t>();
  f.at = json.at("order").at(1).get<int64_t>();
  f.finding = finding_from_json(json);
  return f;
}

/// Returns the first option that differs between two runs: `seed 0 and 1`.
std::string first_difference(const Json& a, const Json& b) {
  for (const auto& [key, value] : a.items()) {
    if (!b.contains(key) || b.at(key) != value)
      return fmt::format("{} {} and {}", key, value.dump(), b.contains(key) ? b.at(key).dump() : "none");
  }
  return "one has keys that the other has not";
}

}  // namespace

std::optional<ShardNumber> parse_shard(std::string_view text) {
  ShardNumber shard;
  const char* end = text.data() + text.size();
  const auto i = std::from_chars(text.data(), end, shard.i);
  if (i.ec != std::errc() || i.ptr == end || *i.ptr != '/') return std::nullopt;
  const auto n = std::from_chars(i.ptr + 1, end, shard.n);
  if (n.ec != std::errc() || n.ptr != end || shard.i < 1 || shard.i > shard.n) return std::nullopt;
  return shard;
}

void OpVerdict::refuse(const std::string& op, const std::string& why) {
  Finding f;
  f.op = op;
  f.field = FindingField::Error;
  f.predicted = "functions that take and give what the schema says";
  f.observed = why;
  f.witness = Witness::Declaration;
  f.verdict = "significant";
  found.push_back({std::move(f), "refused", "", "", {}, 0, 0, 0});
}

bool OpVerdict::is_unjudged_plugin_op() const {
  return of_plugin && agreed + refused == 0 && found.empty() && !gaps.contains("filtered");
}

std::string OpVerdict::why_unjudged() const {
  const auto most = std::max_element(unchecked.begin(), unchecked.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != unchecked.end()) return most->first;
  return gaps.empty() ? "" : gaps.begin()->second;
}

void OpVerdict::add_counts(const OpVerdict& o) {
  samples += o.samples;
  agreed += o.agreed;
  refused += o.refused;
  findings += o.findings;
  for (const auto& [reason, n] : o.unchecked) unchecked[reason] += n;
  for (const auto& [reason, what] : o.about) {
    for (const auto& [words, n] : what) about[reason][words] += n;
  }
  unjudged += o.unjudged;
}

void OpVerdict::add(const OpVerdict& o) {
  add_counts(o);
  of_plugin |= o.of_plugin;
  is_foreign |= o.is_foreign;
  for (const auto& [reason, words] : o.gaps) gaps.emplace(reason, words);
  if (inferred.is_null()) inferred = o.inferred;
  for (const ValidateFinding& f : o.found) {
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const ValidateFinding& g) { return g.key == f.key; });
    if (same == found.end()) {
      found.push_back(f);
      continue;
    }
    const int64_t calls = same->calls + f.calls;
    if (before(f, *same)) *same = f;
    same->calls = calls;
  }
  std::sort(found.begin(), found.end(), before);
}

Json to_json(const ValidateFinding& f) {
  Json json = to_json(f.finding);
  json["call"] = f.call;
  json["first"] = f.first;
  json["place"] = f.place;
  json["why"] = f.why;
  json["calls"] = f.calls;
  json["key"] = f.key;
  json["order"] = {f.unit, f.at};
  return json;
}

Json to_json(const OpVerdict& v) {
  Json json = {{"samples", v.samples}, {"agreed", v.agreed}, {"refused", v.refused}, {"findings", v.findings}};
  json["unchecked"] = Json::object();
  for (const auto& [reason, n] : v.unchecked) json["unchecked"][reason] = n;
  if (!v.about.empty()) json["about"] = v.about;
  if (v.unjudged > 0) json["unjudged"] = v.unjudged;
  if (v.of_plugin) json["of_plugin"] = true;
  if (v.is_foreign) json["is_foreign"] = true;
  json["gaps"] = Json::object();
  for (const auto& [reason, words] : v.gaps) json["gaps"][reason] = words;
  if (!v.inferred.is_null()) json["inferred"] = v.inferred;
  json["found"] = Json::array();
  for (const ValidateFinding& f : v.found) json["found"].push_back(to_json(f));
  return json;
}

OpVerdict verdict_from_json(const Json& json) {
  OpVerdict v;
  try {
    v.samples = json.at("samples").get<int64_t>();
    v.agreed = json.at("agreed").get<int64_t>();
    v.refused = json.at("refused").get<int64_t>();
    v.findings = json.at("findings").get<int64_t>();
    for (const auto& [reason, n] : json.at("unchecked").items()) v.unchecked[reason] = n.get<int64_t>();
    for (const auto& [reason, words] : json.at("gaps").items()) v.gaps[reason] = words.get<std::string>();
    if (json.contains("about")) v.about = json["about"].get<std::map<std::string, std::map<std::string, int64_t>>>();
    v.unjudged = json.value("unjudged", int64_t(0));
    v.of_plugin = json.value("of_plugin", false);
    v.is_foreign = json.value("is_foreign", false);
    if (json.contains("inferred")) v.inferred = json["inferred"];
    if (json.contains("found")) {
      for (const Json& f : json.at("found")) v.found.push_back(validate_finding_from_json(f));
    }
  } catch (const nlohmann::json::exception& e) {
    fail_argument("a verdict: {}", e.what());
  }
  return v;
}

OpVerdict ValidateReport::total() const {
  OpVerdict sum;
  for (const auto& [op, v] : ops) {
    sum.add_counts(v);
    sum.found.insert(sum.found.end(), v.found.begin(), v.found.end());
  }
  return sum;
}

OwnCalls own_calls(const ValidateReport& report) {
  OwnCalls own;
  for (const auto& [op, v] : report.ops) {
    if (!v.of_plugin && !v.is_foreign) continue;
    own.judged += v.agreed + v.refused + v.findings;
    if (v.is_unjudged_plugin_op()) {
      own.unjudged[op] = {v.samples, v.why_unjudged()};
    } else if (v.unjudged > 0) {
      own.unjudged[op] = {v.unjudged, v.why_unjudged()};
    }
  }
  return own;
}

std::string why_not_clean(const ValidateReport& report) {
  const OwnCalls own = own_calls(report);
  if (report.units == 0 && own.unjudged.empty()) return "";  // a shard may have no units
  const OpVerdict total = report.total();
  return ersatz::why_not_clean(total.agreed + total.refused + static_cast<int64_t>(total.found.size()), own);
}

ExitStatus status_of(const ValidateReport& report) {
  const OpVerdict total = report.total();
  for (const ValidateFinding& f : total.found) {
    if (f.finding.verdict == "bug") return ExitStatus::Bug;
  }
  return total.found.empty() && why_not_clean(report).empty() ? ExitStatus::Clean : ExitStatus::Findings;
}

ValidateReport validate_report_from_json(const std::string& text, const std::string& file) {
  ValidateReport report;
  try {
    const Json json = Json::parse(text);
    if (json.at("command") != "validate")
      fail_argument("{}: a report of ersatz {}, not of validate", file, json.at("command").get<std::string>());
    if (json.at("format") != 1)
      fail_argument("{}: format {} of reports; this ersatz reads 1", file, json.at("format").dump());
    report.run = json.at("run");
    report.units = json.at("units").get<int64_t>();
    if (report.run.contains("interrupted")) fail_argument("{}: a run that was interrupted: run that shard again", file);
    if (json.contains("shard")) report.shard = json.at("shard").get<std::string>();
    if (!report.shard.empty() && !parse_shard(report.shard))
      fail_argument("{}: shard {} is none: like 1/4 or 4/4", file, report.shard);
    for (const Json& row : json.at("ops")) report.ops[row.at("op").get<std::string>()] = verdict_from_json(row);
    for (const Json& f : json.at("findings")) {
      report.ops[f.at("op").get<std::string>()].found.push_back(validate_finding_from_json(f));
    }
  } catch (const nlohmann::json::exception& e) {
    fail_argument("{}: no JSON report of ersatz validate: {}", file, e.what());
  }
  return report;
}

ValidateReport join(std::vector<ValidateReport> shards) {
  if (shards.empty()) fail_argument("merge: no reports");
  ValidateReport whole;
  whole.run = shards[0].run;
  const auto number_of = [](const ValidateReport& r) { return parse_shard(r.shard).value_or(ShardNumber()); };
  const int64_t n = number_of(shards[0]).n;
  std::set<int64_t> seen;
  for (const ValidateReport& s : shards) {
    if (s.run != whole.run) {
      fail_argument("merge: shards {} and {} are of different runs: {}", shards[0].shard, s.shard,
                    first_difference(whole.run, s.run));
    }
    const auto [i, of] = number_of(s);
    if (of != n)
      fail_argument("merge: shards {}/{} and {}: a run is cut into one number of parts", *seen.begin(), n, s.shard);
    if (!seen.insert(i).second) fail_argument("merge: shard {}/{} is there twice", i, n);
    whole.units += s.units;
    for (const auto& [op, verdict] : s.ops) whole.ops[op].add(verdict);
  }
  for (int64_t i = 1; i <= n; ++i) {
    if (!seen.count(i)) fail_argument("merge: shard {}/{} is missing", i, n);
  }
  return whole;
}

}  // namespace ersatz::tools
