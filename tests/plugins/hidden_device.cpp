// A CUDA module without a GPU, for tests: a device whose memory the host cannot read.
//
// Device addresses are in a range that is mapped without access, so host code that dereferences one crashes. The bytes
// are in a second range, the shadow, which copies and kernels of this module use. The CUDA kernel of every op is its
// CPU kernel, run on the shadow; tests replace some. ERSATZ_CUDA_MODULE names this module.
#include <sys/mman.h>

#include <cstring>
#include <map>
#include <mutex>

#include "kernels/pointwise/device_rows.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

constexpr int64_t kArena = int64_t(1) << 32;
constexpr int64_t kAligned = 256;

/// Allocates blocks of the range: the first free block that is large enough.
class Arena {
 public:
  Arena() {
    void* all = mmap(nullptr, 2 * kArena, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ERSATZ_ASSERT(all != MAP_FAILED, "no address space");
    start_ = static_cast<std::byte*>(all);
    mprotect(start_ + kArena, kArena, PROT_READ | PROT_WRITE);
  }
  void* allocate(int64_t nbytes) {
    std::lock_guard lock(mutex_);
    nbytes = (nbytes + kAligned - 1) / kAligned * kAligned;
    int64_t at = 0;
    for (const auto& [block, size] : blocks_) {
      if (block - at >= nbytes) break;
      at = block + size;
    }
    if (at + nbytes > kArena) return nullptr;
    blocks_[at] = nbytes;
    return start_ + at;
  }
  void deallocate(void* p) {
    std::lock_guard lock(mutex_);
    blocks_.erase(static_cast<std::byte*>(p) - start_);
  }

 private:
  std::byte* start_;
  std::mutex mutex_;
  std::map<int64_t, int64_t> blocks_;
};

Arena& arena() {
  static auto* all = new Arena;
  return *all;
}

std::byte* shadow(const void* p) { return static_cast<std::byte*>(const_cast<void*>(p)) + kArena; }

const char* error_text(int) { return "out of memory"; }
int device(int, CudaDevice* device) {
  device->capability = 90;
  device->total_bytes = kArena;
  std::strcpy(device->name, "hidden test device");
  return 0;
}
int allocate(void** address, int64_t nbytes, int) { return (*address = arena().allocate(nbytes)) ? 0 : 2; }
int deallocate(void* address, int) { return arena().deallocate(address), 0; }
int copy(void* to, int to_device, const void* from, int from_device, int64_t nbytes) {
  if (to_device >= 0) to = shadow(to);
  std::memmove(to, from_device >= 0 ? shadow(from) : from, static_cast<size_t>(nbytes));
  return 0;
}
int set(void* address, int byte, int64_t nbytes, int) {
  return std::memset(shadow(address), byte, static_cast<size_t>(nbytes)), 0;
}
int synchronize(int) { return 0; }

/// Makes CPU tensors on the shadow of device memory. They share storages as the device's tensors do.
class Shadows {
 public:
  Tensor of(const Tensor& t) {
    if (!t || !t.device().is_cuda()) return t;
    Tensor& mine = tensors_[t.impl()];
    if (mine) return mine;
    TensorMeta meta = t.meta();
    meta.device = kCPU;
    Ref<Storage>& storage = storages_[t.storage().get()];
    if (!storage) {
      std::byte* data = t.storage()->data() ? shadow(t.storage()->data()) : nullptr;
      storage = Storage::wrap(data, t.storage()->nbytes().as_int(), kCPU, nullptr, nullptr);
    }
    return mine = Tensor(std::move(meta), storage);
  }
  /// Returns the device tensor for a kernel's result. If the result is the shadow of a device tensor, returns that
  /// tensor; else a new one.
  Tensor back(const Tensor& t) {
    for (const auto& [original, mine] : tensors_) {
      if (mine.is(t)) return Tensor(Ref<TensorImpl>(const_cast<TensorImpl*>(original)));
    }
    TensorMeta meta = t.meta();
    meta.device = cuda();
    const int64_t n = t.storage()->nbytes().as_int();
    Ref<Storage> storage = Storage::allocate(n, cuda());
    copy_bytes(storage->data(), cuda(), t.storage()->data(), kCPU, n);
    return Tensor(std::move(meta), std::move(storage));
  }

 private:
  std::map<const TensorImpl*, Tensor> tensors_;
  std::map<const Storage*, Ref<Storage>> storages_;
};

/// A scope in which the CPU's generator has the state of the device's.
class DeviceGenerator {
 public:
  DeviceGenerator() : before_(default_generator(kCPU).state()) {
    default_generator(kCPU).set_state(default_generator(cuda()).state());
  }
  ~DeviceGenerator() {
    default_generator(cuda()).set_state(default_generator(kCPU).state());
    default_generator(kCPU).set_state(before_);
  }

 private:
  GeneratorState before_;
};

void fill_kernel(KernelCall& call) {
  Shadows shadows;
  const DeviceGenerator generator;
  const std::vector<Value> args = map_tensors(call.args, [&](const Tensor& t) { return shadows.of(t); });
  std::vector<Tensor> outputs;
  for (const Tensor& t : call.outputs) outputs.push_back(shadows.of(t));
  KernelCall on_host{call.op, args, outputs, call.context};
  call.op.fill_kernels[0].load()(on_host);
}

void return_kernel(KernelCall& call, Values& results) {
  Shadows shadows;
  const DeviceGenerator generator;
  const std::vector<Value> args = map_tensors(call.args, [&](const Tensor& t) { return shadows.of(t); });
  KernelCall on_host{call.op, args, {}, call.context};
  Values made;
  call.op.return_kernels[0].load()(on_host, made);
  for (Value& v : map_tensors({made.data(), made.size()}, [&](const Tensor& t) { return shadows.back(t); })) {
    results.push_back(std::move(v));
  }
}

/// Returns a CPU tensor on the shadow of an operand's memory.
Tensor shadow_of(std::span<const int64_t> sizes, const pointwise::DeviceOperand& o) {
  TensorMeta meta(o.dtype, DimVec(sizes.begin(), sizes.end()));
  for (size_t d = 0; d < sizes.size(); ++d) meta.strides[d] = o.strides.empty() ? 0 : o.strides[d];
  std::byte* data = o.data ? shadow(o.data) : const_cast<std::byte*>(o.number);
  const int64_t n = storage_bytes_needed(meta).as_int();
  return Tensor(std::move(meta), Storage::wrap(data, n, kCPU, nullptr, nullptr));
}

void copy_row(int, std::span<const int64_t> sizes, const pointwise::DeviceOperand& to,
              const pointwise::DeviceOperand& from, bool conjugate, bool negate) {
  const Tensor source = shadow_of(sizes, from);
  source.impl()->meta.conj = conjugate;
  source.impl()->meta.neg = negate;
  copy_elements(shadow_of(sizes, to), source);
}

}  // namespace
}  // namespace ersatz

/// Returns the shadow's bytes for a device address, for the kernels of a test.
extern "C" __attribute__((visibility("default"))) std::byte* hidden_device_bytes(const void* address) {
  return ersatz::shadow(address);
}

extern "C" __attribute__((visibility("default"))) int ersatz_cuda_attach(uint32_t abi, ersatz::CudaFunctions* functions,
                                                                         char*, size_t) {
  using namespace ersatz;
  if (abi != kCudaModuleAbi) return static_cast<int>(CudaAttach::WrongVersion);
  for (const OpEntry* op : registry().all()) {
    OpEntry& entry = *registry().find_mutable(op->name);
    if (entry.fill_kernels[0].load()) entry.fill_kernels[1] = fill_kernel;
    if (entry.return_kernels[0].load()) entry.return_kernels[1] = return_kernel;
  }
  pointwise::device_rows().copy = copy_row;  // used outside of kernels too, to write back a program's buffers
  *functions = {error_text, device, allocate, deallocate, copy, set, synchronize, 1};
  return static_cast<int>(CudaAttach::Attached);
}
