// Named tensors in a file, real or fake, storages shared as in memory.
//
//   save_tensors("weights.ersatz", {{"fc.weight", w}, {"fc.bias", b}});
//   {
//     FakeScope scope(mode);
//     NamedTensors fakes = load_tensors("weights.ersatz");   // fakes of `mode`; no weight byte is read
//   }
//   NamedTensors reals = load_tensors("weights.ersatz");
//
// The file is a ZIP of an index (tracer/tensors/tensor_index.h) and an entry with the bytes of each storage,
// little-endian. Loading restores two names of one tensor, views of one storage, and parameters. A fake is saved
// without bytes, and values that the fake knows are not saved.
//
// The mode that is *active* on this thread decides the result of loading: fakes under a fake mode, real tensors under
// none (or SuspendModes).
// Files are hostile: every refusal is an InvalidArgument of one line with file and place, and no tensor is made then.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

using NamedTensors = std::map<std::string, Tensor>;

struct LoadTensorsOptions {
  std::optional<Device> map_location;  ///< device of all tensors; empty: the device from which each was saved
};

/// Writes the file whole or not at all, independent of modes. Symbolic sizes raise NotSupported.
void save_tensors(const std::string& path, const NamedTensors& tensors);

/// Raises NotSupported for real tensors of a file without bytes (saved from fakes), unless `map_location` is meta.
NamedTensors load_tensors(const std::string& path, const LoadTensorsOptions& options = {});

}  // namespace ersatz
