// Makes tensors from storages in a file: fakes under a fake mode, real tensors otherwise.
//
// Tensor archives and weights of programs use a TensorLoader. The mode that is active when the loader is constructed
// decides. Tensors with one storage and one device share the storage. No bytes are read for fakes, unless their mode
// carries real values.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "fake/mode/fake_mode.h"
#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Gives a TensorLoader the bytes of storages, which have numbers.
class StorageSource {
 public:
  virtual ~StorageSource() = default;
  virtual int64_t nbytes(size_t storage) const = 0;
  /// Returns whether the storage has bytes. A storage that was saved from a fake has none.
  virtual bool has_bytes(size_t storage) const = 0;
  /// RAISES InvalidArgument if the bytes do not have the declared size. Reads no bytes.
  virtual void check(size_t storage) const = 0;
  /// Returns the bytes on the CPU. Only the caller owns the storage, or it is a lazy copy.
  virtual Ref<Storage> read(size_t storage) const = 0;
};

class TensorLoader {
 public:
  /// `file` is the name in error messages. REQUIRES: `source` outlives the loader.
  TensorLoader(std::string file, const StorageSource& source, const LoadTensorsOptions& options);

  /// Checks a tensor that will be made. All tensors are checked first, so that no tensor is made from a file with a bad
  /// one.
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
