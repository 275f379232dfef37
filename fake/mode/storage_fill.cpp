#include "fake/mode/storage_fill.h"

#include <algorithm>
#include <cstring>

#include "fake/watch/poison.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/tensor/generator.h"

namespace ersatz {
namespace {

template <class T>
void fill_elements(Storage& storage, DType dtype, Fill fill, uint64_t seed) {
  T* data = reinterpret_cast<T*>(storage.data());
  const int64_t n = storage.nbytes().as_int() / static_cast<int64_t>(sizeof(T));
  const bool fractions = !is_integral(dtype);
  for (int64_t i = 0; i < n; ++i) {
    double re = 1, im = 0;
    if (fill == Fill::Ramp) re = dtype == DType::Bool ? static_cast<double>(i & 1) : static_cast<double>(i % 7);
    if (fill == Fill::Random) {
      const auto words = philox_4x32_10(seed, static_cast<uint64_t>(i));
      const auto unit = [](uint32_t w) { return static_cast<double>(w >> 8) * (2.0 / (1 << 24)) - 1.0; };
      re = fractions ? unit(words[0]) : static_cast<double>(words[0] % (dtype == DType::Bool ? 2 : 8));
      im = unit(words[1]);
    }
    data[i] = element_of<T>(re, im);
  }
}

}  // namespace

void fill_storage(Storage& storage, DType dtype, Fill fill, uint64_t seed) {
  const auto bytes = static_cast<size_t>(storage.nbytes().as_int());
  if (bytes == 0) return;
  std::memset(storage.data(), 0, bytes);
  if (fill == Fill::Zeros || fill == Fill::Identity || fill == Fill::Sample) return;
  dispatch_dtype<kEveryDType>(dtype, [&]<class T>() { fill_elements<T>(storage, dtype, fill, seed); });
}

namespace {

template <class T>
void write_identity(Storage& storage, const TensorMeta& meta) {
  TensorMeta diagonal = meta;
  if (meta.dim() >= 2) {
    const size_t row = meta.sizes.size() - 2, column = row + 1;
    diagonal.sizes[row] = std::min(meta.sizes[row].as_int(), meta.sizes[column].as_int());
    diagonal.strides[row] = meta.strides[row] + meta.strides[column];
    diagonal.sizes.resize(column);
    diagonal.strides.resize(column);
  }
  for_each_element(diagonal, [&](int64_t at) { *reinterpret_cast<T*>(storage.data() + at) = element_of<T>(1, 0); });
}

template <class T>
void write_indices(Storage& storage, const TensorMeta& meta, int64_t bound, Fill fill, uint64_t seed) {
  int64_t i = 0;
  for_each_element(meta, [&](int64_t at) {
    int64_t v = i++;
    if (fill == Fill::Zeros) v = 0;
    if (fill == Fill::Ones) v = 1;
    if (fill == Fill::Random) v = static_cast<int64_t>(philox_4x32_10(seed, static_cast<uint64_t>(v))[0]);
    *reinterpret_cast<T*>(storage.data() + at) = static_cast<T>(bound > 0 ? v % bound : 0);
  });
}

}  // namespace

void fill_identity(Storage& storage, const TensorMeta& meta) {
  dispatch_dtype<kEveryDType>(meta.dtype, [&]<class T>() { write_identity<T>(storage, meta); });
}

void fill_indices(Storage& storage, const TensorMeta& meta, int64_t bound, Fill fill, uint64_t seed) {
  // The element type must be able to hold every index, so a narrow type reduces the bound.
  if (const int64_t bits = 8 * item_size(meta.dtype); bits < 64) bound = std::min(bound, int64_t(1) << (bits - 1));
  dispatch_dtype<kIntegers | kWideUnsigned>(meta.dtype,
                                            [&]<class T>() { write_indices<T>(storage, meta, bound, fill, seed); });
}

}  // namespace ersatz
