#include "tracer/tensors/weights.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/tensors/synthetic.h"

namespace ersatz {

namespace {

int64_t extent(const StoredTensor& t) {
  if (t.meta.is_symbolic()) fail_argument("{}: a stored tensor cannot have symbolic sizes: {}", t.name, t.meta);
  return storage_bytes_needed(t.meta).as_int();
}

void read_file(const Payload& p, std::byte* to) {
  std::FILE* file = std::fopen(p.path.c_str(), "rb");
  if (!file) fail_argument("{}: cannot be read: {}", p.path, std::strerror(errno));
  size_t got = 0;
  if (fseeko(file, p.offset, SEEK_SET) == 0) got = std::fread(to, 1, static_cast<size_t>(p.nbytes), file);
  std::fclose(file);
  if (got != static_cast<size_t>(p.nbytes)) {
    fail_argument("{}: ends before bytes [{}, {}) that a weight needs", p.path, p.offset, p.offset + p.nbytes);
  }
}

}  // namespace

Payload Payload::of(const Ref<Storage>& storage) {
  Payload p;
  p.nbytes = storage->nbytes().guard_int();
  if (storage->has_bytes() && storage->device().is_cpu()) {
    p.kind = Kind::Live;
    p.live = Storage::lazy_copy(storage);
  }
  return p;
}

std::string_view Payload::in_memory() const {
  if (kind == Kind::Inline) return bytes;
  if (kind == Kind::Live) return {reinterpret_cast<const char*>(live->data()), static_cast<size_t>(nbytes)};
  return {};
}

bool Payload::operator==(const Payload& o) const {
  if (kind == Kind::Live || o.kind == Kind::Live) {
    const bool both = (kind == Kind::Live || kind == Kind::Inline) && (o.kind == Kind::Live || o.kind == Kind::Inline);
    return both && in_memory() == o.in_memory();
  }
  return kind == o.kind && nbytes == o.nbytes && path == o.path && entry == o.entry && offset == o.offset &&
         bytes == o.bytes && as == o.as;
}

struct Weights::Impl {
  std::vector<Payload> payloads;
  std::vector<StoredTensor> tensors;
  std::vector<Ref<Storage>> storages;
  std::map<std::string, std::shared_ptr<ZipArchive>> archives;  ///< archives that payloads of text programs name
};

Weights::Weights() : impl_(std::make_unique<Impl>()) {}
Weights::Weights(Weights&&) noexcept = default;
Weights& Weights::operator=(Weights&&) noexcept = default;
Weights::~Weights() = default;

const std::vector<Payload>& Weights::payloads() const { return impl_->payloads; }
const std::vector<StoredTensor>& Weights::tensors() const { return impl_->tensors; }

uint32_t Weights::add_payload(Payload payload) {
  impl_->payloads.push_back(std::move(payload));
  return static_cast<uint32_t>(impl_->payloads.size() - 1);
}

uint32_t Weights::add_tensor(StoredTensor tensor) {
  tensor.meta.device = kCPU;
  Payload& p = impl_->payloads.at(tensor.payload);
  const int64_t needed = extent(tensor);
  if (needed > p.nbytes) {
    if (p.kind != Payload::Kind::Made) {
      fail_argument("{}: {} needs {} bytes, its data has {}", tensor.name, tensor.meta, needed, p.nbytes);
    }
    p.nbytes = needed;
  }
  impl_->tensors.push_back(std::move(tensor));
  return static_cast<uint32_t>(impl_->tensors.size() - 1);
}

int Weights::synthetic() const {
  return static_cast<int>(std::count_if(impl_->payloads.begin(), impl_->payloads.end(),
                                        [](const Payload& p) { return p.kind == Payload::Kind::Made && p.nbytes; }));
}

int64_t Weights::total_bytes() const {
  int64_t total = 0;
  for (const Payload& p : impl_->payloads) {
    // The sum may overflow, because the text form of a program may declare any size.
    if (__builtin_add_overflow(total, p.nbytes, &total)) return INT64_MAX;
  }
  return total;
}

Ref<Storage> Weights::storage(uint32_t index) const {
  impl_->storages.resize(impl_->payloads.size());
  Ref<Storage>& storage = impl_->storages.at(index);
  if (storage) return storage;
  const Payload& p = impl_->payloads[index];
  if (p.kind == Payload::Kind::Live) return storage = Storage::lazy_copy(p.live);
  Ref<Storage> fresh = Storage::allocate(p.nbytes, kCPU);
  switch (p.kind) {
    case Payload::Kind::Archive: {
      std::shared_ptr<ZipArchive> archive = p.archive;
      if (!archive) {
        auto& opened = impl_->archives[p.path];
        if (!opened) opened = ZipArchive::open(p.path);
        archive = opened;
      }
      archive->read(p.entry, {reinterpret_cast<char*>(fresh->data()), static_cast<size_t>(p.nbytes)});
      break;
    }
    case Payload::Kind::File:
      if (p.nbytes) read_file(p, fresh->data());
      break;
    case Payload::Kind::Inline:
      if (p.nbytes) std::memcpy(fresh->data(), p.bytes.data(), static_cast<size_t>(p.nbytes));
      break;
    case Payload::Kind::Live:
      break;  // this kind has been handled above
    case Payload::Kind::Made:
      if (p.nbytes) {
        std::memset(fresh->data(), 0, static_cast<size_t>(p.nbytes));
        for (const StoredTensor& t : impl_->tensors) {
          if (t.payload != index) continue;
          fill_synthetic(Tensor(t.meta, fresh), t.name, seed, SyntheticRole::Weight);
          break;  // other tensors of the payload share these bytes
        }
      }
      break;
  }
  return storage = std::move(fresh);
}

Tensor Weights::tensor(uint32_t stored) const {
  const StoredTensor& t = impl_->tensors.at(stored);
  return Tensor(t.meta, storage(t.payload));
}

bool Weights::same_bytes(const Weights& a, uint32_t x, const Weights& b, uint32_t y) {
  const Payload &p = a.payloads().at(x), &q = b.payloads().at(y);
  if (p == q || (p.nbytes == 0 && q.nbytes == 0)) return true;
  const bool made = p.kind == Payload::Kind::Made || q.kind == Payload::Kind::Made;
  if (made || p.nbytes != q.nbytes) return false;
  return std::memcmp(a.storage(x)->data(), b.storage(y)->data(), static_cast<size_t>(p.nbytes)) == 0;
}

void Weights::unload() const {
  impl_->storages.clear();
  impl_->archives.clear();
}

}  // namespace ersatz
