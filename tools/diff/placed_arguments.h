// A node's arguments by their position in the operator's schema. Positional and keyword arguments are not
// distinguished, and an argument that equals its default is left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct PlacedArgument {
  const Arg* arg = nullptr;
  /// A literal argument, converted to the schema's type (for example from the number of a dtype to the dtype). nullopt
  /// if the argument is no literal or the operator has no schema.
  std::optional<Value> literal;
};

/// The argument's position in the schema. If there is no schema, or the argument does not match it, a positional
/// argument has its position among positional arguments. A keyword argument then has its name. Names sort after all
/// positions.
struct ArgumentPlace {
  size_t index = 0;
  std::string name;
  auto operator<=>(const ArgumentPlace&) const = default;
};

/// Returns the arguments of `n` that differ from their defaults.
std::map<ArgumentPlace, PlacedArgument> placed_arguments(const Program& p, const Node& n);
std::string to_string(const ArgumentPlace& place);

}  // namespace ersatz::tools
