// All metadata of a tensor as one value, which can be compared and can be a key of hash tables.
//
// Two tensors have equal records iff an op can distinguish them only by their values and their identity. Every stride
// is compared, whereas `diff` (runtime/tensor/meta_diff.h) ignores some. Symbolic sizes are equal if they are the same
// expression.
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
  std::optional<MemoryFormat> memory_format;  ///< the result of suggest_memory_format, if the tensor is contiguous in
                                              ///< that format; nullopt for symbolic sizes
  SymInt offset = 0;
  std::optional<SymInt> storage_bytes;  ///< none if sparse
  bool requires_grad = false;
  bool conj = false;
  bool neg = false;
  bool inference = false;
  // Both members are always false, because ersatz has no quantized or sparse tensors. If ersatz gets them, code that
  // uses records need not change.
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
