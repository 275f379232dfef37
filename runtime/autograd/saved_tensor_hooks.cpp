#include "runtime/autograd/saved_tensor_hooks.h"

#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/packed_tensor.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

thread_local constinit const SavedTensorHooks* detail::t_saved_tensor_hooks = nullptr;

namespace {
thread_local constinit const DisableSavedTensorHooks* t_disabled = nullptr;
thread_local constinit bool t_deferred = false;
}  // namespace

Tensor PackedTensor::unpacked() const {
  Tensor t = unpack_(packed_);
  if (!t) {
    fail(ErrorKind::InvalidArgument, ErrorFamily::Type,
         "the output of a saved tensor's unpack hook is expected to be a Tensor, it is undefined");
  }
  return t;
}

SavedTensorHooks::SavedTensorHooks(PackHook pack, UnpackHook unpack)
    : pack_(std::move(pack)), unpack_(std::move(unpack)), outer_(detail::t_saved_tensor_hooks) {
  if (t_disabled) fail_argument("{}", t_disabled->message_);
  if (!t_deferred) detail::t_saved_tensor_hooks = this;
}

SavedTensorHooks::~SavedTensorHooks() { detail::t_saved_tensor_hooks = outer_; }

Ref<PackedTensor> detail::pack_tensor(const PackHook& pack, const UnpackHook& unpack, const Tensor& t) {
  const NoGrad off;
  const DeferSavedTensorHooks deferred;  // tensors that calls inside the hook save are not packed
  const uint32_t before = t.version();
  std::any packed = pack(t);
  if (t.version() != before) {
    fail_argument("a saved tensor pack hook is modifying its input in place: {}; let it write a copy", t.meta());
  }
  return make_ref<PackedTensor>(std::move(packed), unpack);
}

Ref<PackedTensor> SavedTensorHooks::pack(const Tensor& t) const { return detail::pack_tensor(pack_, unpack_, t); }

DeferSavedTensorHooks::DeferSavedTensorHooks()
    : before_(std::exchange(detail::t_saved_tensor_hooks, nullptr)),
      deferred_before_(std::exchange(t_deferred, true)) {}

DeferSavedTensorHooks::~DeferSavedTensorHooks() {
  detail::t_saved_tensor_hooks = before_;
  t_deferred = deferred_before_;
}

DisableSavedTensorHooks::DisableSavedTensorHooks(std::string message)
    : message_(std::move(message)), outer_(t_disabled) {
  if (detail::t_saved_tensor_hooks) fail_argument("{}", message_);
  t_disabled = this;
}

DisableSavedTensorHooks::~DisableSavedTensorHooks() { t_disabled = outer_; }

}  // namespace ersatz
