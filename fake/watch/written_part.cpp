#include "fake/watch/written_part.h"

#include <cstring>

#include "fake/watch/poison.h"

namespace ersatz {

int64_t keep_written(const Tensor& dense, const TensorMeta& meta, int64_t written) {
  const int64_t item = item_size(meta.dtype);
  std::byte* element = dense.storage()->data();
  int64_t kept = 0;
  for_each_element(meta, [&](int64_t at) {
    if (at + item <= written) {
      ++kept;
    } else {
      std::memset(element, 0, static_cast<size_t>(item));
    }
    element += item;
  });
  return kept;
}

}  // namespace ersatz
