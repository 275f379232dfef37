// DeviceDraw: runs draws on CUDA. Draws are functors that CPU and CUDA share. One thread computes one block of random
// words and stores all elements of the block. Included by *_cuda.cu files.
#pragma once

#include "kernels/device_check.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/random/draw.h"
#include "kernels/random/draw_elements.h"
#include "kernels/random/moments.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz {
namespace device_draw {

template <class T, class Draw>
struct DrawBlocks {
  T* out;
  int64_t n;
  uint64_t seed, offset;
  Draw draw;
  bool aligned;

  struct alignas(sizeof(T) * Draw::kPerBlock) Together {
    T element[Draw::kPerBlock];
  };
  ERSATZ_DEVICE void operator()(int64_t block) const {
    const int64_t e = block * Draw::kPerBlock;
    const PhiloxWords words = philox_words(seed, offset + static_cast<uint64_t>(block));
    T* const to = out + e;
    if (aligned && e + Draw::kPerBlock <= n) {
      Together all;
      draw(all.element, Draw::kPerBlock, e, words);
      *reinterpret_cast<Together*>(to) = all;
    } else {
      const int64_t left = n - e;
      draw(to, static_cast<int>(left < Draw::kPerBlock ? left : Draw::kPerBlock), e, words);
    }
  }
};

template <class Bad>
struct LookForBad {
  const double* values;
  uint32_t* found;  // flag that is set if a value is bad; if null, `note` records the value for the host
  cuda_module::FailureNote note;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const double value = values[i];
    if (!Bad()(value)) return;
    if (found) return cuda_module::atomic_or(found, 1);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    note.take(bits, static_cast<uint64_t>(i));
  }
};

template <class Kind>
std::string noted_words(const cuda_module::NotedValue& v) {
  double value;
  std::memcpy(&value, &v.value, sizeof value);
  return Kind::words(value, v.position);
}

}  // namespace device_draw

/// Runs the draws of draw_ops.h on a CUDA device. HostDraw runs them on the CPU.
struct DeviceDraw {
  template <class T>
  using Element = DeviceType_t<T>;

  template <class T, class Draw>
  static void fill(const DrawTarget& to, GeneratorState start, const Draw& draw) {
    cuda_module::launch_each(
        to.device.index, (to.n + Draw::kPerBlock - 1) / Draw::kPerBlock,
        device_draw::DrawBlocks<T, Draw>{static_cast<T*>(to.data), to.n, start.seed, start.offset, draw,
                                         reinterpret_cast<uintptr_t>(to.data) % (sizeof(T) * Draw::kPerBlock) == 0});
  }
  template <class F>
  static void for_each(Device device, int64_t n, const F& f) {
    cuda_module::launch_each(device.index, n, f);
  }
  /// Raises an error for a number that `Kind` refuses. If checks_at_once() is true and the device finds a bad number,
  /// copies the numbers to the host, because the error text contains the bad number.
  template <class Kind>
  static void require_all(const KernelCall& call, const Tensor& numbers) {
    using Look = device_draw::LookForBad<typename Kind::Bad>;
    const int64_t n = numbers.numel().as_int();
    if (n == 0) return;
    const int device = numbers.device().index;
    const auto look = [&](uint32_t* flag, const cuda_module::FailureNote& note) {
      cuda_module::launch_each(device, n, Look{reinterpret_cast<const double*>(numbers.raw_data()), flag, note});
    };
    const cuda_module::FailureNote note = checked_or_noted(
        device, {.words = device_draw::noted_words<Kind>, .item = 1}, [&](uint32_t* flag) { look(flag, {}); },
        [&] {
          const Tensor here = make_real_tensor(TensorMeta(DType::F64, numbers.sizes()));
          copy_elements(here, numbers);
          ersatz::require_all<Kind>(call, here.data<double>(), n);
        });
    if (note) look(nullptr, note);
  }
};

}  // namespace ersatz
