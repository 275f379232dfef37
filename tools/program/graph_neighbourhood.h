// Finds the part of a program's graph around one node, for pictures of findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

struct Neighbour {
  /// `op` is empty for a graph input; `meta` has the recorded metadata of the first result.
  std::string name, op, meta;
};

struct GraphNeighbourhood {
  size_t finding = 0;  ///< index in the report of the finding about this node
  Neighbour node;
  std::vector<Neighbour> producers, users;  ///< at most kMostNeighbours each
  size_t more_producers = 0, more_users = 0;
  static constexpr size_t kMostNeighbours = 6;
};

/// Finds the producers and users of the node with this name. Returns false if the program does not have the node.
bool find_neighbours(const Program& program, std::string_view node, GraphNeighbourhood& found);

/// Returns the neighbours of the first finding of each of the first causes.
std::vector<GraphNeighbourhood> neighbourhoods_of(const Program& program, std::span<const Finding> findings);

}  // namespace ersatz::tools
