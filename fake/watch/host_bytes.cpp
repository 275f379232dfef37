#include "fake/watch/host_bytes.h"

#include "runtime/tensor/allocator.h"

namespace ersatz {

HostBytes::HostBytes(const Storage& storage, int64_t first, int64_t nbytes) : data_(storage.data() + first) {
  if (!storage.device().is_cuda()) return;
  copy_.resize(static_cast<size_t>(nbytes));
  copy_bytes(copy_.data(), kCPU, data_, storage.device(), nbytes);
  data_ = copy_.data();
}

}  // namespace ersatz
