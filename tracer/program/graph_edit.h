// Changing graphs that are made already: taking nodes away, moving them into graphs of their own.
//
// A node's arguments and lists are its own here, as the loaders and the tracer make them: they are changed in place.
#pragma once

#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// Each value among the arguments, those in lists too, becomes `now[value]`. REQUIRES: none of them becomes kNone.
void renumber(Program& program, ArgRange args, std::span<const ValueId> now);
void renumber(Program& program, Arg& arg, std::span<const ValueId> now);

/// Takes the nodes away whose mark is set, with the values that they define. REQUIRES: nothing that stays uses them.
void take_nodes(Program& program, Graph& graph, const std::vector<bool>& taken);

/// Takes away the nodes that nothing needs, in all graphs: their results are not used, and they neither write, nor
/// draw random numbers, nor check anything, nor are they unknown. How many there were.
size_t remove_dead_nodes(Program& program);

/// Nodes [first, last) of a graph become a graph of their own, which takes what they use and returns what is used of
/// them; one node stands in their place. It is called `op` and has `settings` for its first arguments, then the graph,
/// then the values.
void wrap_nodes(Program& program, Graph& graph, NodeId first, NodeId last, std::string_view op,
                std::span<const Arg> settings, std::string_view name);

}  // namespace ersatz
