#include "tracer/tensors/loaded_tensors.h"

#include "fake/mode/active_fake_mode.h"
#include "runtime/base/source_line.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {
std::pair<size_t, std::pair<DeviceType, int>> key_of(size_t storage, Device device) {
  return {storage, {device.type, device.index}};
}
}  // namespace

TensorLoader::TensorLoader(std::string file, const StorageSource& source, const LoadTensorsOptions& options)
    : file_(std::move(file)), source_(source) {
  if (options.map_location) device_ = resolve(*options.map_location);
  if (FakeModeState* state = active_fake_mode()) mode_.emplace(Ref<FakeModeState>(state));
}

Device TensorLoader::place(const TensorMeta& meta) const { return device_ ? *device_ : meta.device; }

/// Returns whether no bytes are read for the storage. If a fake carries real values, they are on the fake's device, so
/// bytes are read only for fakes on the CPU.
bool TensorLoader::without_bytes(size_t storage, Device device) const {
  if (device.is_meta()) return true;
  return mode_ && !(mode_->options().propagate_real && device.is_cpu() && source_.has_bytes(storage));
}

void TensorLoader::expect(const std::string& name, size_t storage, const TensorMeta& meta) const {
  const Device device = place(meta);
  if (mode_ && device.is_meta() && !mode_->options().allow_meta) {
    fail_argument("{}: '{}': this fake mode was made without allow_meta: {}", file_, name, meta);
  }
  if (without_bytes(storage, device)) return;
  if (!source_.has_bytes(storage)) {
    Error e(
        ErrorKind::NotSupported, ErrorFamily::NotImplemented,
        fmt::format("{}: '{}' was saved from a fake tensor and has no bytes: load it inside a FakeScope, or to meta",
                    file_, name));
    e.arguments = {to_string(meta)};
    e.source = current_source_line();
    e.suggestion = "load it inside a FakeScope, or with map_location meta";
    throw e;
  }
  source_.check(storage);
}

Tensor TensorLoader::make(size_t storage, TensorMeta meta) {
  const Device device = meta.device = place(meta);
  if (!without_bytes(storage, device)) {
    Tensor real(std::move(meta), real_storage(storage, device));
    return mode_ ? mode_->from_tensor(real, {.static_shapes = true}) : real;
  }
  Ref<Storage>& shared = fakes_[key_of(storage, device)];
  if (!shared) shared = Storage::make_fake(source_.nbytes(storage), device);
  return mode_ ? mode_->make_on(shared, std::move(meta)) : Tensor(std::move(meta), shared);
}

Ref<Storage> TensorLoader::real_storage(size_t storage, Device device) {
  Ref<Storage>& shared = reals_[key_of(storage, device)];
  if (shared) return shared;
  Ref<Storage> bytes = source_.read(storage);
  if (device.is_cpu()) return shared = std::move(bytes);
  shared = Storage::allocate(source_.nbytes(storage), device);
  copy_bytes(shared->data(), device, bytes->data(), kCPU, source_.nbytes(storage));
  return shared;
}

}  // namespace ersatz
