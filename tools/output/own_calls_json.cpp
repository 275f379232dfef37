#include "tools/output/own_calls_json.h"

namespace ersatz::tools {

using Json = nlohmann::ordered_json;

Json own_json(const OwnCalls& own) {
  Json json = {{"judged", own.judged}, {"known", own.known}, {"unjudged", Json::object()}};
  for (const auto& [op, u] : own.unjudged) {
    json["unjudged"][op] = u.calls;
    json["why"][op] = u.why;
  }
  return json;
}

OwnCalls own_of(const Json& report) {
  OwnCalls own;
  const auto at = report.find("own");
  if (at == report.end() || !at->is_object()) return own;
  const auto member = [&](const char* key, auto is, auto use) {
    if (const auto m = at->find(key); m != at->end() && (*m.*is)()) use(*m);
  };
  member("judged", &Json::is_number_integer, [&](const Json& n) { own.judged = n.get<int64_t>(); });
  member("known", &Json::is_number_integer, [&](const Json& n) { own.known = n.get<int64_t>(); });
  member("unjudged", &Json::is_object, [&](const Json& ops) {
    for (const auto& [op, calls] : ops.items()) {
      if (calls.is_number_integer()) own.unjudged[op].calls = calls.get<int64_t>();
    }
  });
  member("why", &Json::is_object, [&](const Json& whys) {
    for (auto& [op, u] : own.unjudged) {
      if (const auto why = whys.find(op); why != whys.end() && why->is_string()) u.why = why->get<std::string>();
    }
  });
  return own;
}

void mark_not_clean(Json& report, const std::string& why) {
  if (why.empty() || !report.is_object() || report.value("status", "") != "findings") return;
  report["status"] = "unjudged";
  report["not_clean"] = why;
}

}  // namespace ersatz::tools
