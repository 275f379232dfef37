#include "fake/object/tensor_record.h"

#include <algorithm>

#include "runtime/tensor/layout.h"

namespace ersatz {

namespace {

bool are_identical(std::span<const SymInt> a, std::span<const SymInt> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](SymInt x, SymInt y) { return x.is_identical(y); });
}

class Hasher {
 public:
  void add(uint64_t v) { hash_ = (hash_ ^ v) * 0x9e3779b97f4a7c15u ^ (hash_ >> 29); }
  void add(std::span<const SymInt> v) {
    add(v.size());
    for (SymInt s : v) add(static_cast<uint64_t>(s.word()));
  }
  size_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace

bool TensorRecord::operator==(const TensorRecord& o) const {
  const bool same_bytes = storage_bytes.has_value() == o.storage_bytes.has_value() &&
                          (!storage_bytes || storage_bytes->is_identical(*o.storage_bytes));
  return dtype == o.dtype && are_identical(shape, o.shape) && are_identical(stride, o.stride) && device == o.device &&
         layout == o.layout && memory_format == o.memory_format && offset.is_identical(o.offset) && same_bytes &&
         requires_grad == o.requires_grad && conj == o.conj && neg == o.neg && inference == o.inference &&
         quantized == o.quantized && sparse == o.sparse && coalesced == o.coalesced && dense_dim == o.dense_dim &&
         sparse_dim == o.sparse_dim;
}

size_t TensorRecord::hash() const {
  Hasher h;
  h.add(static_cast<uint64_t>(dtype) | uint64_t(device.type) << 8 | uint64_t(uint8_t(device.index)) << 16 |
        uint64_t(requires_grad) << 24 | uint64_t(conj) << 25 | uint64_t(neg) << 26 | uint64_t(inference) << 27);
  h.add(shape);
  h.add(stride);
  h.add(static_cast<uint64_t>(offset.word()));
  if (storage_bytes) h.add(static_cast<uint64_t>(storage_bytes->word()));
  return h.value();
}

TensorRecord record_of(const Tensor& t) {
  const TensorMeta& m = t.meta();
  TensorRecord r;
  r.dtype = m.dtype;
  r.shape.assign(m.sizes.begin(), m.sizes.end());
  r.stride.assign(m.strides.begin(), m.strides.end());
  r.device = m.device;
  if (!m.is_symbolic()) {  // sizes and strides imply the format, so records without it still distinguish all tensors
    const MemoryFormat format = suggest_memory_format(m);
    if (is_contiguous(m, format)) r.memory_format = format;
  }
  r.offset = m.offset;
  r.storage_bytes = t.storage()->nbytes();
  r.requires_grad = m.requires_grad;
  r.conj = m.conj;
  r.neg = m.neg;
  r.inference = m.inference;
  return r;
}

}  // namespace ersatz
