#include "tools/descent.h"

#include <map>

#include "fake/saved_generators.h"
#include "runtime/allocator.h"
#include "runtime/composite.h"
#include "runtime/dispatch.h"
#include "runtime/map_tensors.h"

namespace ersatz::tools {
namespace {

/// Copies of arguments, with the sharing that they have.
class Copies {
 public:
  Tensor of(const Tensor& t) {
    Tensor& copy = tensors_[t.impl()];
    if (copy) return copy;
    Ref<Storage>& storage = storages_[t.storage().get()];
    if (!storage) {  // bytes of its own, not a lazy copy: what writes unasked must not reach the original
      const int64_t nbytes = t.storage()->nbytes().guard_int();
      storage = Storage::allocate(nbytes, t.device());
      copy_bytes(storage->data(), t.device(), t.storage()->data(), t.device(), nbytes);
    }
    return copy = Tensor(make_ref<TensorImpl>(TensorMeta(t.meta()), storage, Ref<FakeOwner>()));
  }

 private:
  std::map<const TensorImpl*, Tensor> tensors_;
  std::map<const Storage*, Ref<Storage>> storages_;
};

}  // namespace

void Descent::into(const OpEntry& op, std::string_view node, std::span<const Value> real_args) {
  const KeepGenerators keep(real_args, kCPU);
  Copies copies;
  const std::vector<Value> args = map_tensors(real_args, [&](const Tensor& t) { return copies.of(t); });
  mode_.set_node(std::string(node));
  try {
    const ModeGuard guard(mode_);
    Values results;
    run_composite(op, args, results);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
  }
}

}  // namespace ersatz::tools
