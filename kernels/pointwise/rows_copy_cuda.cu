// Copies between any strides and dtypes on CUDA, and a search for elements that are zero. Copies between equal dtypes
// move words of the element's size.
#include "kernels/pointwise/device_copy.h"
#include "kernels/pointwise/device_rows.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/pointwise/elementwise.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/scratch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_rows_copy {
namespace {

using pointwise::DeviceOffsets;
using pointwise::DeviceOperand;
using pointwise::DevicePiece;

template <class Word>
struct MoveStrided {
  DeviceOffsets<2> offsets;
  std::byte* to;
  const std::byte* from;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    *reinterpret_cast<Word*>(to + at[0]) = *reinterpret_cast<const Word*>(from + at[1]);
  }
};

/// All dtypes except the packed one.
constexpr DTypeSet kConverted = kEveryDType.without({DType::F4E2M1FNx2});

template <class T>
ERSATZ_DEVICE T negated(const T& value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    T flipped = value;
    flipped.bits ^= 0x8000;
    return flipped;
  } else if constexpr (kIsDeviceComplex<T>) {
    return T(negated(value.real()), negated(value.imag()));
  } else {
    return static_cast<T>(-value);
  }
}

template <class T>
struct Convert {
  DeviceOffsets<2> offsets;
  std::byte* to;
  const std::byte* from;
  DType from_dtype;
  bool conjugate, negate;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    T value = load_as<T, kConverted>(from + at[1], from_dtype);
    if constexpr (kIsDeviceComplex<T>) {
      if (conjugate) value = T(value.real(), negated(value.imag()));
    }
    if constexpr (!std::is_same_v<T, bool>) {
      if (negate) value = negated(value);
    }
    *reinterpret_cast<T*>(to + at[0]) = value;
  }
};

template <class Word>
void move(int device, const DevicePiece<2>& piece) {
  using Packets = pointwise::MovePackets<Word>;
  std::byte* const to = piece.data[0];
  const std::byte* const from = piece.data[1];
  if constexpr (sizeof(Word) <= 8) {
    using pointwise::TilePlan;
    const TilePlan tiles = pointwise::plan_tiles(piece, sizeof(Word));
    if (tiles.blocks > 0) {
      return cuda_module::launch_blocks(device, tiles.blocks, TilePlan::kThreads, TilePlan::kSharedBytes<Word>,
                                        pointwise::MoveTiles<Word>{tiles, to, from});
    }
  }
  if (!pointwise::worth_packets(piece, sizeof(Word), Packets::kWidth)) {
    return cuda_module::launch_each(device, piece.numel, MoveStrided<Word>{piece.offsets, to, from});
  }
  const Packets packets{{piece, sizeof(Word)}, to, from};
  cuda_module::launch_each(device, packets.walk.packets(), packets);
}

/// A conversion that is common in programs is compiled for its two dtypes. All others select the dtype by a switch.
struct Conversion {
  DType from, to;
  int width;
  void (*launch)(int device, const DevicePiece<2>& piece);
};

template <class To, class From>
void launch_conversion(int device, const DevicePiece<2>& piece) {
  const pointwise::ConvertPackets<To, From> packets{{piece, sizeof(To)}, piece.data[0], piece.data[1]};
  cuda_module::launch_each(device, packets.walk.packets(), packets);
}
template <class To, class From>
constexpr Conversion conversion() {
  return {dtype_of<From>, dtype_of<To>, pointwise::kConvertedItems<To, From>, launch_conversion<To, From>};
}

using e4m3 = float8_e4m3fn;
using e5m2 = float8_e5m2;

constexpr Conversion kConversions[] = {
    conversion<half, bfloat16>(),   conversion<half, float>(),       conversion<half, double>(),
    conversion<bfloat16, half>(),   conversion<bfloat16, float>(),   conversion<bfloat16, double>(),
    conversion<float, half>(),      conversion<float, bfloat16>(),   conversion<float, double>(),
    conversion<double, half>(),     conversion<double, bfloat16>(),  conversion<double, float>(),
    conversion<half, int64_t>(),    conversion<bfloat16, int64_t>(), conversion<float, int64_t>(),
    conversion<double, int64_t>(),  conversion<int32_t, int64_t>(),  conversion<bool, int64_t>(),
    conversion<float, int32_t>(),   conversion<int64_t, int32_t>(),  conversion<int32_t, float>(),
    conversion<int64_t, float>(),   conversion<uint8_t, float>(),    conversion<bool, float>(),
    conversion<half, uint8_t>(),    conversion<bfloat16, uint8_t>(), conversion<float, uint8_t>(),
    conversion<int64_t, uint8_t>(), conversion<bool, uint8_t>(),     conversion<half, bool>(),
    conversion<bfloat16, bool>(),   conversion<float, bool>(),       conversion<int64_t, bool>(),
    conversion<int32_t, bool>(),    conversion<uint8_t, bool>(),     conversion<e4m3, float>(),
    conversion<e4m3, half>(),       conversion<e4m3, bfloat16>(),    conversion<e5m2, float>(),
    conversion<e5m2, half>(),       conversion<e5m2, bfloat16>(),    conversion<float, e4m3>(),
    conversion<half, e4m3>(),       conversion<bfloat16, e4m3>(),    conversion<float, e5m2>(),
    conversion<half, e5m2>(),       conversion<bfloat16, e5m2>(),
};

void convert(int device, const DevicePiece<2>& piece, DType to, DType from, bool conjugate, bool negate) {
  for (const Conversion& c : kConversions) {
    if (c.from != from || c.to != to || conjugate || negate) continue;
    if (pointwise::worth_packets(piece, item_size(to), c.width)) return c.launch(device, piece);
  }
  if (!kConverted.has(from)) throw NoKernelForDType{from};
  dispatch_dtype<kConverted>(to, [&]<class T>() {
    cuda_module::launch_each(
        device, piece.numel,
        Convert<DeviceType_t<T>>{piece.offsets, piece.data[0], piece.data[1], from, conjugate, negate});
  });
}

void copy(int device, std::span<const int64_t> sizes, const DeviceOperand& to, const DeviceOperand& from,
          bool conjugate, bool negate) {
  const pointwise::LoopOperand operands[] = {{to.data, item_size(to.dtype), to.strides},
                                             {from.data, item_size(from.dtype), from.strides}};
  pointwise::for_each_piece<2>(sizes, operands, [&](const DevicePiece<2>& piece) {
    if (to.dtype == from.dtype && !conjugate && !negate) {
      return dispatch_item_size(item_size(to.dtype), [&]<class Word>() { move<Word>(device, piece); });
    }
    convert(device, piece, to.dtype, from.dtype, conjugate, negate);
  });
}

struct SeekZero {
  DeviceOffsets<1> offsets;
  const std::byte* data;
  int item;
  uint32_t* found;  // if null, `note` records the zero
  cuda_module::FailureNote note;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const std::byte* at = data + offsets.of(static_cast<uint32_t>(i))[0];
    bool zero = true;
    for (int b = 0; b < item; ++b) zero &= at[b] == std::byte(0);
    if (zero) found ? cuda_module::atomic_or(found, 1) : note.take(0, 0);
  }
};

void seek_zero(int device, std::span<const int64_t> sizes, const DeviceOperand& of, uint32_t* found,
               const cuda_module::FailureNote& note) {
  const pointwise::LoopOperand operand{of.data, item_size(of.dtype), of.strides};
  pointwise::for_each_piece<1>(sizes, {&operand, 1}, [&](const DevicePiece<1>& piece) {
    cuda_module::launch_each(
        device, piece.numel,
        SeekZero{piece.offsets, piece.data[0], static_cast<int>(item_size(of.dtype)), found, note});
  });
}

bool has_zero(int device, std::span<const int64_t> sizes, const DeviceOperand& of) {
  cuda_module::DeviceFlag flag(device);
  seek_zero(device, sizes, of, flag.address(), {});
  return flag.read() != 0;
}

std::string zero_divisor_words(const cuda_module::NotedValue&) { return pointwise::kZeroDivisorWords; }

void note_zero(int device, std::span<const int64_t> sizes, const DeviceOperand& of) {
  seek_zero(device, sizes, of, nullptr, cuda_module::note_for(device, {.words = zero_divisor_words}));
}

}  // namespace

void attach_cuda(Registry&) {
  pointwise::device_rows().copy = copy;
  pointwise::device_rows().has_zero = has_zero;
  pointwise::device_rows().note_zero = note_zero;
}

}  // namespace ersatz::op_rows_copy
