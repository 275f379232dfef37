#include "fake/mode/fake_real_map.h"

#include "runtime/op/map_tensors.h"

namespace ersatz {

void FakeRealMap::pair(TensorImpl* fake, TensorImpl* real) {
  pairs_.push_back({real, fake});
  for (const Storages& s : storages_) {
    if (s.real == real->storage.get()) return;
  }
  storages_.push_back({real->storage.get(), fake->storage.get()});
}

Tensor FakeRealMap::fake_of(TensorImpl* real) {
  for (const Pair& p : pairs_) {
    if (p.real == real) return Tensor(Ref<TensorImpl>(p.fake));
  }
  Ref<Storage> storage = fake_of(real->storage);
  const Device device = storage->device();
  Tensor fake(make_ref<TensorImpl>(real->meta, std::move(storage), Ref<FakeOwner>(&mode_)));
  fake.impl()->meta.device = device;
  pairs_.push_back({real, fake.impl()});
  return fake;
}

Ref<Storage> FakeRealMap::fake_of(const Ref<Storage>& real) {
  for (const Storages& s : storages_) {
    if (s.real == real.get()) return Ref<Storage>(s.fake);
  }
  Device device = real->device();
  if (cpu_is_on_ && device.is_cpu()) device = *cpu_is_on_;
  if (all_are_on_) device = *all_are_on_;
  Ref<Storage> fake = Storage::make_fake(real->nbytes(), device);
  storages_.push_back({real.get(), fake.get()});
  return fake;
}

Value FakeRealMap::fake_of(const Value& v) {
  return map_leaves(v,
                    [this](const Value& leaf) { return leaf.is_tensor() ? Value(fake_of(leaf.tensor_impl())) : leaf; });
}

TensorImpl* FakeRealMap::real_of(const TensorImpl* fake) const {
  for (const Pair& p : pairs_) {
    if (p.fake == fake) return p.real;
  }
  return nullptr;
}

}  // namespace ersatz
