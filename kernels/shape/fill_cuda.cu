// fill and zero on CUDA: one value into every element of a strided view. It moves bytes of one size, whatever the
// dtype.
#include <cuda_runtime_api.h>

#include <cstring>

#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"
#include "runtime/registry.h"

namespace ersatz::op_fill {
namespace {

constexpr int kMaxDims = 64;
constexpr int kThreads = 256;
constexpr int64_t kMaxBlocks = 65536;  // each thread strides over the rest

/// Dims that are left after merging, innermost first.
struct Walk {
  int64_t size[kMaxDims];
  int64_t stride[kMaxDims];
  int dims = 0;
  int64_t numel = 1;
};

template <class Word>
__global__ void fill(Word* data, Word value, Walk walk) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < walk.numel; i += step) {
    int64_t rest = i, at = 0;
    for (int d = 0; d < walk.dims; ++d) {
      at += rest % walk.size[d] * walk.stride[d];
      rest /= walk.size[d];
    }
    data[at] = value;
  }
}

Walk walk_over(const TensorMeta& meta) {
  Walk walk;
  for (int64_t d = meta.dim() - 1; d >= 0; --d) {
    const int64_t size = meta.sizes[d].as_int(), stride = meta.strides[d].as_int();
    walk.numel *= size;
    if (size == 1) continue;
    if (walk.dims > 0 && stride == walk.size[walk.dims - 1] * walk.stride[walk.dims - 1]) {
      walk.size[walk.dims - 1] *= size;
      continue;
    }
    if (walk.dims == kMaxDims) {
      fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "fill_: more than {} dims on cuda: self is {}",
           kMaxDims, meta);
    }
    walk.size[walk.dims] = size;
    walk.stride[walk.dims++] = stride;
  }
  return walk;
}

template <class Word, class T>
void launch(const Tensor& self, T value) {
  const Walk walk = walk_over(self.meta());
  if (walk.numel == 0) return;
  Word word;
  static_assert(sizeof word == sizeof value);
  std::memcpy(&word, &value, sizeof word);
  const int device = self.device().index;
  cuda_module::DeviceScope scope(device);
  const auto blocks = static_cast<unsigned>(std::min(kMaxBlocks, (walk.numel + kThreads - 1) / kThreads));
  fill<Word><<<blocks, kThreads, 0, cuda_module::current_stream(device)>>>(reinterpret_cast<Word*>(self.raw_data()),
                                                                           word, walk);
  ERSATZ_CHECK_CUDA(cudaGetLastError());
}

void fill_with(const Tensor& self, const Scalar& value) {
  dispatch_dtype<kAllDTypes>(self.dtype(), [&]<class T>() {
    dispatch_item_size(sizeof(T), [&]<class Word>() {
      if constexpr (sizeof(Word) == sizeof(T)) launch<Word>(self, value.to<T>());
    });
  });
}

void scalar_cuda(KernelCall& call) { fill_with(call.outputs[0], call.scalar(1)); }
void zero_cuda(KernelCall& call) { fill_with(call.outputs[0], 0); }

void attach(Registry& registry, std::string_view name, FillKernel kernel) {
  OpEntry* op = registry.find_mutable(name);
  ERSATZ_ASSERT(op, "the module has a kernel for {}, which the library does not have", name);
  op->cuda(kernel);
}

}  // namespace

void attach_cuda(Registry& registry) {
  attach(registry, "aten.fill_.Scalar", scalar_cuda);
  attach(registry, "aten.fill.Scalar", scalar_cuda);
  attach(registry, "aten.zero_.default", zero_cuda);
  attach(registry, "aten.zero.default", zero_cuda);
}

}  // namespace ersatz::op_fill
