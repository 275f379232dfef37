// A node's arguments where its operator's schema has them: whether one was given by place or by name is no difference,
// nor is a default that is spelled out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct PlacedArgument {
  const Arg* arg = nullptr;
  /// What it is as the schema converts it (the number of a dtype is the dtype), where it is a literal of an operator
  /// that has a schema.
  std::optional<Value> literal;
};

/// The place in the schema. Where there is none, or the argument does not fit into it: the place among those given by
/// place, or behind all of them the name.
struct ArgumentPlace {
  size_t index = 0;
  std::string name;
  auto operator<=>(const ArgumentPlace&) const = default;
};

/// Those that are there: what equals the schema's default is not.
std::map<ArgumentPlace, PlacedArgument> placed_arguments(const Program& p, const Node& n);
std::string to_string(const ArgumentPlace& place);

}  // namespace ersatz::tools
