// Writes a proposed rule as text for reports.
#include "tools/infer/infer.h"
#include "tools/infer/rule_file.h"

#include <nlohmann/json.hpp>

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

/// Returns the text of an atom: `x.size(-1)`, `k`, `padding[0]`.
std::string atom_words(const Json& a, const std::vector<std::string>& names) {
  const std::string kind = a["is"];
  if (kind == "constant") return std::to_string(a.value("number", 0));
  const std::string argument = names[a["argument"].get<size_t>()];
  const std::string other = a.contains("other") ? names[a["other"].get<size_t>()] : "";
  const int64_t dim = a.value("dim", 0);
  if (kind == "size") return fmt::format("{}.size({})", argument, dim);
  if (kind == "size_at") return fmt::format("{}.size({})", argument, other);
  if (kind == "sum_at") return fmt::format("sum of the sizes of {} in {}", argument, other);
  if (kind == "count") return fmt::format("number of {}", argument);
  return kind == "item" ? fmt::format("{}[{}]", argument, dim) : argument;
}

std::string form_words(const Json& form, const std::vector<std::string>& names) {
  std::string text = form.contains("is") ? form["is"].get<std::string>() : form.value("same", false) ? "is" : "view";
  if (!form.contains("is") && !form.contains("of")) text = "own";
  for (const char* key : {"of", "attribute", "other", "dim", "index"}) {
    if (!form.contains(key)) continue;
    const bool plain = std::string_view(key) == "of";
    text += fmt::format(" {}{}", plain ? "" : std::string(key) + "=", names[form[key].get<size_t>()]);
  }
  for (const char* key : {"drop", "keep", "dtype", "table"}) {
    if (form.contains(key))
      text += fmt::format(" {}={}", key, form[key].is_string() ? form[key].get<std::string>() : form[key].dump());
  }
  std::string tail;
  for (const Json& e : form.value("tail", Json::array())) {
    std::string atoms;
    for (const Json& a : e["atoms"]) atoms += (atoms.empty() ? "" : ", ") + atom_words(a, names);
    const int64_t plus = e["plus"];
    const std::string kind = e["is"];
    tail += (tail.empty() ? "" : ", ") + (kind == "plus" ? atoms : kind + "(" + atoms + ")");
    if (plus) tail += fmt::format(" {} {}", plus < 0 ? "-" : "+", std::abs(plus));
  }
  return tail.empty() ? text : text + " [" + tail + "]";
}

std::string condition_words(const Json& when, const std::vector<std::string>& names) {
  std::string text;
  for (const Json& w : when) {
    text += text.empty() ? " where " : " and ";
    if (w["is"] == "pattern") {
      text += "the arguments are (" + w["text"].get<std::string>() + ")";
    } else {
      const std::string& argument = names[w["argument"].get<size_t>()];
      text +=
          fmt::format("{} is {}", w["is"] == "rank" ? "the rank of " + argument : argument, w["value"].get<int64_t>());
    }
  }
  return text;
}

}  // namespace

nlohmann::ordered_json to_json(const Inference& found) {
  Json j{{"op", found.op},
         {"proposed", found.rule.has_value()},
         {"confidence", found.confidence()},
         {"high", found.confidence() >= kHighConfidence},
         {"data_dependent", found.data_dependent},
         {"declined", found.declined},
         {"probes", found.probes},
         {"refused", found.refused},
         {"examples", found.examples},
         {"confirmed", found.confirmed},
         {"not_covered", found.not_covered},
         {"undecided", found.undecided}};
  if (found.rule) j["rule"] = to_json(*found.rule);
  return j;
}

std::string to_string(const Inference& found) {
  std::string text = found.op + ": ";
  if (!found.rule) {
    return text + (found.data_dependent ? "no rule can be told from metadata: " : "no proposal: ") + found.declined +
           "\n";
  }
  const InferredRule& rule = *found.rule;
  text += fmt::format(
      "a rule with confidence {:.4f} ({}): {} examples, {} held-back ones confirm it, it says nothing of {}\n",
      rule.confidence, rule.confidence >= kHighConfidence ? "high" : "low", found.examples, found.confirmed,
      found.not_covered);
  const Json json = to_json(rule);
  for (size_t k = 0; k < rule.results.size(); ++k) {
    for (const char* field : {"shape", "dtype", "strides", "offset", "alias"}) {
      for (const Json& c : json["results"][k][field]) {
        text += fmt::format("  result {} {}: {}{}\n", k, field, form_words(c, rule.arguments),
                            condition_words(c["when"], rule.arguments));
      }
    }
  }
  if (!found.undecided.empty())
    text += fmt::format("  undecided: forms that agree on every example differ for ({}); a call like it would decide\n",
                        found.undecided);
  return text;
}

}  // namespace ersatz::tools
