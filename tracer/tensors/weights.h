// The stored values of a program's inputs: parameters, buffers, constants and example inputs.
//
// A `Payload` tells where the bytes of one storage are: in an archive, in a file, inline in a text, or in a storage of
// this process. If they are missing, synthetic bytes are made from a seed. A `StoredTensor` is a tensor on a payload.
// Several stored tensors may have one payload, because tied weights share a storage. Bytes are read on first use, so
// that fake runs read none (W1).
//
// W1  Only `storage`, `tensor` and `same_bytes` read bytes of payloads.
// W2  The extent of each stored tensor fits its payload (checked by add_tensor).
// Not thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

class ZipArchive;  // tracer/archive/zip_archive.h

struct Payload {
  enum class Kind : uint8_t { Archive, File, Inline, Live, Made };
  Kind kind = Kind::Made;
  int64_t nbytes = 0;
  std::string path;    ///< for Archive and File: the path, absolute if the program was loaded from disk
  std::string entry;   ///< for Archive: full name of the entry
  int64_t offset = 0;  ///< for File: offset of the bytes
  std::string bytes;   ///< for Inline: the bytes
  /// For Inline: the dtype in which the text form writes the bytes; nullopt: as hexadecimal digits.
  std::optional<DType> as;
  std::shared_ptr<ZipArchive> archive;
  /// For Live: the bytes at the time when the payload was made. If the storage is written later, they are copied first.
  Ref<Storage> live = {};

  /// Returns a payload with the storage's bytes. If the storage has no bytes on the CPU, the payload is synthetic.
  static Payload of(const Ref<Storage>& storage);
  /// Returns the bytes of an Inline or Live payload; empty for other kinds.
  std::string_view in_memory() const;
  /// Compares all members. Payloads of kind Inline and Live are equal if their bytes are.
  bool operator==(const Payload& o) const;
};

struct StoredTensor {
  std::string name;  ///< qualified name; synthetic values depend on it and on the seed
  uint32_t payload = 0;
  TensorMeta meta;  ///< its device is always the CPU, even if the recorded device is another one
};

class Weights {
 public:
  Weights();
  Weights(Weights&&) noexcept;
  Weights& operator=(Weights&&) noexcept;
  ~Weights();

  uint64_t seed = 0;  ///< seed of synthetic values

  uint32_t add_payload(Payload payload);
  /// Adds a stored tensor. RAISES InvalidArgument if the tensor extends beyond its payload. A synthetic payload grows
  /// instead.
  uint32_t add_tensor(StoredTensor tensor);

  const std::vector<Payload>& payloads() const;
  const std::vector<StoredTensor>& tensors() const;
  /// Returns how many payloads are synthetic.
  int synthetic() const;
  int64_t total_bytes() const;

  /// Returns the bytes. They are read once, and every call returns the same storage.
  Ref<Storage> storage(uint32_t payload) const;
  Tensor tensor(uint32_t stored) const;
  /// Returns whether two payloads have equal bytes. Bytes are read if the payloads have different sources. Synthetic
  /// payloads of equal size count as equal.
  static bool same_bytes(const Weights& a, uint32_t x, const Weights& b, uint32_t y);
  /// Drops the storages. The next use reads or generates the bytes again.
  void unload() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
