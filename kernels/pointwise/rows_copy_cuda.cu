// Copying between any strides and dtypes on CUDA, and the search for a zero. Equal dtypes move words of their size.
#include "kernels/pointwise/device_loop.h"
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

struct alignas(16) Words {
  uint64_t lo, hi;
};

template <class Word>
struct MovePacked {
  Word* to;
  const Word* from;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = from[i]; }
};

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

template <class T>
struct Convert {
  DeviceOffsets<2> offsets;
  std::byte* to;
  const std::byte* from;
  DType from_dtype;
  bool conjugate, negate;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    T value = load_as<T>(from + at[1], from_dtype);
    if constexpr (kIsDeviceComplex<T>) {
      if (conjugate) value = T(value.real(), -value.imag());
    }
    if constexpr (!std::is_same_v<T, bool>) {
      if (negate) {
        if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
          value.bits ^= 0x8000;
        } else {
          value = static_cast<T>(-value);
        }
      }
    }
    *reinterpret_cast<T*>(to + at[0]) = value;
  }
};

bool aligned(const void* p, size_t to) { return reinterpret_cast<uintptr_t>(p) % to == 0; }

template <class Word>
void move(int device, const DevicePiece<2>& piece) {
  if (!piece.contiguous) {
    return cuda_module::launch_each(device, piece.numel,
                                    MoveStrided<Word>{piece.offsets, piece.data[0], piece.data[1]});
  }
  const int64_t bytes = piece.numel * static_cast<int64_t>(sizeof(Word)), wide = bytes / sizeof(Words);
  std::byte *to = piece.data[0], *from = piece.data[1];
  int64_t done = 0;
  if (aligned(to, 16) && aligned(from, 16)) {
    cuda_module::launch_each(device, wide,
                             MovePacked<Words>{reinterpret_cast<Words*>(to), reinterpret_cast<Words*>(from)});
    done = wide * static_cast<int64_t>(sizeof(Words));
  }
  cuda_module::launch_each(device, (bytes - done) / static_cast<int64_t>(sizeof(Word)),
                           MovePacked<Word>{reinterpret_cast<Word*>(to + done), reinterpret_cast<Word*>(from + done)});
}

void copy(int device, std::span<const int64_t> sizes, const DeviceOperand& to, const DeviceOperand& from,
          bool conjugate, bool negate) {
  const pointwise::LoopOperand operands[] = {{to.data, item_size(to.dtype), to.strides},
                                             {from.data, item_size(from.dtype), from.strides}};
  pointwise::for_each_piece<2>(sizes, operands, [&](const DevicePiece<2>& piece) {
    if (to.dtype == from.dtype && !conjugate && !negate) {
      dispatch_item_size(item_size(to.dtype), [&]<class Word>() { move<Word>(device, piece); });
      return;
    }
    dispatch_dtype<kAllDTypes>(to.dtype, [&]<class T>() {
      cuda_module::launch_each(
          device, piece.numel,
          Convert<DeviceType_t<T>>{piece.offsets, piece.data[0], piece.data[1], from.dtype, conjugate, negate});
    });
  });
}

struct SeekZero {
  DeviceOffsets<1> offsets;
  const std::byte* data;
  int item;
  uint32_t* found;  // null: the note is taken
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
