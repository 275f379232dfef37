#include "tools/descent.h"

#include <map>

#include "fake/saved_generators.h"
#include "runtime/allocator.h"
#include "runtime/composite.h"
#include "runtime/dispatch.h"

namespace ersatz::tools {
namespace {

/// Copies of arguments, with the sharing that they have.
class Copies {
 public:
  Value of(const Value& v) {
    if (v.is_tensor()) return of(v.tensor());
    if (v.kind() != Value::Kind::List) return v;
    std::vector<Value> items;
    for (const Value& item : v.as_list()) items.push_back(of(item));
    return Value::list(items);
  }

 private:
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

  std::map<const TensorImpl*, Tensor> tensors_;
  std::map<const Storage*, Ref<Storage>> storages_;
};

}  // namespace

void Descent::into(const OpEntry& op, std::string_view node, std::span<const Value> real_args) {
  const KeepGenerators keep(real_args, kCPU);
  Copies copies;
  std::vector<Value> args;
  for (const Value& v : real_args) args.push_back(copies.of(v));
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
