// The part of a program's graph around one node, for pictures of findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

struct Neighbour {
  std::string name, op, meta;  ///< empty op for a graph input; the recorded metadata of the first result
};

struct GraphNeighbourhood {
  size_t finding = 0;  ///< index of the finding in the report
  Neighbour node;
  std::vector<Neighbour> producers, users;  ///< the first kMostNeighbours of each
  size_t more_producers = 0, more_users = 0;
  static constexpr size_t kMostNeighbours = 6;
};

/// Finds the neighbours of the named node. Returns false if the program does not have the node.
bool find_neighbours(const Program& program, std::string_view node, GraphNeighbourhood& found);

/// Neighbours of the first finding of each of the first causes.
std::vector<GraphNeighbourhood> neighbourhoods_of(const Program& program, std::span<const Finding> findings);

}  // namespace ersatz::tools
