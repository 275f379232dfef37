// The part of a program's graph around one of its nodes: for pictures of findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

struct Neighbour {
  std::string name, op, meta;  ///< of a graph input: no op; the metadata that were recorded of the first result
};

struct Surrounding {
  size_t finding = 0;  ///< its place in the report
  Neighbour node;
  std::vector<Neighbour> producers, users;  ///< the first kMostNeighbours of each
  size_t more_producers = 0, more_users = 0;
  static constexpr size_t kMostNeighbours = 6;
};

/// Around the node of that name. False where the program has none.
bool look_around(const Program& program, std::string_view node, Surrounding& found);

/// Around the first findings of the first causes.
std::vector<Surrounding> surroundings_of(const Program& program, std::span<const Finding> findings);

}  // namespace ersatz::tools
