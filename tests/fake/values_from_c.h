// Makes values of the C interface (fake/ask/ask.h) for tests. Text describes the metadata of tensors.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "fake/ask/ask.h"
#include "runtime/plugin/codes.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Owns the memory that the values point to.
class ToldValues {
 public:
  /// `storage` is the number of the tensor's storage. With 0 the tensor gets a storage of its own.
  ErsatzTensorMeta& meta(std::string_view text, uint64_t storage = 0) {
    const TensorMeta m = parse_meta(text);
    ErsatzTensorMeta& t = metas_.emplace_back();
    t.dtype = to_c(m.dtype);
    t.device = to_c(m.device);
    t.ndim = static_cast<int32_t>(m.dim());
    t.sizes = ints(m.sizes);
    t.strides = ints(m.strides);
    t.offset = m.offset.as_int();
    t.flags = m.conj ? ERSATZ_CONJ : 0;
    t.object = metas_.size();
    t.storage = storage ? storage : 100 + metas_.size();
    t.storage_bytes = storage_bytes_needed(m).as_int();
    return t;
  }
  ErsatzValue tensor(std::string_view text) { return of(meta(text)); }
  static ErsatzValue of(const ErsatzTensorMeta& meta) {
    ErsatzValue v = {ERSATZ_TENSOR, 0, {}};
    v.as.meta = &meta;
    return v;
  }
  static ErsatzValue integer(int64_t n) {
    ErsatzValue v = {ERSATZ_INT, 0, {}};
    v.as.integer = n;
    return v;
  }
  static ErsatzValue number(double n) {
    ErsatzValue v = {ERSATZ_FLOAT, 0, {}};
    v.as.number[0] = n;
    return v;
  }
  static ErsatzValue kind(int kind, uint32_t length = 0) { return {kind, length, {}}; }
  ErsatzValue integers(std::vector<int64_t> n) {
    ErsatzValue v = kind(ERSATZ_INT_LIST, static_cast<uint32_t>(n.size()));
    v.as.integers = ints_.emplace_back(std::move(n)).data();
    return v;
  }
  ErsatzValue list(std::vector<ErsatzValue> items) {
    ErsatzValue v = kind(ERSATZ_LIST, static_cast<uint32_t>(items.size()));
    v.as.items = items_.emplace_back(std::move(items)).data();
    return v;
  }

 private:
  const int64_t* ints(std::span<const SymInt> from) {
    std::vector<int64_t>& to = ints_.emplace_back();
    for (const SymInt i : from) to.push_back(i.as_int());
    return to.data();
  }

  std::deque<ErsatzTensorMeta> metas_;
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<ErsatzValue>> items_;
};

}  // namespace ersatz
