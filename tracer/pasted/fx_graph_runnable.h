// Reads the inputs from scripts that PyTorch writes to run a graph again: fx_graph_runnable.py, and launchers and
// repros of the minifier.
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

/// Reads inputs and symbols of a graph from `lines`, the lines of the script around the graph. Lines that describe no
/// input are skipped. A malformed line that describes an input is added to `unread`.
void read_load_args(std::span<const CleanLine* const> lines, GraphHints& hints, std::vector<Unread>& unread);

}  // namespace ersatz::pasted
