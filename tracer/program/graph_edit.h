// Edits finished graphs: removes nodes, and moves nodes into nested graphs.
//
// Arguments and lists are changed in place. No two nodes may share them; loaders and the tracer make none that do.
#pragma once

#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// Replaces each value among the arguments and in their lists by `now[value]`. REQUIRES: no `now[value]` is kNone.
void renumber(Program& program, ArgRange args, std::span<const ValueId> now);
void renumber(Program& program, Arg& arg, std::span<const ValueId> now);

/// Removes the nodes whose mark is set, and the values that they define. REQUIRES: no remaining node uses these values.
void take_nodes(Program& program, Graph& graph, const std::vector<bool>& taken);

/// Removes dead nodes from all graphs and returns their number. A node is dead if its results are unused and it is a
/// known operator that neither writes, nor draws random numbers, nor checks anything.
size_t remove_dead_nodes(Program& program);

/// Moves nodes [first, last) into a new nested graph `name`. Its inputs are the values that the nodes use, and its
/// outputs are the results that later nodes use. One node of the operator `op` replaces them. Its arguments are
/// `settings`, the graph, and the values.
void wrap_nodes(Program& program, Graph& graph, NodeId first, NodeId last, std::string_view op,
                std::span<const Arg> settings, std::string_view name);

}  // namespace ersatz
