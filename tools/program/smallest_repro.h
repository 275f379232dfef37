// Finds the smallest program that shows a finding.
//
// The call of a finding is a one-node program (tools/output/repro.h). Three things are shrunk. Contents of storages
// become `made` if values do not matter, sizes become small, and optional arguments are left out. If the one call does
// not show the finding, all nodes that lead to it are taken, and delta debugging (Zeller's ddmin) removes those that
// are not needed. Each candidate is run, and kept only if it shows the finding.
#pragma once

#include <string>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// A smaller version of the one-call program; empty if it does not show the finding. `like`: as for shows_again.
std::string smallest_repro(const std::string& repro, const Finding& finding, const RunOptions& like);

/// A program of the nodes that show the finding together; empty if kMostTrials runs find none. Values from other nodes
/// are inputs with synthetic storages.
std::string smallest_slice(const Program& program, const Finding& finding, const RunOptions& like);
inline constexpr int kMostTrials = 60;

/// The call that makes the named value, as a program with synthetic inputs. Symbols are replaced by their examples, in
/// `program` too. RAISES InvalidArgument if no call makes the value, or if an argument has no record.
std::string program_of_node(Program& program, std::string_view name);

/// Makes the sizes of a program small, and its storages synthetic and as large as needed. Returns false if sizes cannot
/// be changed (symbols, overlapping layouts) or are small already; `program` is then unusable.
bool make_sizes_small(Program& program);
/// Replaces the bytes of that storage by synthetic ones.
void make_up(Program& program, uint32_t payload);

}  // namespace ersatz::tools
