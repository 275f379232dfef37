#include "tools/output/finding_json.h"

#include <nlohmann/json.hpp>

namespace ersatz::tools {

using Json = nlohmann::ordered_json;

namespace {

/// Parses a name with `parse`. RAISES InvalidArgument if the name is unknown.
template <class T>
T named(std::optional<T> (*parse)(std::string_view), const std::string& text) {
  const std::optional<T> value = parse(text);
  if (!value) fail_argument("'{}' is no name that findings use", text);
  return *value;
}

}  // namespace

Json to_json(const Finding& f) {
  return {{"node", f.node},
          {"op", f.op},
          {"result", f.result},
          {"field", name(f.field)},
          {"predicted", f.predicted},
          {"observed", f.observed},
          {"witness", name(f.witness)},
          {"verdict", f.verdict},
          {"words", f.words},
          {"cause", f.cause},
          {"source", f.source},
          {"args", f.args},
          {"repro", f.repro}};
}

Json to_json(std::span<const Finding> findings) {
  Json rows = Json::array();
  for (const Finding& f : findings) rows.push_back(to_json(f));
  return rows;
}

Finding finding_from_json(const Json& json) {
  Finding f;
  const auto read = [&](const char* key, auto& member) {
    if (const auto at = json.find(key); at != json.end()) at->get_to(member);
  };
  std::string field(name(f.field)), witness(name(f.witness));
  read("node", f.node);
  read("op", f.op);
  read("result", f.result);
  read("field", field);
  read("predicted", f.predicted);
  read("observed", f.observed);
  read("witness", witness);
  read("verdict", f.verdict);
  read("words", f.words);
  read("cause", f.cause);
  read("source", f.source);
  read("args", f.args);
  read("repro", f.repro);
  f.field = named(parse_finding_field, field);
  f.witness = named(parse_witness, witness);
  return f;
}

}  // namespace ersatz::tools
