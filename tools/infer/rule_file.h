// Inferred rules as JSON. `ersatz validate --infer` writes them, `ersatz fake --rules` loads them.
//
//   {"format":1,"rules":[{"op":"demo.top_pairs.default","schema":"demo::top_pairs(Tensor x, int k) -> ..",
//     "arguments":["x","k"],"confidence":0.999,"signatures":["tensor2, number"],"dtypes":[["f32"],[]],
//     "results":[{"shape":[{"when":[],"is":"tail","of":0,"drop":1,"tail":[{"is":"plus",..}]}], ..}]}]}
//
// A file is untrusted: its content is checked against the schema's arguments when it is read. RAISES InvalidArgument
// with one line that names the file.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "tools/infer/inferred_rule.h"

namespace ersatz::tools {

nlohmann::ordered_json to_json(const InferredRule& rule);
/// Parses one rule. `file` is the name for errors.
InferredRule rule_from_json(const nlohmann::ordered_json& json, const std::string& file);
/// Returns the JSON text of a file with several rules.
std::string rules_text(std::span<const InferredRule> rules);
std::vector<InferredRule> parse_rules(std::string_view text, const std::string& file);

/// Returns a function for FakeOptions::inferred that predicts the ops of these rules. An op that is not registered is
/// registered with the rule's schema and without a kernel. RAISES Error if its rule has no schema, or if a registered
/// op has other arguments.
std::function<bool(const OpEntry&, std::span<const Value>, RuleResult&)> inferred_answers(
    std::vector<InferredRule> rules);
std::function<bool(const OpEntry&, std::span<const Value>, RuleResult&)> load_inferred_rules(
    const std::vector<std::string>& files);

}  // namespace ersatz::tools
