// Tensors from storages that lie in a file: fakes under a fake mode, real ones otherwise.
//
// Used by whatever reads named tensors (tensor archives, weights of programs). The mode that is active when the loader
// is made decides. Tensors of one storage that go to one device share it. Fakes read no bytes, unless their mode
// carries real values beside them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "fake/mode/fake_mode.h"
#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Where the bytes come from. Storages are numbered.
class StorageSource {
 public:
  virtual ~StorageSource() = default;
  virtual int64_t nbytes(size_t storage) const = 0;
  /// Are there bytes to read? False for what was saved from a fake.
  virtual bool has_bytes(size_t storage) const = 0;
  /// Raises where the bytes do not fit what was promised, without reading them.
  virtual void check(size_t storage) const = 0;
  /// The bytes, on the CPU. The storage belongs to the caller alone, or is a lazy copy.
  virtual Ref<Storage> read(size_t storage) const = 0;
};

class TensorLoader {
 public:
  /// `file` is named in messages. REQUIRES: `source` outlives the loader.
  TensorLoader(std::string file, const StorageSource& source, const LoadTensorsOptions& options);

  /// Checks a tensor that will be made later: one that cannot be made is refused before any is made.
  void expect(const std::string& name, size_t storage, const TensorMeta& meta) const;
  Tensor make(size_t storage, TensorMeta meta);

 private:
  bool without_bytes(size_t storage, Device device) const;
  Device place(const TensorMeta& meta) const;
  Ref<Storage> real_storage(size_t storage, Device device);

  std::string file_;
  const StorageSource& source_;
  std::optional<Device> device_;
  std::optional<FakeMode> mode_;
  std::map<std::pair<size_t, std::pair<DeviceType, int>>, Ref<Storage>> fakes_, reals_;
};

}  // namespace ersatz
