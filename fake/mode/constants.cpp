#include "fake/mode/constants.h"

#include <algorithm>

namespace ersatz {

bool Constants::qualifies(const Tensor& real) {
  if (!real || real.is_fake() || !real.device().is_cpu() || !real.storage()->has_bytes()) return false;
  const SymInt n = real.numel();
  return n.is_int() && n.as_int() <= kMostElements;
}

void Constants::attach(const Tensor& fake, const Tensor& value) {
  TensorImpl* t = fake.impl();
  if (!t->extra) t->extra = make_ref<TensorExtra>();
  std::lock_guard lock(mutex_);
  const bool listed = static_cast<bool>(t->extra->constant);
  t->extra->constant = value;
  if (listed) return;
  t->storage->watch();
  auto& fakes = by_storage_[t->storage->id()];
  std::erase_if(fakes, [](const WeakRef<TensorImpl>& f) { return f.expired(); });
  fakes.emplace_back(fake.ref());
}

void Constants::forget(const Storage& storage) {
  std::lock_guard lock(mutex_);
  const auto found = by_storage_.find(storage.id());
  if (found == by_storage_.end()) return;
  for (const WeakRef<TensorImpl>& f : found->second) {
    if (Ref<TensorImpl> fake = f.lock()) fake->extra->constant = Tensor();
  }
  by_storage_.erase(found);
}

void Constants::forget_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule) {
  const auto written = [this](TensorImpl* t) {
    if (t->storage->watched()) forget(*t->storage);
  };
  for (uint16_t i : op.written) for_each_tensor(args.subspan(i, 1), written);
  for (TensorImpl* t : rule.also_written) written(t);
}

size_t Constants::storages() {
  std::lock_guard lock(mutex_);
  std::erase_if(by_storage_, [](const auto& entry) {
    return std::all_of(entry.second.begin(), entry.second.end(), [](const auto& f) { return f.expired(); });
  });
  return by_storage_.size();
}

Tensor known_value(const Tensor& fake) {
  const TensorExtra* extra = fake ? fake.impl()->extra.get() : nullptr;
  return extra ? extra->constant : Tensor();
}

}  // namespace ersatz
