// Saves and loads named tensors, real or fake. Storages are shared in the file as they are in memory.
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
// The mode that is *active* on this thread decides the result of loading: under a fake mode fakes, under no mode (or in
// SuspendModes) real tensors. Files are not trusted: every refusal is an InvalidArgument of one line with file and
// place, and then no tensor is made.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

using NamedTensors = std::map<std::string, Tensor>;

struct LoadTensorsOptions {
  std::optional<Device> map_location;  ///< device of all loaded tensors; nullopt: the device from which each was saved
};

/// Writes the file. Active modes have no effect on this. After a failure there is no partial file. RAISES NotSupported
/// for symbolic sizes.
void save_tensors(const std::string& path, const NamedTensors& tensors);

/// Loads the tensors. RAISES NotSupported if real tensors are wanted from a file without bytes (saved from fakes),
/// unless `map_location` is meta.
NamedTensors load_tensors(const std::string& path, const LoadTensorsOptions& options = {});

}  // namespace ersatz
