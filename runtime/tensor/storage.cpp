#include "runtime/tensor/storage.h"

#include <algorithm>
#include <atomic>

#include "runtime/base/error.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/live_objects.h"
#include "runtime/tensor/loose_bools.h"

namespace ersatz {

ERSATZ_DEFINE_POOL(Storage)

namespace {
// Each thread takes ids in blocks, so that threads rarely contend for the counter.
constexpr uint64_t kIdBlock = 1 << 16;
std::atomic<uint64_t> g_next_block{1};
thread_local constinit uint64_t t_next_id = 0;
thread_local constinit uint64_t t_last_id = 0;

uint64_t next_id() {
  if (t_next_id == t_last_id) [[unlikely]] {
    t_next_id = g_next_block.fetch_add(1, std::memory_order_relaxed) * kIdBlock;
    t_last_id = t_next_id + kIdBlock;
  }
  return t_next_id++;
}
}  // namespace

Storage::Storage(SymInt nbytes, Device device, bool has_bytes)
    : id_(next_id()), nbytes_(nbytes), device_(device), has_bytes_(has_bytes) {
  detail::count_live(detail::Live::Storage, 1);
}

Ref<Storage> Storage::make_fake(SymInt nbytes, Device device) {
  return Ref<Storage>(new Storage(nbytes, device, /*has_bytes=*/false));
}

Ref<Storage> Storage::allocate(int64_t nbytes, Device device) {
  if (device.is_meta()) return make_fake(nbytes, device);
  Ref<Storage> s(new Storage(nbytes, device, /*has_bytes=*/true));
  if (nbytes > 0) s->data_ = allocator_for(device).allocate(nbytes, device);
  return s;
}

Ref<Storage> Storage::wrap(void* data, int64_t nbytes, Device device, void (*deleter)(void*), void* context) {
  Ref<Storage> s(new Storage(nbytes, device, /*has_bytes=*/true));
  s->data_ = data;
  s->foreign_ = true;
  s->deleter_ = deleter;
  s->deleter_context_ = context;
  return s;
}

void Storage::free_bytes() noexcept {
  if (foreign_) {
    if (deleter_) deleter_(deleter_context_);
    foreign_ = false;
    deleter_ = nullptr;
  } else if (data_) {
    allocator_for(device_).deallocate(data_, nbytes_.as_int(), device_);
  }
  data_ = nullptr;
}

Storage::~Storage() {
  detail::count_live(detail::Live::Storage, -1);
  if (shares_bytes()) forget_lazy_copies();
  if (any_loose_bools()) [[unlikely]]
    forget_loose_bools(id_);
  if (has_bytes_) free_bytes();
}

void Storage::resize(SymInt nbytes) {
  if (has_bytes_) {
    prepare_write();
    int64_t wanted = nbytes.guard_int();
    void* fresh = wanted > 0 ? allocator_for(device_).allocate(wanted, device_) : nullptr;
    int64_t kept = std::min(wanted, nbytes_.as_int());
    if (kept > 0) copy_bytes(fresh, device_, data_, device_, kept);
    free_bytes();
    data_ = fresh;
    nbytes = wanted;
  }
  nbytes_ = nbytes;
}

}  // namespace ersatz
