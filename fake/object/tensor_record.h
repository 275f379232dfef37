// All that is known of a tensor without its data, as one value to compare and to key tables with.
//
// Two tensors have equal records iff nothing that an op can see of them, values and identity aside, tells them apart.
// Unlike `diff` (runtime/tensor/meta_diff.h) no stride is insignificant here. Symbolic sizes are equal where
// they are the same expression.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

struct TensorRecord {
  DType dtype = DType::F32;
  std::vector<SymInt> shape;
  std::vector<SymInt> stride;  ///< empty if not strided
  Device device = kCPU;
  Layout layout = Layout::Strided;
  std::optional<MemoryFormat> memory_format;  ///< the suggested one, if contiguous in it; none for symbols
  SymInt offset = 0;
  std::optional<SymInt> storage_bytes;  ///< none if sparse
  bool requires_grad = false;
  bool conj = false;
  bool neg = false;
  bool inference = false;
  // What no tensor here is yet: fixed, and part of the record so that its readers need not change when some are.
  bool quantized = false;
  bool sparse = false;
  std::optional<bool> coalesced;
  std::optional<int64_t> dense_dim, sparse_dim;

  bool operator==(const TensorRecord& o) const;
  size_t hash() const;
};

TensorRecord record_of(const Tensor& t);

}  // namespace ersatz

template <>
struct std::hash<ersatz::TensorRecord> {
  size_t operator()(const ersatz::TensorRecord& r) const { return r.hash(); }
};
