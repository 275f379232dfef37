// Finds the smallest program that shows a finding.
//
// The call of a finding is a one-node program (tools/output/repro.h). Three things are shrunk. Contents of storages
// become `made` (synthetic) if values do not matter, sizes become small, and optional arguments are left out. If the
// one call does not show the finding, all nodes that lead to it are taken, and delta debugging (Zeller's ddmin) removes
// nodes that are not needed. Each candidate is run, and kept only if it shows the finding.
#pragma once

#include <string>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// Returns a smaller version of the one-call program `repro`; empty if it does not show the finding. `like` has the
/// options of shows_again.
std::string smallest_repro(const std::string& repro, const Finding& finding, const RunOptions& like);

/// Returns a program of the nodes that are needed to show the finding; empty if kMostTrials runs find none. Values from
/// nodes that are left out become inputs with synthetic storages.
std::string smallest_slice(const Program& program, const Finding& finding, const RunOptions& like);
inline constexpr int kMostTrials = 60;

/// Returns a program with the call that makes the value `name`, on synthetic inputs. Symbols are replaced by their
/// example values, in `program` too. RAISES InvalidArgument if no call makes the value, or if an argument has no
/// recorded metadata.
std::string program_of_node(Program& program, std::string_view name);

/// Makes the sizes of a program small. Storages become synthetic and as large as needed. Returns false if the sizes
/// cannot be changed (symbols, overlapping layouts) or are small already; `program` is then unusable.
bool make_sizes_small(Program& program);
/// Replaces the bytes of storage number `payload` by synthetic ones.
void make_up(Program& program, uint32_t payload);

}  // namespace ersatz::tools
