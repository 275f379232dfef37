// Writes one element to every place of a strided view on CUDA. The kernel copies the element's bytes, for any dtype.
// Adjacent elements are written 16 bytes at a time.
#include <cstring>

#include "kernels/pointwise/device_loop.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_fill {
namespace {

struct alignas(16) Pattern {
  uint64_t half[2];
};

template <class Word>
struct FillAll {
  Word* data;
  Word value;
  ERSATZ_DEVICE void operator()(int64_t i) const { data[i] = value; }
};

template <class Word>
struct FillStrided {
  pointwise::DeviceOffsets<1> offsets;
  std::byte* data;
  Word value;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    *reinterpret_cast<Word*>(data + offsets.of(static_cast<uint32_t>(i))[0]) = value;
  }
};

template <class Word>
void fill_packed(int device, std::byte* data, int64_t numel, Word value) {
  int64_t done = 0;
  if (reinterpret_cast<uintptr_t>(data) % sizeof(Pattern) == 0) {
    Pattern pattern;
    for (size_t at = 0; at < sizeof pattern; at += sizeof value) {
      std::memcpy(reinterpret_cast<std::byte*>(&pattern) + at, &value, sizeof value);
    }
    const int64_t each = sizeof(Pattern) / sizeof(Word), wide = numel / each;
    cuda_module::launch_each(device, wide, FillAll<Pattern>{reinterpret_cast<Pattern*>(data), pattern});
    done = wide * each;
  }
  cuda_module::launch_each(device, numel - done, FillAll<Word>{reinterpret_cast<Word*>(data) + done, value});
}

void fill(const Tensor& t, const void* element) {
  const int device = t.device().index;
  const int64_t item = item_size(t.dtype());
  const pointwise::LoopOperand operand{t.raw_data(), item, as_ints(t.strides())};
  dispatch_item_size(item, [&]<class Word>() {
    Word value;
    std::memcpy(&value, element, sizeof value);
    pointwise::for_each_piece<1>(as_ints(t.sizes()), {&operand, 1}, [&](const pointwise::DevicePiece<1>& piece) {
      if (piece.contiguous) {
        fill_packed(device, piece.data[0], piece.numel, value);
      } else {
        cuda_module::launch_each(device, piece.numel, FillStrided<Word>{piece.offsets, piece.data[0], value});
      }
    });
  });
}

}  // namespace

void attach_cuda(Registry&) { device_fill() = fill; }

}  // namespace ersatz::op_fill
