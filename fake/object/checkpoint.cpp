#include "fake/object/checkpoint.h"

#include <algorithm>

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

Checkpoint::Checkpoint(const Module& module) : Checkpoint(tensors_of(module)) {}

Checkpoint::Checkpoint(std::span<const Value> values) : generators_(values) {
  for_each_tensor(values, [this](const TensorImpl* t) {
    const auto known = [&](const Saved& s) { return s.storage.get() == t->storage.get(); };
    if (std::any_of(saved_.begin(), saved_.end(), known)) return;
    Saved s{t->storage, Storage::allocate(t->storage->nbytes().as_int(), t->storage->device()), t->storage->version()};
    copy_all(*s.copy, *s.storage);
    saved_.push_back(std::move(s));
  });
}

void Checkpoint::restore() {
  for (Saved& s : saved_) {
    if (s.storage->version() == s.version) continue;
    if (s.storage->nbytes().as_int() != s.copy->nbytes().as_int()) s.storage->resize(s.copy->nbytes());
    s.storage->prepare_write();
    copy_all(*s.storage, *s.copy);
    s.storage->bump_version();
    s.version = s.storage->version();
  }
  generators_.restore();
}

}  // namespace ersatz
