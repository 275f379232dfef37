// Edits finished graphs: removes nodes, and moves nodes into nested graphs.
//
// Arguments and lists are changed in place. REQUIRES: no two nodes share an argument range or a list, which is true for
// graphs from loaders and the tracer.
#pragma once

#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// Replaces each value among the arguments, and in lists among the arguments, by `now[value]`. REQUIRES: no
/// `now[value]` is kNone.
void renumber(Program& program, ArgRange args, std::span<const ValueId> now);
void renumber(Program& program, Arg& arg, std::span<const ValueId> now);

/// Removes the nodes for which `taken` is true, and the values that they define. REQUIRES: no remaining node uses these
/// values.
void take_nodes(Program& program, Graph& graph, const std::vector<bool>& taken);

/// Removes dead nodes from all graphs. Returns how many were removed. A node is dead if its results are unused, and its
/// operator is known and neither writes, nor draws random numbers, nor checks anything.
size_t remove_dead_nodes(Program& program);

/// Moves the nodes [first, last) into a new nested graph `name`. Its inputs are the values that these nodes use, its
/// outputs are results that later nodes use. A new node of operator `op` takes their place. Its arguments are
/// `settings`, the nested graph, and the used values.
void wrap_nodes(Program& program, Graph& graph, NodeId first, NodeId last, std::string_view op,
                std::span<const Arg> settings, std::string_view name);

}  // namespace ersatz
