// Named tensors in a file, real or fake, storages shared as in memory.
//
//   save_tensors("weights.ersatz", {{"fc.weight", w}, {"fc.bias", b}});
//   {
//     FakeScope scope(mode);
//     NamedTensors fakes = load_tensors("weights.ersatz");   // fakes of `mode`; no weight byte is read
//   }
//   NamedTensors reals = load_tensors("weights.ersatz");
//
// The file is a ZIP: an index (tracer/tensors/tensor_index.h) and an entry for the bytes of each storage,
// little-endian. Two names of one tensor, and tensors that are views of one storage, come back as such; a parameter
// comes back as one. A fake is saved without bytes; what a fake knows of its value is not kept.
//
// What loading makes is decided by the mode that is *active* on this thread: under a fake mode fakes, under none (or
// SuspendModes) real tensors. A mode that is not active decides nothing.
// Files are hostile: every refusal is one InvalidArgument line with file and place, and then nothing was made.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

using NamedTensors = std::map<std::string, Tensor>;

struct LoadTensorsOptions {
  std::optional<Device> map_location;  ///< where all tensors go; empty: where each was saved from
};

/// The file appears whole or not at all. It does not depend on modes. Symbolic sizes are NotSupported.
void save_tensors(const std::string& path, const NamedTensors& tensors);

/// Real tensors of a file that holds no bytes (it was saved from fakes) are NotSupported, unless they go to meta.
NamedTensors load_tensors(const std::string& path, const LoadTensorsOptions& options = {});

}  // namespace ersatz
