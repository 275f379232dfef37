// The table of contents of a tensor archive: `index.json`.
//
//   {"format": "ersatz tensors", "version": 1,
//    "storages": [{"device": "cpu", "bytes": 24, "data": "storages/0"}, ...],   "data": null where there are no bytes
//    "tensors": [{"names": ["fc.weight"], "meta": "f32[2,3]{3,1}+0@cpu grad", "storage": 0, "parameter": true}, ...]}
//
// Tensors on one storage have its number. If one tensor object has several names, they are in one row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

inline constexpr const char* kTensorIndexEntry = "index.json";

struct SavedStorage {
  Device device = kCPU;
  int64_t nbytes = 0;
  std::string data;  ///< name of the archive's entry with the bytes; empty: there are no bytes
};

struct SavedTensor {
  std::vector<std::string> names;
  TensorMeta meta;
  size_t storage = 0;
  bool parameter = false;
};

struct TensorIndex {
  std::vector<SavedStorage> storages;
  std::vector<SavedTensor> tensors;
};

std::string print_tensor_index(const TensorIndex& index);

/// Parses an index from a file that is not trusted. RAISES InvalidArgument, with one line that has `file` and the
/// place. In the result all storages exist, every tensor fits its storage and is on its device, and names are unique.
TensorIndex parse_tensor_index(std::string_view text, const std::string& file);

}  // namespace ersatz
