#include "runtime/op/sample.h"

#include <cmath>
#include <cstring>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

namespace {

void resize_first_dim(TensorMeta& meta, int64_t size) {
  meta.sizes[0] = size;
  meta.strides = contiguous_strides(meta.sizes);
  meta.offset = 0;
}

/// Returns the random number in [0, 1) that has index `counter` in the stream of `seed`.
double uniform(uint64_t seed, uint64_t counter) {
  auto words = philox_4x32_10(seed, counter);
  return static_cast<double>((uint64_t(words[0]) << 32 | words[1]) >> 11) * 0x1p-53;
}

template <class T>
T random_element(double low, double high, uint64_t seed, uint64_t i) {
  if constexpr (std::is_same_v<T, bool>) {
    return uniform(seed, i) < 0.5;
  } else if constexpr (std::is_integral_v<T>) {
    double first = std::ceil(std::max(low, static_cast<double>(std::numeric_limits<T>::min())));
    double last =
        std::floor(std::min(high, sizeof(T) == 8 ? 0x1p62 : static_cast<double>(std::numeric_limits<T>::max())));
    return static_cast<T>(first + std::floor(uniform(seed, i) * std::max(last - first + 1, 1.0)));
  } else if constexpr (is_complex_element<T> || is_packed_element<T>) {
    double re = low + (high - low) * uniform(seed, 2 * i), im = low + (high - low) * uniform(seed, 2 * i + 1);
    return element_of<T>(re, im);
  } else {
    return element_of<T>(low + (high - low) * uniform(seed, i));
  }
}

template <class T>
void fill_elements(const Tensor& t, double low, double high, uint64_t seed) {
  std::span<const int64_t> sizes = as_ints(t.sizes()), strides = as_ints(t.strides());
  int64_t n = t.numel().as_int();
  T* base = t.data<T>();
  InlineVec<int64_t, 8> index(sizes.size(), 0);
  int64_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    base[at] = random_element<T>(low, high, seed, static_cast<uint64_t>(i));
    for (size_t d = sizes.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < sizes[d]) break;
      at -= index[d] * strides[d];
      index[d] = 0;
    }
  }
}

/// Makes the tensors of one sample.
class SampleTensors {
 public:
  SampleTensors(const FunctionSchema& schema, double low, double high, const SampleOptions& options)
      : schema_(schema), low_(low), high_(high), options_(options) {}

  /// Binds placeholder tensors to the arguments first, because a real tensor depends on whether the op writes its
  /// argument. Then replaces each placeholder by a real tensor.
  std::vector<Value> make(std::string_view text) {
    std::vector<Value> args = bind(text);
    for (size_t i = 0; i < args.size(); ++i) args[i] = filled(args[i], schema_.arguments[i].is_write());
    return args;
  }

  /// Parses and binds the arguments, with a placeholder for each tensor.
  std::vector<Value> bind(std::string_view text) {
    LiteralOptions literals;
    literals.tensor = [&](const MetaText& m) {
      highest_rank_ = std::max(highest_rank_, m.meta.dim());
      placeholders_.push_back(make_placeholder(m));
      return Value(placeholders_.back());
    };
    ParsedArguments parsed = parse_arguments(text, literals);
    return bind_arguments(schema_, parsed.positional, parsed.keywords);
  }

 private:
  Tensor make_placeholder(const MetaText& m) {
    SymInt bytes = m.storage_bytes ? *m.storage_bytes : storage_bytes_needed(m.meta);
    if (m.alias.empty()) return Tensor(m.meta, Storage::make_fake(bytes, m.meta.device));
    for (size_t i = 0; i < placeholders_.size(); ++i) {
      if (m.alias != fmt::format("in{}", i)) continue;
      Ref<Storage> storage = placeholders_[i].storage();
      if (guard_gt(bytes, storage->nbytes())) storage->resize(bytes);
      shares_ = true;
      return Tensor(m.meta, std::move(storage));
    }
    fail_argument("sample: ~{} names no earlier tensor of '{}'", m.alias, to_string(m));
  }

  /// Returns the real storage that was made for the placeholder's storage; null if none was made yet.
  Ref<Storage> made_storage(const Tensor& placeholder) const {
    for (const auto& [from, to] : storages_) {
      if (from == placeholder.storage()) return to;
    }
    return {};
  }

  Value filled(const Value& v, bool is_written) {
    if (v.is_tensor()) return Value(make_tensor(v.tensor(), is_written));
    if (v.kind() != Value::Kind::List) return v;
    std::vector<Value> items;
    for (const Value& item : v.as_list()) items.push_back(filled(item, is_written));
    return Value::list(items);
  }

  Tensor make_tensor(const Tensor& placeholder, bool is_written) {
    TensorMeta meta = placeholder.meta();
    uint64_t seed = options_.seed * 1000003 + ++made_;
    SampleLayout layout = shares_ ? SampleLayout::AsWritten : options_.layout;
    bool resized = layout == SampleLayout::SizeOne || layout == SampleLayout::SizeZero;
    if (resized && meta.dim() > 0 && meta.dim() == highest_rank_) {
      resize_first_dim(meta, layout == SampleLayout::SizeOne ? 1 : 0);
    } else {
      lay_out(meta, layout, is_written);
    }
    // tensors on other devices are for rules that refuse mixed devices
    if (!meta.device.is_cpu()) return Tensor(meta, placeholder.storage());
    if (Ref<Storage> storage = made_storage(placeholder)) {
      return Tensor(std::move(meta), std::move(storage));  // the first tensor on the storage has filled it
    }
    std::optional<int64_t> bytes;
    if (layout == SampleLayout::AsWritten) bytes = placeholder.storage()->nbytes().guard_int();
    Tensor t = make_sample_tensor(std::move(meta), bytes);
    storages_.emplace_back(placeholder.storage(), t.storage());
    fill_random(t, low_, high_, seed);
    return t;
  }

  const FunctionSchema& schema_;
  double low_, high_;
  const SampleOptions& options_;
  std::vector<Tensor> placeholders_;
  std::vector<std::pair<Ref<Storage>, Ref<Storage>>> storages_;  // pairs of placeholder's storage and real storage
  uint64_t made_ = 0;
  int64_t highest_rank_ = 0;
  bool shares_ = false;
};

}  // namespace

bool layout_applies(const OpEntry& op, SampleLayout layout) {
  if (layout == SampleLayout::SizeOne || layout == SampleLayout::SizeZero) return op.tags.has(Tag::Pointwise);
  return true;
}

Tensor make_sample_tensor(TensorMeta meta, std::optional<int64_t> storage_bytes) {
  int64_t needed = storage_bytes_needed(meta).guard_int();
  int64_t bytes = storage_bytes.value_or(needed);
  if (bytes < needed) fail_argument("sample: a storage of {} bytes is too small for {}", bytes, meta);
  Ref<Storage> storage = Storage::allocate(bytes, meta.device);
  if (bytes > 0) std::memset(storage->data(), 0x7f, static_cast<size_t>(bytes));
  return Tensor(std::move(meta), std::move(storage));
}

void fill_random(const Tensor& t, double low, double high, uint64_t seed) {
  dispatch_dtype<kEveryDType>(t.dtype(), [&]<class T>() { fill_elements<T>(t, low, high, seed); });
}

std::vector<Value> sample_arguments(const OpEntry& op, std::string_view arguments, double low, double high,
                                    const SampleOptions& options) {
  return SampleTensors(op.schema, low, high, options).make(arguments);
}

std::vector<Value> bind_sample(const FunctionSchema& schema, std::string_view arguments) {
  const SampleOptions options;
  return SampleTensors(schema, 0, 0, options).bind(arguments);
}

std::vector<Value> sample_arguments(const OpEntry& op, const Sample& sample, const SampleOptions& options) {
  return sample_arguments(op, sample.arguments, sample.low, sample.high, options);
}

std::vector<Value> sample_arguments(const OpEntry& op, const ErrorSample& sample) {
  return sample_arguments(op, sample.arguments, -2, 2);
}

}  // namespace ersatz
