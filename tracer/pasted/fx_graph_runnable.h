// Reads the inputs in scripts that PyTorch writes to run a graph again: fx_graph_runnable.py, and launchers and repros
// of the minifier.
//
//   s23 = 3
//   class Repro(torch.nn.Module): ...                                       the graph, without annotations
//   def load_args(reader):
//       buf0 = reader.storage(None, 3200, device=device(type='cuda', index=0))
//       reader.tensor(buf0, (s23, 16), (1, s23), dtype=torch.int64)         its inputs, in order
//       reader.symint(3, expr='s27')
#pragma once

#include "tracer/pasted/fx_graph.h"

namespace ersatz::pasted {

/// Reads the inputs and symbols of a graph from `lines`, which surround it in the script. Skips lines of other kinds. A
/// wrong line that describes an input is listed in `unread`.
void read_load_args(std::span<const CleanLine* const> lines, GraphHints& hints, std::vector<Unread>& unread);

}  // namespace ersatz::pasted
