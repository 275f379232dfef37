// Makes tensors from storages in a file: fakes under a fake mode, real tensors otherwise.
//
// Tensor archives and weights of programs use it. The mode that is active when the loader is made decides. Tensors of
// one storage on one device share it. Fakes read no bytes, unless their mode carries real values.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "fake/mode/fake_mode.h"
#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// The source of the bytes. Storages have numbers.
class StorageSource {
 public:
  virtual ~StorageSource() = default;
  virtual int64_t nbytes(size_t storage) const = 0;
  /// Returns whether the storage has bytes to read. A storage that was saved from a fake has none.
  virtual bool has_bytes(size_t storage) const = 0;
  /// Raises if the bytes do not have the declared size. Reads none of them.
  virtual void check(size_t storage) const = 0;
  /// Returns the bytes on the CPU, in a storage that only the caller owns or in a lazy copy.
  virtual Ref<Storage> read(size_t storage) const = 0;
};

class TensorLoader {
 public:
  /// Messages name `file`. REQUIRES: `source` outlives the loader.
  TensorLoader(std::string file, const StorageSource& source, const LoadTensorsOptions& options);

  /// Checks a tensor that `make` will be called for. A file with a bad tensor is so refused before any tensor is made.
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
