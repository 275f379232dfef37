#include "tools/validate/proposal.h"

#include <fmt/format.h>

#include "tools/infer/infer.h"
#include "tools/infer/rule_file.h"
#include "tools/validate/child.h"

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

Json told(const Inference& inference, const FunctionSchema* schema) {
  Json json = to_json(inference);
  json["text"] = to_string(inference);
  if (!inference.rule || !schema) return json;
  std::string why;
  std::string cpp = rule_cpp(*inference.rule, *schema, why);
  if (cpp.empty()) {
    json["no_cpp"] = why;
  } else {
    json["cpp"] = std::move(cpp);
  }
  return json;
}

template <class Work>
Json in_child(const std::string& op, double limit_s, const Work& work) {
  const ChildResult r = run_in_child(
      [&](Progress64&) { return Json(work()).dump(-1, ' ', false, Json::error_handler_t::replace); }, limit_s);
  if (r.finished) return Json::parse(r.output);
  const std::string why = fmt::format("the process that probed it {}", r.how());
  return {{"op", op}, {"proposed", false}, {"declined", why}, {"text", fmt::format("{}: no proposal: {}\n", op, why)}};
}

}  // namespace

Json propose(const OpEntry& op, uint64_t seed, double limit_s) {
  return in_child(op.name, limit_s, [&] {
    InferOptions options;
    options.seed = seed;
    return told(infer(op, options), &op.schema);
  });
}

Json propose(const std::string& op, const std::vector<RecordLine>& records, double limit_s) {
  return in_child(op, limit_s, [&] {
    std::vector<CallRecord> calls;
    calls.reserve(records.size());
    for (const RecordLine& line : records) calls.push_back(line.record);
    return told(infer(op, calls), nullptr);
  });
}

std::string rules_of(const std::vector<Json>& proposals) {
  std::vector<InferredRule> rules;
  for (const Json& p : proposals) {
    if (p.contains("rule")) rules.push_back(rule_from_json(p["rule"], p.value("op", "")));
  }
  return rules_text(rules);
}

}  // namespace ersatz::tools
