#include "fake/mode/synthetic_inputs.h"

#include <algorithm>
#include <unordered_set>

#include "fake/mode/constants.h"
#include "fake/mode/index_bounds.h"
#include "fake/mode/storage_fill.h"
#include "runtime/op/copy.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
int64_t SyntheticInputs::bytes_needed(std::span<const Value> args) {
  std::unordered_set<const Storage*> storages;
  SymInt total = 0;
  for_each_tensor(args, [&](TensorImpl* t) {
    if (storages.insert(t->storage.get()).second) total += t->storage->nbytes();
    if (t->meta.device.is_cuda()) device_ = t->meta.device;
    on_meta_ |= t->meta.device.is_meta();
  });
  for (const Value& v : args) {
    if (v.kind() == Value::Kind::Device && v.as_device().is_cuda() && device_.is_cpu()) device_ = v.as_device();
  }
  return total.as_int();
}

std::vector<Value> SyntheticInputs::make(std::span<const Value> args) {
  std::vector<Value> real;
  real.reserve(args.size());
  for (size_t i = 0; i < args.size(); ++i) real.push_back(synthetic(args[i], i));
  fill_index_domains(args);
  for (const Bytes& b : storages_) {
    if (b.host == b.real) continue;
    const int64_t n = b.host->nbytes().as_int();
    if (n > 0) copy_bytes(b.real->data(), b.real->device(), b.host->data(), kCPU, n);
  }
  return real;
}

Value SyntheticInputs::synthetic(const Value& v, size_t argument) {
  return map_leaves(v, [&](const Value& leaf) {
    if (leaf.is_tensor()) return Value(synthetic(leaf.tensor_impl(), argument));
    const bool named = leaf.kind() == Value::Kind::Device && in_place_of_ && leaf.as_device() == *in_place_of_;
    return named ? Value(kCPU) : leaf;
  });
}

Tensor SyntheticInputs::synthetic(TensorImpl* fake, size_t argument) {
  if (TensorImpl* real = twins_.real_of(fake)) return Tensor(Ref<TensorImpl>(real));
  bool fresh = false;
  const Bytes& bytes = bytes_of(fake, fresh);
  // The fills Identity and Sample depend on the tensor's sizes. All other fills have already filled the whole storage.
  if (fill_ == Fill::Identity && fresh) fill_identity(*bytes.host, fake->meta);
  if (fill_ == Fill::Sample) copy_sample(bytes, fake, argument);
  TensorMeta meta = fake->meta;
  meta.requires_grad = false;
  meta.device = bytes.real->device();
  Tensor real(std::move(meta), bytes.real);
  tensors_.push_back(real);
  twins_.pair(fake, real.impl());
  return real;
}

SyntheticInputs::Bytes& SyntheticInputs::bytes_of(TensorImpl* fake, bool& fresh) {
  for (Bytes& b : storages_) {
    if (b.fake == fake->storage) return b;
  }
  fresh = true;
  const int64_t bytes = fake->storage->nbytes().as_int();
  const Device device = in_place_of_ ? kCPU : fake->meta.device;
  Bytes made{fake->storage, Storage::allocate(bytes, device), {}};
  made.host = device.is_cpu() ? made.real : Storage::allocate(bytes, kCPU);
  fill_storage(*made.host, fake->meta.dtype, fill_, storages_.size() + 1);
  storages_.push_back(std::move(made));
  return storages_.back();
}

void SyntheticInputs::copy_sample(const Bytes& bytes, TensorImpl* fake, size_t argument) {
  const TensorMeta& meta = fake->meta;
  if (!mode_.options.fallback_sample) {
    fail_argument("{}: fill sample needs samples: FakeOptions::fallback_sample is empty", op_.name);
  }
  const Tensor sample = mode_.options.fallback_sample(op_, argument, meta);
  if (!sample) return;  // the storage keeps its zeros
  if (sample.is_fake() || !sample.device().is_cpu() || sample.dtype() != meta.dtype ||
      !sym_eq(sample.sizes(), meta.sizes)) {
    fail_argument(
        "{}: a sample has to be a real cpu tensor of the argument's dtype and sizes: argument {} is {}, "
        "its sample {}",
        op_.name, argument, meta, to_string(sample));
  }
  TensorMeta on_host = meta;
  on_host.device = kCPU;
  on_host.requires_grad = false;
  copy_elements(Tensor(std::move(on_host), bytes.host), sample);
  sampled_.push_back(fake);
}

void SyntheticInputs::fill_index_domains(std::span<const Value> args) {
  for (const auto& [index, bound] : index_bounds(op_, args)) {
    // A tensor from the user's `fallback_sample` keeps its indices.
    if (std::find(sampled_.begin(), sampled_.end(), index) != sampled_.end()) continue;
    bool fresh = false;
    fill_indices(*bytes_of(index, fresh).host, index->meta, bound, fill_, storages_.size());
  }
}

Value SyntheticInputs::map_back(const Value& v, int& numbers) {
  return map_leaves(v, [&](const Value& leaf) {
    numbers += leaf.is_number();
    return leaf.is_tensor() ? twins_.fake_of(leaf) : leaf;
  });
}

void SyntheticInputs::map_changes() {
  for (const auto& [real, fake] : twins_.pairs()) {
    TensorMeta meta = real->meta;
    meta.requires_grad = fake->meta.requires_grad;
    meta.device = fake->meta.device;
    fake->meta = std::move(meta);
    fake->storage = twins_.fake_of(real->storage);  // the kernel may have called `set_`
  }
  for (const Bytes& b : storages_) {
    if (b.real->version() != 0) {
      b.fake->bump_version();
      mode_.constants.forget(*b.fake);
    }
    if (!sym_eq(b.fake->nbytes(), b.real->nbytes())) b.fake->resize(b.real->nbytes());
  }
}

}  // namespace ersatz
