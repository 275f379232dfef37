// The values of a program's inputs before it runs: parameters, buffers, constants and example inputs.
//
// A `Payload` is the bytes of one storage: in an archive, in a file, inline in a text, in a storage of this process, or
// missing. Missing bytes are replaced by synthetic ones from a seed. A `StoredTensor` is a tensor on a payload. Several
// stored tensors may have one payload: tied weights share a storage. Bytes are read on first use, so fake runs need
// none (W1).
//
// W1  Only `storage`, `tensor` and `same_bytes` read payload bytes.
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
  std::string path;         ///< Archive, File: an absolute path if it is on disk
  std::string entry;        ///< Archive: full name of the entry
  int64_t offset = 0;       ///< File
  std::string bytes;        ///< Inline
  std::optional<DType> as;  ///< Inline: dtype in which the text form writes the bytes; empty: hexadecimal
  std::shared_ptr<ZipArchive> archive;
  /// Live: the bytes when the payload was made. A later write to the storage copies them first.
  Ref<Storage> live = {};

  /// Returns a payload with the storage's bytes, or a synthetic one if the storage has none on the CPU.
  static Payload of(const Ref<Storage>& storage);
  /// Returns the bytes of an Inline or Live payload, an empty view for other kinds.
  std::string_view in_memory() const;
  /// Inline and Live payloads are equal if their bytes are.
  bool operator==(const Payload& o) const;
};

struct StoredTensor {
  std::string name;  ///< qualified name; with the seed it determines synthetic values
  uint32_t payload = 0;
  TensorMeta meta;  ///< its device is the CPU, whatever the recorded device is
};

class Weights {
 public:
  Weights();
  Weights(Weights&&) noexcept;
  Weights& operator=(Weights&&) noexcept;
  ~Weights();

  uint64_t seed = 0;  ///< for synthetic values

  uint32_t add_payload(Payload payload);
  /// Raises InvalidArgument if the tensor exceeds its payload. A synthetic payload grows instead.
  uint32_t add_tensor(StoredTensor tensor);

  const std::vector<Payload>& payloads() const;
  const std::vector<StoredTensor>& tensors() const;
  /// Returns the number of synthetic payloads.
  int synthetic() const;
  int64_t total_bytes() const;

  /// Returns the bytes, which are read once: every call returns the same storage.
  Ref<Storage> storage(uint32_t payload) const;
  Tensor tensor(uint32_t stored) const;
  /// Returns whether two payloads have equal bytes. Bytes of different sources are read. Synthetic payloads of one size
  /// are equal.
  static bool same_bytes(const Weights& a, uint32_t x, const Weights& b, uint32_t y);
  /// Forgets the storages, so the next use reads or generates the bytes again.
  void unload() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
