#include "tracer/records/recorded_values.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "fake/mode/index_bounds.h"
#include "fake/mode/storage_fill.h"
#include "fake/watch/poison.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "tracer/archive/json_stream.h"
#include "tracer/records/call_record.h"

namespace ersatz {
namespace {

double real_number(const JsonView& v) {
  if (!v.is_string()) return v.number();
  double d = 0;
  if (!parse_special(v.string(), d)) v.refuse("'{}' is no number", v.string());
  return d;
}

template <class T>
T element(const JsonView& v) {
  if constexpr (std::is_same_v<T, bool>) {
    return v.boolean();
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return v.unsigned_integer();
  } else if constexpr (std::is_integral_v<T>) {
    const int64_t n = v.integer();
    if (n < std::numeric_limits<T>::min() || n > std::numeric_limits<T>::max()) v.refuse("{} is out of range", n);
    return static_cast<T>(n);
  } else if constexpr (is_complex_element<T> || is_packed_element<T>) {
    if (!v.is_array()) return element_of<T>(real_number(v));
    if (v.size() != 2)
      v.refuse(is_complex_element<T> ? "a complex number is [re, im]" : "a packed element is [low, high]");
    return element_of<T>(real_number(v.item(0)), real_number(v.item(1)));
  } else {
    return element_of<T>(real_number(v));
  }
}

/// Returns the element that has to be in memory so that a tensor with these conj and neg bits has the value `v`.
/// Conjugation and negation are their own inverses, so it also returns the value of the stored element `v`.
template <class T>
T stored(T v, const TensorMeta& meta) {
  if (!meta.conj && !meta.neg) return v;
  const std::complex<double> z = number_in(v);
  if constexpr (is_complex_element<T>) {
    const double sign = meta.neg ? -1 : 1;
    v = element_of<T>(sign * z.real(), (meta.conj ? -sign : sign) * z.imag());
  } else if constexpr (!std::is_integral_v<T>) {
    if (meta.neg) v = element_of<T>(-z.real(), -z.imag());
  }
  return v;
}

}  // namespace

bool parse_special(std::string_view text, double& value) {
  if (text == "nan") return value = std::numeric_limits<double>::quiet_NaN(), true;
  if (text != "inf" && text != "-inf") return false;
  value = text[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  return true;
}

std::vector<std::byte> parse_values(const JsonView& list, const TensorMeta& meta) {
  const int64_t n = meta.numel().as_int();
  if (static_cast<int64_t>(list.size()) != n) list.refuse("{} values for {} elements", list.size(), n);
  std::vector<std::byte> bytes(list.size() * static_cast<size_t>(item_size(meta.dtype)));
  dispatch_dtype<kEveryDType>(meta.dtype, [&]<class T>() {
    for (size_t i = 0; i < list.size(); ++i) {
      const T v = element<T>(list.item(i));
      std::memcpy(bytes.data() + i * sizeof(T), &v, sizeof(T));
    }
  });
  return bytes;
}

std::vector<std::byte> parse_bytes(const JsonView& hex, const TensorMeta& meta) {
  const std::string_view digits = hex.string();
  const auto n = static_cast<size_t>(meta.numel().as_int() * item_size(meta.dtype));
  if (digits.size() != 2 * n) hex.refuse("{} hexadecimal digits for {} bytes", digits.size(), n);
  const auto digit = [&](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    hex.refuse("'{}' is no hexadecimal digit", c);
  };
  std::vector<std::byte> bytes(n);
  for (size_t i = 0; i < n; ++i)
    bytes[i] = static_cast<std::byte>(digit(digits[2 * i]) * 16 + digit(digits[2 * i + 1]));
  return bytes;
}

void write_values(std::span<const std::byte> values, const Tensor& to) {
  const TensorMeta& meta = to.meta();
  dispatch_dtype<kEveryDType>(meta.dtype, [&]<class T>() {
    const std::byte* from = values.data();
    for_each_element(meta, [&](int64_t at) {
      T v;
      std::memcpy(&v, from, sizeof(T));
      v = stored(v, meta);
      std::memcpy(to.storage()->data() + at, &v, sizeof(T));
      from += sizeof(T);
    });
  });
}

Tensor recorded_values(const RecordedTensor& recorded, const TensorMeta& like) {
  TensorMeta meta(like.dtype, like.sizes);
  meta.conj = like.conj;
  meta.neg = like.neg;
  Tensor t = make_real_tensor(std::move(meta));
  write_values(recorded.values, t);
  return t;
}

bool fill_unrecorded(const CallRecord& record, std::span<const Tensor> tensors, const OpEntry& op,
                     std::span<const Value> args, uint64_t seed) {
  struct Bytes {
    Storage* storage;
    DType dtype;
    bool recorded = false, one_dtype = true;
  };
  std::vector<Bytes> storages;  // in the order of the arguments
  for (size_t k = 0; k < tensors.size(); ++k) {
    Storage* const storage = tensors[k].storage().get();
    auto it = std::find_if(storages.begin(), storages.end(), [&](const Bytes& b) { return b.storage == storage; });
    if (it == storages.end()) it = storages.insert(it, {storage, tensors[k].dtype()});
    it->recorded |= record.tensors[k].has_values;
    it->one_dtype &= it->dtype == tensors[k].dtype();
  }
  std::erase_if(storages, [](const Bytes& b) { return b.recorded || b.storage->nbytes().as_int() == 0; });
  const Fill fill = op.fill == Fill::Zeros ? Fill::Random : op.fill;
  const auto seed_of = [&](size_t i) { return seed * 1000003 + i + 1; };
  for (size_t i = 0; i < storages.size(); ++i) {
    if (storages[i].one_dtype) fill_storage(*storages[i].storage, storages[i].dtype, fill, seed_of(i));
  }
  const auto filled = [&](const TensorImpl* t) {
    return std::find_if(storages.begin(), storages.end(),
                        [&](const Bytes& b) { return b.one_dtype && b.storage == t->storage.get(); });
  };
  if (fill == Fill::Identity) {
    for (const Tensor& t : tensors) {
      if (filled(t.impl()) != storages.end()) fill_identity(*t.storage(), t.meta());
    }
  }
  for (const auto& [index, bound] : index_bounds(op, args)) {
    const auto it = filled(index);
    if (it == storages.end()) continue;
    fill_indices(*it->storage, index->meta, bound, fill, seed_of(static_cast<size_t>(it - storages.begin())));
  }
  return !storages.empty();
}

}  // namespace ersatz
