#include "fake/object/checkpoint.h"

#include <algorithm>
#include <vector>

#include "fake/watch/saved_generators.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

std::vector<Value> tensors_of(const Module& module) {
  require_no_fakes(module);
  std::vector<Value> tensors;
  visit_tensors(module, [&](const std::string&, const Tensor& t, bool) { tensors.emplace_back(t); });
  return tensors;
}

void copy_all(const Storage& to, const Storage& from) {
  if (from.has_bytes()) copy_bytes(to.data(), to.device(), from.data(), from.device(), from.nbytes().as_int());
}

}  // namespace

struct Checkpoint::Impl {
  struct Saved {
    Ref<Storage> storage, copy;
    uint32_t version = 0;
  };
  std::vector<Saved> saved;  // one entry per storage
  SavedGenerators generators;
};

Checkpoint::Checkpoint(const Module& module) : Checkpoint(tensors_of(module)) {}

Checkpoint::Checkpoint(std::span<const Value> values) : impl_(new Impl{{}, SavedGenerators(values)}) {
  std::vector<Impl::Saved>& saved = impl_->saved;
  for_each_tensor(values, [&](const TensorImpl* t) {
    const auto known = [&](const Impl::Saved& s) { return s.storage.get() == t->storage.get(); };
    if (std::any_of(saved.begin(), saved.end(), known)) return;
    Impl::Saved s{t->storage, Storage::allocate(t->storage->nbytes().as_int(), t->storage->device()),
                  t->storage->version()};
    copy_all(*s.copy, *s.storage);
    saved.push_back(std::move(s));
  });
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::restore() {
  for (Impl::Saved& s : impl_->saved) {
    if (s.storage->version() == s.version) continue;
    if (s.storage->nbytes().as_int() != s.copy->nbytes().as_int()) s.storage->resize(s.copy->nbytes());
    s.storage->prepare_write();
    copy_all(*s.storage, *s.copy);
    s.storage->bump_version();
    s.version = s.storage->version();
  }
  impl_->generators.restore();
}

}  // namespace ersatz
