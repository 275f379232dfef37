#include "fake/mode/fake_converter.h"

#include "fake/mode/real_values.h"
#include "runtime/autograd/view_nodes.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

constexpr int kMaxDepth = 32;  // maximum depth of nested view bases and gradients; a deeper tensor is a cycle or an
                               // attack

[[noreturn]] void refuse(const std::string& why) {
  fail(ErrorKind::UnsupportedFakeTensor, ErrorFamily::NotImplemented, "from_tensor: {}", why);
}

/// Raises UnsupportedFakeTensor for a tensor that no rule can handle. Ops never return these tensors, but users can
/// construct them, because the constructor of Tensor is public.
void check_supported(const Tensor& t, int depth) {
  if (!t) refuse("an undefined tensor has no fake");
  if (depth > kMaxDepth) refuse(fmt::format("view bases and gradients nest deeper than {}", kMaxDepth));
  const TensorMeta& m = t.meta();
  if (!t.storage()) refuse("a tensor without storage has no fake");
  if (m.sizes.size() != m.strides.size()) {
    refuse(fmt::format("rank of sizes and strides must match ({} vs {})", m.sizes.size(), m.strides.size()));
  }
  const auto negative = [](SymInt v) { return v.is_int() && v.as_int() < 0; };
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    if (negative(m.sizes[d]) || negative(m.strides[d])) {
      refuse(fmt::format("sizes and strides must not be negative: {}", to_string(m)));
    }
  }
  if (negative(m.offset)) refuse(fmt::format("storage offset must not be negative: {}", to_string(m)));
  if (m.device.index < 0) refuse(fmt::format("device {} has no index", to_string(m.device)));
}

}  // namespace

Tensor FakeConverter::convert(const Tensor& t, const FromTensorOptions& asked, uint64_t epoch) {
  if (t && t.impl()->fake_mode.get() == &owner_) return t;
  std::lock_guard lock(mutex_);
  check_supported(t, 0);
  const Tensor known = find(t, t.device());
  symbols_.check(t, asked, known);
  if (known) return known;
  Tensor fake = convert_to(t, t.device(), asked, 0);
  symbols_.remember_value(fake, t, asked.source, epoch);
  return fake;
}

Tensor FakeConverter::find(const Tensor& t, Device device) const {
  const auto found = tensors_.find(key_of(t, device));
  return found == tensors_.end() ? Tensor() : Tensor(found->second.fake.lock());
}

Tensor FakeConverter::convert_meta(const Tensor& t, Device device) {
  std::lock_guard lock(mutex_);
  check_supported(t, 0);
  if (!t.device().is_meta()) {
    fail_argument("from_meta: tensor's device must be `meta`, got {} instead", to_string(t.device()));
  }
  return convert_to(t, resolve(device), {.static_shapes = true}, 0);
}

Tensor FakeConverter::convert_to(const Tensor& t, Device device, const FromTensorOptions& asked, int depth) {
  check_supported(t, depth);
  if (Tensor known = find(t, device)) return known;

  // The view base and the gradient are converted first, so that an error in them leaves no entry for the tensor (C3).
  Ref<TensorExtra> extra;
  if (const TensorExtra* e = t.impl()->extra.get(); e && e->is_parameter) {
    extra = make_ref<TensorExtra>();
    extra->is_parameter = true;
  }
  const FromTensorOptions beside{.static_shapes = asked.static_shapes, .of_module = asked.of_module};
  Ref<RefCounted> autograd =
      copied_autograd(t, [&](const Tensor& of) { return convert_to(of, device, beside, depth + 1); });
  const std::optional<TensorMeta> over_symbols = symbols_.metadata(t, asked);
  TensorMeta meta = over_symbols ? *over_symbols : t.meta();
  meta.device = device;
  // If the tensor fills its storage exactly, the fake storage gets the symbolic size of the fake.
  SymInt nbytes = t.storage()->nbytes();
  if (over_symbols && sym_eq(storage_bytes_needed(t.meta()), nbytes)) nbytes = storage_bytes_needed(meta);
  Ref<Storage> storage = storage_of(t.storage(), nbytes, device);
  Tensor fake(make_ref<TensorImpl>(std::move(meta), std::move(storage), Ref<FakeOwner>(&owner_)));
  fake.impl()->extra = std::move(extra);
  set_copied_autograd(fake, t, std::move(autograd));
  if (reals_) reals_->attach_copy(fake, t);

  purge_if_grown();
  const Key key = key_of(t, device);
  tensors_.insert_or_assign(key, TensorEntry{WeakRef<TensorImpl>(t.ref()), WeakRef<TensorImpl>(fake.ref())});
  return fake;
}

Ref<Storage> FakeConverter::storage_of(const Ref<Storage>& storage, SymInt nbytes, Device device) {
  const Key key{storage->id(), device};
  if (auto found = storages_.find(key); found != storages_.end()) {
    if (Ref<Storage> fake = found->second.fake.lock()) return fake;
  }
  Ref<Storage> fake = Storage::make_fake(nbytes, device);
  storages_.insert_or_assign(key, StorageEntry{WeakRef<Storage>(storage), WeakRef<Storage>(fake)});
  return fake;
}

void FakeConverter::purge() {
  std::erase_if(tensors_, [](const auto& e) { return e.second.from.expired() || e.second.fake.expired(); });
  std::erase_if(storages_, [](const auto& e) { return e.second.from.expired() || e.second.fake.expired(); });
}

void FakeConverter::purge_if_grown() {
  if (tensors_.size() < purge_at_) return;
  purge();
  purge_at_ = std::max<size_t>(64, 2 * tensors_.size());
}

size_t FakeConverter::tensor_memo_size() {
  std::lock_guard lock(mutex_);
  purge();
  return tensors_.size();
}

size_t FakeConverter::storage_memo_size() {
  std::lock_guard lock(mutex_);
  purge();
  return storages_.size();
}

}  // namespace ersatz
