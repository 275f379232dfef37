// Selects elements of one of two operands by a condition, on CUDA, for `where` and `masked_fill`. Elements of any dtype
// are moved as words of their size. Device code.
#pragma once

#include <cstring>

#include "kernels/pointwise/device_packets.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"

namespace ersatz::pointwise {
namespace {
namespace device {

/// Selects packets. Operands 0 to 3 are the output, the condition, the values for true and the values for false. If the
/// values of an operand are all one number, its `data` is null and `number` has the number.
template <class Word>
struct SelectPackets {
  static constexpr int kWidth = kPacketItems<Word>;
  using Walk = PacketWalk<4, kWidth>;
  Walk walk;
  std::byte* data[4];
  Word number[2];

  ERSATZ_DEVICE Packet<Word, kWidth> chosen(int k, const typename Walk::Place& place) const {
    if (data[2 + k]) return walk.template read<Word>(data[2 + k], 2 + k, place);
    Packet<Word, kWidth> packet;
    ERSATZ_UNROLL
    for (int j = 0; j < kWidth; ++j) packet.item[j] = number[k];
    return packet;
  }
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const typename Walk::Place place = walk.of(i);
    const Packet<uint8_t, kWidth> condition = walk.template read<uint8_t>(data[1], 1, place);
    Packet<Word, kWidth> out = chosen(1, place);
    const Packet<Word, kWidth> yes = chosen(0, place);
    ERSATZ_UNROLL
    for (int j = 0; j < kWidth; ++j) {
      if (condition.item[j] != 0) out.item[j] = yes.item[j];
    }
    walk.write(data[0], place, out);
  }
};

/// Selects element by element, for an output whose elements are not adjacent in memory.
template <class Word>
struct SelectEach {
  DeviceOffsets<4> offsets;
  std::byte* data[4];
  Word number[2];

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    const int k = *reinterpret_cast<const uint8_t*>(data[1] + at[1]) != 0 ? 0 : 1;
    *reinterpret_cast<Word*>(data[0] + at[0]) =
        data[2 + k] ? *reinterpret_cast<const Word*>(data[2 + k] + at[2 + k]) : number[k];
  }
};

}  // namespace device

/// Returns a 0-d CPU tensor with the bytes that `value` has as an element of `like`. If `like` has a conjugate or
/// negation bit, these are the bytes of the conjugate or of the negative.
inline Tensor number_in_bytes_of(const Tensor& like, const Scalar& value) {
  const Tensor number = make_real_tensor(TensorMeta(like.dtype(), std::span<const SymInt>()));
  fill_elements(number, value);
  if (!like.meta().conj && !like.meta().neg) return number;
  TensorMeta meta = number.meta();
  meta.conj = like.meta().conj;
  meta.neg = like.meta().neg;
  const Tensor flipped = make_real_tensor(std::move(meta));
  copy_elements(flipped, number);
  return flipped;
}

/// Writes out = condition ? yes : no, broadcast to out's sizes. REQUIRES: `condition` (bool or u8) and `out` are on one
/// CUDA device. `yes` and `no` have out's dtype: tensors on that device, or 0-d CPU tensors. Their bytes are copied.
inline void select_words(const Tensor& out, const Tensor& condition, const Tensor& yes, const Tensor& no) {
  const Tensor operands[] = {out, condition, yes, no};
  Tensor views[4];
  LoopOperand loop[4];
  for (int k = 0; k < 4; ++k) {
    const bool is_number = k >= 2 && operands[k].device().is_cpu();
    views[k] = is_number || k == 0 ? out : broadcast_view(operands[k], out.sizes());
    loop[k] = {is_number ? nullptr : views[k].raw_data(), item_size(views[k].dtype()), as_ints(views[k].strides())};
  }
  dispatch_item_size(item_size(out.dtype()), [&]<class Word>() {
    using Packets = device::SelectPackets<Word>;
    Word number[2] = {};
    for (int k = 0; k < 2; ++k) {
      if (!loop[2 + k].data) std::memcpy(&number[k], operands[2 + k].raw_data(), sizeof(Word));
    }
    for_each_piece<4>(as_ints(out.sizes()), {loop, 4}, [&](const DevicePiece<4>& piece) {
      const auto launch = [&](int64_t count, auto body) {
        for (int k = 0; k < 4; ++k) body.data[k] = loop[k].data ? piece.data[k] : nullptr;
        for (int k = 0; k < 2; ++k) body.number[k] = number[k];
        cuda_module::launch_each(out.device().index, count, body);
      };
      if (worth_packets(piece, sizeof(Word), Packets::kWidth)) {
        const typename Packets::Walk walk(piece, sizeof(Word));
        launch(walk.packets(), Packets{walk, {}, {}});
      } else {
        launch(piece.numel, device::SelectEach<Word>{piece.offsets, {}, {}});
      }
    });
  });
}

}  // namespace
}  // namespace ersatz::pointwise
