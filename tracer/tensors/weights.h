// What a program's inputs hold before it runs: parameters, buffers, constants and example inputs.
//
// A `Payload` is the bytes of one storage, wherever they are: in an archive, in a file, inline in a text, in a storage
// of this process, or nowhere (then they are made up, seeded). A `StoredTensor` is a tensor on a payload. Several
// stored tensors may name one payload: tied weights share one storage. Bytes are read on first use, so fake runs need
// none (W1).
//
// W1  Nothing here reads payload bytes before `storage` or `tensor` is called.
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
  std::string path;         ///< Archive, File: absolute where it is on disk
  std::string entry;        ///< Archive: full name inside
  int64_t offset = 0;       ///< File
  std::string bytes;        ///< Inline
  std::optional<DType> as;  ///< Inline: how the text form spells the bytes; empty: as hex
  std::shared_ptr<ZipArchive> archive;
  /// Live: the bytes as they were when the payload was made. They are copied when somebody writes them.
  Ref<Storage> live = {};

  /// The bytes of a storage; made up where it has none on the CPU.
  static Payload of(const Ref<Storage>& storage);
  /// The bytes that are in memory; empty of the other kinds.
  std::string_view in_memory() const;
  /// Inline and live ones are equal where their bytes are.
  bool operator==(const Payload& o) const;
};

struct StoredTensor {
  std::string name;  ///< qualified name; decides made-up values, with the seed
  uint32_t payload = 0;
  TensorMeta meta;  ///< on the CPU, whatever the recorded device is
};

class Weights {
 public:
  Weights();
  Weights(Weights&&) noexcept;
  Weights& operator=(Weights&&) noexcept;
  ~Weights();

  uint64_t seed = 0;  ///< for made-up values

  uint32_t add_payload(Payload payload);
  /// Raises InvalidArgument where the tensor leaves its payload; a made-up payload grows to hold it.
  uint32_t add_tensor(StoredTensor tensor);

  const std::vector<Payload>& payloads() const;
  const std::vector<StoredTensor>& tensors() const;
  /// How many payloads are made up for want of bytes.
  int made_up() const;
  int64_t total_bytes() const;

  /// The bytes, read once: the same storage on every call.
  Ref<Storage> storage(uint32_t payload) const;
  Tensor tensor(uint32_t stored) const;
  /// Do two payloads hold the same bytes, wherever they lie? They are read where they lie at different places. What is
  /// made up is equal to what is made up, of the same size.
  static bool same_bytes(const Weights& a, uint32_t x, const Weights& b, uint32_t y);
  /// Forgets the storages, so that the next use reads (or makes) the bytes afresh.
  void unload() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
