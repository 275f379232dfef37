#include "fake/mode/real_values.h"

#include <algorithm>
#include <cstdint>

#include "runtime/base/source_line.h"

namespace ersatz {
namespace {

const Tensor& stored(const TensorImpl* fake) {
  static const Tensor none;
  const TensorExtra* extra = fake->extra.get();
  if (!extra) return none;
  return extra->real ? extra->real : extra->constant;
}

void add_missing(RealValues::LossIds& to, const RealValues::LossIds& from) {
  for (const RealValues::LossId id : from) {
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

/// Adds 1 to the count of an equal event, or adds the event that `make` returns.
template <class T, class Make>
void count_event(std::vector<T>& events, std::unordered_map<std::string, size_t>& known, std::string key, Make&& make) {
  const auto [found, fresh] = known.try_emplace(std::move(key), events.size());
  if (fresh) {
    events.push_back(make());
  } else {
    ++events[found->second].count;
  }
}

std::string key_of(char kind, std::string_view a, std::string_view b, std::string_view c = {}) {
  std::string key(1, kind);
  for (const std::string_view part : {a, b, c}) key.append(part) += '\0';
  return key;
}

}  // namespace

Tensor RealValues::of(const TensorImpl* fake) { return stored(fake); }

RealValues::Carried& RealValues::entry(const Ref<Storage>& fake_storage) {
  if (by_fake_storage_.size() >= purge_at_) {
    std::erase_if(by_fake_storage_, [](const auto& e) {
      const Carried& c = e.second;
      return c.losses.empty() ? c.real.expired() : c.fake.expired();
    });
    purge_at_ = std::max<size_t>(64, 2 * by_fake_storage_.size());
  }
  return by_fake_storage_[fake_storage->id()];
}

/// Adds `losses` to the entry of `fake_storage`.
void RealValues::add_losses(const Ref<Storage>& fake_storage, Carried& c, const LossIds& losses) {
  if (c.losses.empty()) c.fake = WeakRef<Storage>(fake_storage);
  add_missing(c.losses, losses);
}

void RealValues::attach(const Tensor& fake, const Tensor& real) {
  ERSATZ_ASSERT(real && !real.is_fake(), "the real tensor of a fake must be real: {}", to_string(real));
  TensorImpl* t = fake.impl();
  if (!t->extra) t->extra = make_ref<TensorExtra>();
  if (t->extra->real.is(real)) return;
  std::lock_guard lock(mutex_);
  Carried& c = entry(t->storage);
  c.real = WeakRef<Storage>(real.storage());
  const bool listed = static_cast<bool>(t->extra->real);
  t->extra->real = real;
  if (!listed) list(c, t);
}

void RealValues::list(Carried& c, TensorImpl* fake) {
  if (c.fakes.size() >= c.purge_at) {
    InlineVec<WeakRef<TensorImpl>, 1> alive;
    for (WeakRef<TensorImpl>& f : c.fakes) {
      if (!f.expired()) alive.push_back(std::move(f));
    }
    c.fakes = std::move(alive);
    c.purge_at = std::max<size_t>(8, 2 * c.fakes.size());
  }
  c.fakes.emplace_back(Ref<TensorImpl>(fake));
}

void RealValues::follow(TensorImpl* fake) {
  const Tensor real = stored(fake);
  std::lock_guard lock(mutex_);
  Carried& c = entry(fake->storage);
  Ref<Storage> storage = c.real.lock();
  const SymInt nbytes = fake->storage->nbytes();
  if (!storage && c.losses.empty() && nbytes.is_identical(0)) {
    storage = Storage::allocate(0, fake->meta.device);
    c.real = WeakRef<Storage>(storage);
  }
  if (real && real.storage() == storage && real.meta() == fake->meta) return;
  if (!fake->extra) fake->extra = make_ref<TensorExtra>();
  if (!storage) {
    fake->extra->real = Tensor();
    return;
  }
  if (guard_gt(nbytes, storage->nbytes())) storage->resize(nbytes);
  fake->extra->real = Tensor(TensorMeta(fake->meta), std::move(storage));
  list(c, fake);
}

void RealValues::attach_copy(const Tensor& fake, const Tensor& original) {
  const Tensor value = original.is_fake() ? stored(original.impl()) : original;
  const bool elsewhere = value && value.device() != fake.device();
  if (!value || elsewhere) {
    LossIds why;
    why.push_back(loss("", value ? "a meta tensor has no value" : "converted from a fake that has no value"));
    return note_lost(fake.impl(), why);
  }
  Ref<Storage> storage;
  {
    std::lock_guard lock(mutex_);
    Carried& c = entry(fake.storage());
    if (!c.losses.empty()) return;  // the fake storage has lost its value; the original's value is not valid for it
    storage = c.real.lock();
    if (!storage) {
      const Ref<Storage>& from = value.storage();
      storage = from->has_bytes() ? Storage::lazy_copy(from) : Storage::make_fake(from->nbytes(), from->device());
    }
  }
  attach(fake, Tensor(value.meta(), std::move(storage)));
}

RealValues::LossId RealValues::loss_locked(std::string_view op, std::string_view reason) {
  const std::string_view source = current_source_line();
  const auto [found, fresh] = known_events_.try_emplace(key_of('l', op, reason, source), report_.losses.size());
  if (fresh) report_.losses.push_back({std::string(op), std::string(reason), std::string(source), {}});
  return static_cast<LossId>(found->second);
}

RealValues::LossId RealValues::loss(std::string_view op, std::string_view reason) {
  std::lock_guard lock(mutex_);
  return loss_locked(op, reason);
}

RealValues::LossIds RealValues::losses_of(const TensorImpl* fake) {
  std::lock_guard lock(mutex_);
  Carried& c = entry(fake->storage);
  if (c.losses.empty()) add_losses(fake->storage, c, LossIds{loss_locked("", "made without a value")});
  return c.losses;
}

void RealValues::take_values(uint64_t storage, Carried& c) {
  for (const WeakRef<TensorImpl>& f : c.fakes) {
    const Ref<TensorImpl> fake = f.lock();
    // A fake that has moved to another storage keeps its real tensor.
    if (fake && fake->storage->id() == storage) fake->extra->real = Tensor();
  }
  c.fakes.clear();
  c.real = WeakRef<Storage>();
}

void RealValues::lose(const Ref<Storage>& fake_storage, const LossIds& losses) {
  std::lock_guard lock(mutex_);
  Carried& c = entry(fake_storage);
  take_values(fake_storage->id(), c);
  add_losses(fake_storage, c, losses);
}

void RealValues::note_lost(const TensorImpl* fake, const LossIds& losses) {
  std::lock_guard lock(mutex_);
  add_losses(fake->storage, entry(fake->storage), losses);
}

void RealValues::forget_losses(const Ref<Storage>& fake_storage) {
  std::lock_guard lock(mutex_);
  Carried& c = entry(fake_storage);
  if (c.fakes.empty()) c.losses.clear();
}

void RealValues::note_affected(const LossIds& losses, std::string_view op) {
  std::lock_guard lock(mutex_);
  for (const LossId id : losses) {
    count_event(report_.losses[id].affected, known_events_, key_of('a', std::to_string(id), op),
                [&] { return ValueLoss::Affected{std::string(op)}; });
  }
}

std::string RealValues::explain(const LossIds& losses) {
  std::lock_guard lock(mutex_);
  if (losses.empty()) return "";
  const ValueLoss& l = report_.losses[losses[0]];
  return fmt::format("{}{}{}", l.reason, l.op.empty() ? "" : " at " + l.op, l.source.empty() ? "" : ", " + l.source);
}

void RealValues::note_data_use(std::string_view op, const SeenValue& value) {
  std::lock_guard lock(mutex_);
  const std::string_view source = current_source_line();
  count_event(report_.data_uses, known_events_, key_of('d', op, source, value.text), [&] {
    return DataUse{std::string(op), std::string(source), value};
  });
}

void RealValues::note_mismatch(std::string_view op, const std::string& message) {
  std::lock_guard lock(mutex_);
  const std::string_view source = current_source_line();
  count_event(report_.mismatches, known_events_, key_of('m', op, source, message), [&] {
    return RealMismatch{std::string(op), std::string(source), message};
  });
}

void RealValues::note_missing_rule(std::string_view op) {
  std::lock_guard lock(mutex_);
  count_event(report_.missing_rules, known_events_, key_of('r', op, ""), [&] { return MissingRule{std::string(op)}; });
}

RealReport RealValues::report() {
  std::lock_guard lock(mutex_);
  return report_;
}

int64_t RealValues::count_bytes() {
  int64_t total = 0;
  for (const auto& [id, c] : by_fake_storage_) {
    const Ref<Storage> real = c.real.lock();
    if (real && real->has_bytes() && !real->is_lazy_copy()) total += real->nbytes().as_int();
  }
  return total;
}

bool RealValues::fits(int64_t bytes) {
  if (budget_ == INT64_MAX || bytes == 0) return true;
  std::lock_guard lock(mutex_);
  if (bytes > budget_ - bytes_at_most_) bytes_at_most_ = count_bytes();
  if (bytes > budget_ - bytes_at_most_) return false;
  bytes_at_most_ += bytes;
  return true;
}

void RealValues::drop() {
  std::lock_guard lock(mutex_);
  for (auto& [id, c] : by_fake_storage_) {
    if (c.fakes.empty()) continue;
    Ref<Storage> storage;
    for (const WeakRef<TensorImpl>& f : c.fakes) {
      if (const Ref<TensorImpl> fake = f.lock(); fake && fake->storage->id() == id) storage = fake->storage;
    }
    take_values(id, c);
    const LossIds dropped{loss_locked("", "drop_real() freed it")};
    if (storage) add_losses(storage, c, dropped);
  }
  bytes_at_most_ = 0;
}

size_t RealValues::live_copies() {
  std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::count_if(by_fake_storage_.begin(), by_fake_storage_.end(),
                                           [](const auto& e) { return !e.second.real.expired(); }));
}

int64_t RealValues::live_bytes() {
  std::lock_guard lock(mutex_);
  return count_bytes();
}

}  // namespace ersatz
