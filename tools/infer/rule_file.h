// Inferred rules as data: JSON that is written by an inference and loaded by a run.
//
//   {"format":1,"rules":[{"op":"demo.top_pairs.default","schema":"demo::top_pairs(Tensor x, int k) -> ..",
//     "arguments":["x","k"],"confidence":0.999,"signatures":["tensor2, number"],"dtypes":[["f32"],[]],
//     "results":[{"shape":[{"when":[],"is":"tail","of":0,"drop":1,"tail":[{"is":"plus",..}]}], ..}]}]}
//
// A file is hostile input: what it says is checked against the schema's arguments when it is read, and each refusal is
// one InvalidArgument line that names the file.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "tools/infer/inferred_rule.h"

namespace ersatz::tools {

nlohmann::ordered_json to_json(const InferredRule& rule);
/// `file` names it in refusals.
InferredRule rule_from_json(const nlohmann::ordered_json& json, const std::string& file);
/// A whole file of rules.
std::string rules_text(std::span<const InferredRule> rules);
std::vector<InferredRule> parse_rules(std::string_view text, const std::string& file);

/// What FakeOptions::inferred takes: answers for ops whose rule is among them. An operator that nobody has registered
/// is registered by the schema of its rule, without a kernel. A rule without a schema for such an operator, and one of
/// an operator that has other arguments now, are refused.
std::function<bool(const OpEntry&, std::span<const Value>, RuleResult&)> inferred_answers(
    std::vector<InferredRule> rules);
std::function<bool(const OpEntry&, std::span<const Value>, RuleResult&)> load_inferred_rules(
    const std::vector<std::string>& files);

}  // namespace ersatz::tools
