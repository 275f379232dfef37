// The smallest program that shows a finding.
//
// A finding's call is a program of one node already (tools/output/repro.h). Made smaller are what its storages hold
// (`made` where the values do not matter), the sizes of its tensors (each extent becomes a small one, dense layouts
// keep the order of their dims), and the arguments that may be left out. Where the one call does not show the
// finding, the nodes that lead to it are taken together, and those that it does not need are taken out again by delta
// debugging (Zeller's ddmin). Each candidate is run; only what shows the finding again is kept.
#pragma once

#include <string>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// The program of one call, smaller; empty where it does not show the finding. `like`: as shows_again takes it.
std::string smallest_repro(const std::string& repro, const Finding& finding, const RunOptions& like);

/// Nodes of the program that show the finding together; empty where none do within kMostTrials runs. The values that
/// they take from elsewhere are inputs whose storages are made up.
std::string smallest_slice(const Program& program, const Finding& finding, const RunOptions& like);
inline constexpr int kMostTrials = 60;

/// The call that makes the value of that name, as a program of its own whose inputs are made up; symbols become their
/// examples, in `program` too. InvalidArgument where no call makes it, or nothing is recorded of an argument.
std::string program_of_node(Program& program, std::string_view name);

/// Gives a program small sizes, and storages that are as large as these need and made up. False where its sizes cannot
/// be changed (symbols, layouts that overlap) or are small: the program is then not to be used.
bool make_sizes_small(Program& program);
/// The bytes of that storage are made up.
void make_up(Program& program, uint32_t payload);

}  // namespace ersatz::tools
