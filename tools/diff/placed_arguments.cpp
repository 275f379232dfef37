#include "tools/diff/placed_arguments.h"

#include <cstdint>

namespace ersatz::tools {

namespace {

/// Returns the argument, converted to the schema's type of `formal`. nullopt if it equals the default.
std::optional<PlacedArgument> read(const Program& p, const Argument& formal, const Arg& a) {
  PlacedArgument placed{&a, std::nullopt};
  if (a.kind != Arg::Kind::Literal && a.kind != Arg::Kind::None) return placed;
  Value v = a.kind == Arg::Kind::None ? Value() : p.literal(a);
  if (!v.is_none() && !convert_value(formal.type, v)) return placed;
  if (formal.default_value && v == *formal.default_value) return std::nullopt;
  placed.literal = std::move(v);
  return placed;
}

}  // namespace

std::map<ArgumentPlace, PlacedArgument> placed_arguments(const Program& p, const Node& n) {
  const OpEntry* const op = p.op(n).entry;
  const std::vector<Argument> none;
  const std::vector<Argument>& formals = op ? op->schema.arguments : none;
  std::map<ArgumentPlace, PlacedArgument> placed;
  size_t next = 0;
  for (const Arg& a : p.view(n.args)) {
    const std::string name(p.name(a.name));
    const int named = name.empty() || !op ? -1 : op->schema.find_argument(name);
    ArgumentPlace place{named >= 0 ? static_cast<size_t>(named) : name.empty() ? next++ : SIZE_MAX, ""};
    if (place.index >= formals.size()) {
      place.name = name;
      placed[place] = {&a, std::nullopt};
    } else if (std::optional<PlacedArgument> found = read(p, formals[place.index], a)) {
      placed[place] = std::move(*found);
    }
  }
  return placed;
}

std::string to_string(const ArgumentPlace& place) {
  return place.name.empty() ? std::to_string(place.index) : place.name;
}

}  // namespace ersatz::tools
