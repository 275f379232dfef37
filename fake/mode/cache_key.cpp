#include "fake/mode/cache_key.h"

#include <bit>
#include <cstring>
#include <unordered_map>

#include "runtime/autograd/autograd_meta.h"
#include "runtime/op/device_layouts.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {

/// Appends the words of a call to a key. `reason` returns the first reason why the call has no key.
class KeyWriter {
 public:
  explicit KeyWriter(CacheKey& key) : words_(key.words_) {}

  std::string_view reason() const { return reason_; }

  void call(const OpEntry& op, const FakeOptions& o) {
    const uint64_t fill = o.fill ? static_cast<uint64_t>(*o.fill) + 1 : 0;
    word(uint64_t(op.id) | uint64_t(o.fallback) << 32 | uint64_t(op.fallback) << 40 | fill << 48 |
         settings(o.shape_env.get()) << 56);
  }

  /// Packs the ShapeEnv's settings into bits; 0 without a ShapeEnv.
  static uint64_t settings(const ShapeEnv* env) {
    if (!env) return 0;
    const auto& [shapes, scalars, tolist] = env->settings;  // a new setting that is missing here is a compile error
    return 1 | uint64_t(shapes) << 1 | uint64_t(scalars) << 2 | uint64_t(tolist) << 3;
  }

  void context(const RuleContext& c) {
    // With a structured binding, a RuleContext field that is missing here is a compile error.
    const auto& [dtype, device, grad, inference, deterministic, tf32, autocast, autocast_cpu, autocast_cuda, backend,
                 torch, groups] = c;
    const auto& [capability, cublas, cudnn] = backend;
    word(pack(dtype, device) | uint64_t(autocast_cpu) << 24 | uint64_t(autocast) << 32 | uint64_t(grad) << 40 |
         uint64_t(inference) << 41 | uint64_t(deterministic) << 42 | uint64_t(tf32) << 43 |
         uint64_t(autocast_cuda) << 48);
    word(uint64_t(uint32_t(capability)) << 32 | uint32_t(cublas));
    word(uint64_t(uint16_t(torch.first)) << 48 | uint64_t(uint16_t(torch.second)) << 32 | uint32_t(cudnn));
    word(reinterpret_cast<uintptr_t>(groups));
    word(reinterpret_cast<uintptr_t>(device_layouts()));
  }

  void values(std::span<const Value> v) {
    for (const Value& item : v) value(item);
  }

 private:
  void word(uint64_t w) { words_.push_back(w); }

  static uint64_t pack(DType t, Device d) {
    return uint64_t(t) | uint64_t(d.type) << 8 | uint64_t(uint8_t(d.index)) << 16;
  }

  void kind(Value::Kind k, uint64_t payload = 0) { word(uint64_t(k) | payload << 8); }

  void symbol(std::string_view reason) {
    if (reason_.empty()) reason_ = reason;
  }

  void size(SymInt s) {
    if (s.is_symbolic()) [[unlikely]]
      symbol("symbolic shape");
    word(static_cast<uint64_t>(s.word()));
  }

  void value(const Value& v) {
    using Kind = Value::Kind;
    switch (v.kind()) {
      case Kind::Tensor:
        return tensor(v.tensor_impl());
      case Kind::None:
        return kind(Kind::None);
      case Kind::Bool:
        if (v.is_symbolic()) return kind(Kind::Bool), size(v.as_int());
        return kind(Kind::Bool, v.as_bool());
      case Kind::Int:
        if (!v.is_symbolic_int()) return kind(Kind::Int), word(static_cast<uint64_t>(v.as_int64()));
        kind(Kind::Int);
        return size(v.as_int());
      case Kind::Float:
        kind(Kind::Float);
        if (v.is_symbolic()) return size(v.as_sym_float().word());
        return word(std::bit_cast<uint64_t>(v.as_double()));
      case Kind::Complex:
        kind(Kind::Complex);
        word(std::bit_cast<uint64_t>(v.as_complex().real()));
        return word(std::bit_cast<uint64_t>(v.as_complex().imag()));
      case Kind::String:
        return text(v.as_string());
      case Kind::IntList: {
        const auto items = v.as_ints();
        kind(Kind::IntList, items.size());
        if (!room_for(items.size())) return;
        for (SymInt s : items) size(s);
        return;
      }
      case Kind::List: {
        const auto items = v.as_list();
        kind(Kind::List, items.size());
        for (const Value& item : items) {
          if (!room_for(1)) return;
          value(item);
        }
        return;
      }
      case Kind::DType:
        return kind(Kind::DType, uint64_t(v.as_dtype()));
      case Kind::Device:
        return kind(Kind::Device, pack(DType{}, v.as_device()));
      case Kind::Layout:
        return kind(Kind::Layout, uint64_t(v.as_layout()));
      case Kind::MemoryFormat:
        return kind(Kind::MemoryFormat, uint64_t(v.as_memory_format()));
      case Kind::Generator:
        return kind(Kind::Generator);  // rules draw no random numbers, so only the presence of a generator matters
    }
  }

  void text(std::string_view s) {
    kind(Value::Kind::String, s.size());
    if (!room_for(s.size() / 8)) return;
    for (size_t i = 0; i < s.size(); i += 8) {
      uint64_t w = 0;
      std::memcpy(&w, s.data() + i, std::min<size_t>(8, s.size() - i));
      word(w);
    }
  }

  void tensor(const TensorImpl* t) {
    const auto& [dtype, device, conj, neg, requires_grad, inference, wrapped, offset, sizes, strides] = t->meta;
    uint64_t flags = uint64_t(conj) | uint64_t(neg) << 1 | uint64_t(requires_grad) << 2 | uint64_t(inference) << 3 |
                     uint64_t(wrapped) << 4;
    if (const TensorExtra* extra = t->extra.get()) [[unlikely]] {
      flags |= uint64_t(extra->is_parameter) << 5;
      if (extra->constant) symbol("constant attribute");
    }
    if (const AutogradMeta* autograd = autograd_meta(t)) [[unlikely]]
      flags |= uint64_t(static_cast<bool>(autograd->base)) << 6;
    kind(Value::Kind::Tensor, pack(dtype, device) | flags << 24 | uint64_t{sizes.size()} << 32);
    if (!room_for(2 * sizes.size())) return;
    size(offset);
    for (SymInt s : sizes) size(s);
    for (SymInt s : strides) size(s);
    const SymInt bytes = t->storage->nbytes();
    if (bytes.is_symbolic()) [[unlikely]]
      symbol("symbolic nbytes");
    word(static_cast<uint64_t>(bytes.word()));
    aliases(t);
  }

  /// Appends the number of the first tensor argument that is this object, and of the first on its storage.
  void aliases(const TensorImpl* t) {
    uint64_t object = seen_.size(), storage = object;
    if (seen_.size() < kFewTensors) {
      for (size_t i = seen_.size(); i-- > 0;) {
        if (seen_[i]->storage.get() != t->storage.get()) continue;
        storage = i;
        if (seen_[i] == t) object = i;
      }
    } else {
      if (firsts_.empty()) {
        for (size_t i = 0; i < seen_.size(); ++i) note_first(seen_[i], i);
      }
      note_first(t, seen_.size());
      object = firsts_.at(t), storage = firsts_.at(t->storage.get());
    }
    seen_.push_back(t);
    word(object << 32 | storage);
  }

  void note_first(const TensorImpl* t, size_t number) {
    firsts_.emplace(t, number);
    firsts_.emplace(t->storage.get(), number);
  }

  bool room_for(size_t words) {
    if (words_.size() + words <= CacheKey::kMostWords) return true;
    symbol("too many arguments");
    return false;
  }

  static constexpr size_t kFewTensors = 16;
  InlineVec<uint64_t, 40>& words_;
  std::string_view reason_;
  InlineVec<const TensorImpl*, kFewTensors> seen_;
  // Maps each object and each storage to its number in the key. Used if there are more than kFewTensors tensors.
  std::unordered_map<const void*, uint64_t> firsts_;
};

namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

size_t hash_words(std::span<const uint64_t> words) {
  uint64_t h = 0x9e3779b97f4a7c15 ^ words.size();
  size_t i = 0;
  for (; i + 1 < words.size(); i += 2) h = mix(h ^ words[i], words[i + 1] ^ 0xa0761d6478bd642f);
  if (i < words.size()) h = mix(h ^ words[i], 0xe7037ed1a0b428db);
  return static_cast<size_t>(mix(h, 0x8ebc6af09c88c6e3));
}

}  // namespace

std::string_view CacheKey::make(const OpEntry& op, std::span<const Value> args, const RuleContext& context,
                                const FakeOptions& options) {
  words_.clear();
  KeyWriter writer(*this);
  writer.call(op, options);
  writer.context(context);
  writer.values(args);
  hash_ = hash_words(words_);
  return writer.reason();
}

}  // namespace ersatz
