#include "tracer/tensors/tensor_archive.h"

#include <bit>
#include <unordered_map>

#include "fake/object/parameter.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/zip_archive.h"
#include "tracer/archive/zip_writer.h"
#include "tracer/tensors/loaded_tensors.h"
#include "tracer/tensors/tensor_index.h"

namespace ersatz {

static_assert(std::endian::native == std::endian::little, "storages are saved as they lie in memory");

namespace {

constexpr int64_t kMaxIndexBytes = int64_t(1) << 28;

/// The tensors to save and their storages. The bytes of a storage become an entry of the archive.
struct Inventory {
  TensorIndex index;
  std::vector<Ref<Storage>> storages;

  explicit Inventory(const NamedTensors& tensors) {
    std::unordered_map<const TensorImpl*, size_t> rows;
    for (const auto& [name, t] : tensors) {
      if (!t) fail_argument("save_tensors: '{}' is undefined", name);
      const auto [row, fresh] = rows.try_emplace(t.impl(), index.tensors.size());
      if (fresh) index.tensors.push_back({{}, t.meta(), number_of(name, t), is_parameter(t)});
      index.tensors[row->second].names.push_back(name);
    }
  }

 private:
  size_t number_of(const std::string& name, const Tensor& t) {
    if (t.meta().is_symbolic() || t.storage()->nbytes().is_symbolic()) {
      fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
           "save_tensors: '{}' has symbolic sizes, which no file keeps: {}", name, t.meta());
    }
    const auto [number, fresh] = numbers_.try_emplace(t.storage().get(), storages.size());
    if (fresh) {
      SavedStorage saved{t.device(), t.storage()->nbytes().as_int(), ""};
      if (t.storage()->has_bytes() && saved.nbytes) saved.data = fmt::format("storages/{}", storages.size());
      storages.push_back(t.storage());
      index.storages.push_back(std::move(saved));
    }
    return number->second;
  }

  std::unordered_map<const Storage*, size_t> numbers_;
};

/// Returns the storage or, if it is not on the CPU, a copy that is.
Ref<Storage> on_host(const Ref<Storage>& storage) {
  if (storage->device().is_cpu()) return storage;
  const int64_t nbytes = storage->nbytes().as_int();
  Ref<Storage> copy = Storage::allocate(nbytes, kCPU);
  copy_bytes(copy->data(), kCPU, storage->data(), storage->device(), nbytes);
  return copy;
}

/// Gives a TensorLoader the bytes of an archive's storages.
class ArchivedStorages final : public StorageSource {
 public:
  ArchivedStorages(const ZipArchive& zip, const TensorIndex& index) : zip_(zip), index_(index) {}

  int64_t nbytes(size_t storage) const override { return index_.storages[storage].nbytes; }
  bool has_bytes(size_t storage) const override {
    return !index_.storages[storage].data.empty() || nbytes(storage) == 0;
  }
  void check(size_t storage) const override {
    const SavedStorage& s = index_.storages[storage];
    if (s.data.empty()) return;
    const ZipArchive::Entry* entry = zip_.find(s.data);
    if (!entry) fail_argument("{}: storage {} names a missing entry '{}'", zip_.path(), storage, s.data);
    if (entry->size != s.nbytes) {
      fail_argument("{}: {}: has {} bytes where storage {} has {}", zip_.path(), s.data, entry->size, storage,
                    s.nbytes);
    }
  }
  Ref<Storage> read(size_t storage) const override {
    const SavedStorage& s = index_.storages[storage];
    Ref<Storage> bytes = Storage::allocate(s.nbytes, kCPU);
    if (s.nbytes) zip_.read(s.data, {reinterpret_cast<char*>(bytes->data()), static_cast<size_t>(s.nbytes)});
    return bytes;
  }

 private:
  const ZipArchive& zip_;
  const TensorIndex& index_;
};

}  // namespace

void save_tensors(const std::string& path, const NamedTensors& tensors) {
  const Inventory inventory(tensors);
  const std::string index = print_tensor_index(inventory.index);
  std::vector<Ref<Storage>> readable;  // keeps the copies in memory until the file is written
  ZipWriter zip(path);
  zip.add(kTensorIndexEntry, std::as_bytes(std::span(index)));
  for (size_t i = 0; i < inventory.storages.size(); ++i) {
    const SavedStorage& saved = inventory.index.storages[i];
    if (saved.data.empty()) continue;
    readable.push_back(on_host(inventory.storages[i]));
    zip.add(saved.data, {readable.back()->data(), static_cast<size_t>(saved.nbytes)});
  }
  zip.finish();
}

NamedTensors load_tensors(const std::string& path, const LoadTensorsOptions& options) {
  const std::shared_ptr<ZipArchive> zip = ZipArchive::open(path);
  const ZipArchive::Entry* entry = zip->find(kTensorIndexEntry);
  if (!entry) fail_argument("{}: no tensor archive: it has no entry '{}'", path, kTensorIndexEntry);
  if (entry->size > kMaxIndexBytes) fail_argument("{}: {}: {} bytes are too many", path, entry->name, entry->size);
  const TensorIndex index = parse_tensor_index(zip->read(*entry), path + ": " + kTensorIndexEntry);

  const ArchivedStorages storages(*zip, index);
  TensorLoader loader(path, storages, options);
  NamedTensors loaded;
  for (const SavedTensor& saved : index.tensors) loader.expect(saved.names[0], saved.storage, saved.meta);
  for (const SavedTensor& saved : index.tensors) {
    const Tensor t = loader.make(saved.storage, saved.meta);
    if (saved.parameter) mark_parameter(t);
    for (const std::string& name : saved.names) loaded.emplace(name, t);
  }
  return loaded;
}

}  // namespace ersatz
