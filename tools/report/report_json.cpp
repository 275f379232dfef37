#include "tools/report/report_json.h"

#include <nlohmann/json.hpp>

#include "runtime/op/registry.h"
#include "tools/output/finding_json.h"
#include "tools/output/own_calls_json.h"

namespace ersatz::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the number of the enumerator, among the first `n`, whose name is `said`; `n` if there is none.
template <class T>
size_t place_in_list(std::string_view said, int n) {
  size_t i = 0;
  while (i < static_cast<size_t>(n) && name(static_cast<T>(i)) != said) ++i;
  return i;
}

/// Reads the key `coverage`. Operators that are not registered are skipped.
void read_coverage(const Json& rows, Coverage& to) {
  for (const Json& row : rows) {
    const OpEntry* const op = registry().find(row.at("op").get<std::string>());
    if (!op) continue;
    OpCoverage& counted = to.row(*op);
    for (const auto& [said, n] : row.at("sources").items()) {
      const size_t at = place_in_list<Source>(said, kSourceCount);
      if (at < counted.sources.size()) counted.sources[at] += n.get<int64_t>();
    }
    for (const auto& [check, reasons] : row.at("not_checked").items()) {
      for (const auto& [why, n] : reasons.items()) {
        const auto what = static_cast<Check>(place_in_list<Check>(check, int(Check::Values)));
        const auto reason = static_cast<NotChecked>(place_in_list<NotChecked>(why, int(NotChecked::UnknownLayout)));
        counted.add_unchecked(what, reason, n.get<int64_t>());
      }
    }
  }
}

}  // namespace

Report report_from_json(const Json& json, bool whole) {
  static const Json kNone = Json::object();
  Report r;
  const auto part = [&](const Json& of, const char* key) -> const Json& {
    return whole || of.contains(key) ? of.at(key) : kNone;
  };
  const auto count = [&](const Json& of, const char* key) {
    return whole ? of.at(key).get<int64_t>() : of.value(key, int64_t(0));
  };
  const auto counts = [&](const Json& of, auto& to, auto name_of) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = of.value(std::string(name_of(i)), int64_t(0));
  };
  const auto reason = [](size_t i) { return name(static_cast<SkipReason>(i)); };
  r.nodes = json.at("nodes").get<int64_t>();
  r.results = json.at("results").get<int64_t>();
  r.compared = json.at("compared").get<int64_t>();
  r.mismatched = json.at("mismatched").get<int64_t>();
  r.cosmetic = count(json, "cosmetic");
  const Json& verdicts = part(json, "verdicts");
  r.size_one_only = count(verdicts, "size-1 only");
  r.empty_tensor = count(verdicts, "empty tensor");
  r.memory_formats = count(verdicts, "memory_format");
  r.waived = count(json, "waived");
  r.value_failures = count(json, "value_failures");
  r.values_compared = count(json, "values_compared");
  counts(json.at("skipped"), r.skipped, reason);
  counts(part(json, "values_skipped"), r.values_skipped, reason);
  counts(part(json, "witnesses"), r.witnesses, [](size_t i) { return name(static_cast<Witness>(i)); });
  const Json& own = part(json, "own");
  r.own.unjudged = own_of(json).unjudged;
  r.own.judged = count(own, "judged");
  r.own.known = count(own, "known");
  for (const Json& w : part(json, "waivers")) {
    Waiver row;
    w.at("op").get_to(row.op), w.at("field").get_to(row.field), w.at("reason").get_to(row.reason);
    w.at("used").get_to(row.used), w.at("known").get_to(row.known);
    row.until = parse_date(w.at("until").get<std::string>());
    row.expired = w.at("state") == "expired";
    r.waivers.push_back(std::move(row));
  }
  read_coverage(part(json, "coverage"), r.coverage);
  for (const Json& f : json.at("findings")) r.findings.push_back(finding_from_json(f));
  return r;
}

}  // namespace ersatz::tools
