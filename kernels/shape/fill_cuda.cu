// fill and zero on CUDA: one value into every element of a strided view. It moves bytes of one size, whatever the
// dtype.
#include <cstring>

#include "kernels/pointwise/device_loop.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_fill {
namespace {

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

template <class Word, class T>
void launch(const Tensor& self, T value) {
  Word word;
  static_assert(sizeof word == sizeof value);
  std::memcpy(&word, &value, sizeof word);
  const int device = self.device().index;
  const pointwise::LoopOperand operand{self.raw_data(), sizeof(Word), as_ints(self.strides())};
  pointwise::for_each_piece<1>(as_ints(self.sizes()), {&operand, 1}, [&](const pointwise::DevicePiece<1>& piece) {
    if (piece.contiguous) {
      cuda_module::launch_each(device, piece.numel, FillAll<Word>{reinterpret_cast<Word*>(piece.data[0]), word});
    } else {
      cuda_module::launch_each(device, piece.numel, FillStrided<Word>{piece.offsets, piece.data[0], word});
    }
  });
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

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.fill_.Scalar", scalar_cuda);
  cuda_module::attach(registry, "aten.fill.Scalar", scalar_cuda);
  cuda_module::attach(registry, "aten.zero_.default", zero_cuda);
  cuda_module::attach(registry, "aten.zero.default", zero_cuda);
}

}  // namespace ersatz::op_fill
