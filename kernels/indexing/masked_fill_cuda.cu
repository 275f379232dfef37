// masked_fill on CUDA.
#include "kernels/indexing/device_index.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/indexing/tensor_number.h"

namespace ersatz::op_masked_fill {
namespace {

using namespace device_index;

template <class Word>
struct FillWhere {
  pointwise::DeviceOffsets<3> offsets;
  std::byte* out;
  const std::byte* self;
  const std::byte* mask;
  const Word* value;  // on the device
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    const bool fill = *reinterpret_cast<const uint8_t*>(mask + at[2]) != 0;
    *reinterpret_cast<Word*>(out + at[0]) = fill ? *value : *reinterpret_cast<const Word*>(self + at[1]);
  }
};

void run_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Scalar value = call[kEach["value"]].is_tensor() ? fitting_number(call, call.tensor(kEach["value"]), out.dtype())
                                                        : call.scalar(kEach["value"]);
  const Tensor number = number_as_in(out, value);
  const Tensor mask = broadcast_view(moved_to(out.device(), call.tensor(kEach["mask"])), out.sizes());
  const Tensor given = call.tensor(kEach["self"]);
  const Tensor self = given.is(out) ? out : broadcast_view(plain_input(given), out.sizes());
  const int device = out.device().index;
  const pointwise::LoopOperand operands[] = {operand_of(out), operand_of(self), operand_of(mask)};
  dispatch_item_size(item_size(out.dtype()), [&]<class Word>() {
    pointwise::for_each_piece<3>(as_ints(out.sizes()), operands, [&](const pointwise::DevicePiece<3>& piece) {
      cuda_module::launch_each(device, piece.numel,
                               FillWhere<Word>{piece.offsets, piece.data[0], piece.data[1], piece.data[2],
                                               reinterpret_cast<const Word*>(number.raw_data())});
    });
  });
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name :
       {"aten.masked_fill.Tensor", "aten.masked_fill_.Tensor", "aten.masked_fill.Scalar", "aten.masked_fill_.Scalar"}) {
    cuda_module::attach(registry, name, run_cuda);
  }
}

}  // namespace ersatz::op_masked_fill
