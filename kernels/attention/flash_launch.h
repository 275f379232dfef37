// Launches CUDA's flash attention (flash_device.h) for each dtype. *_cuda.cu files include this header.
#pragma once

#include <algorithm>
#include <type_traits>

#include "kernels/attention/flash_device.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/scratch.h"

namespace ersatz::op_flash_attention {

template <class T, class C, class M>
void launch_attend(const Problem& p, const Extras& x, int device) {
  const Tile tile =
      choose_tile(p.queries, p.batches * p.heads, static_cast<int>(p.features), static_cast<int>(x.value_features),
                  sizeof(C), cuda_module::device_properties(device).multiprocessors);
  const int64_t bytes = tile.size() * static_cast<int64_t>(sizeof(C));
  const bool fits = bytes <= static_cast<int64_t>(kMostShared);
  const int64_t tiles = (p.queries + tile.queries - 1) / tile.queries, tasks = p.batches * p.heads * tiles;
  const int64_t blocks = std::min<int64_t>(tasks, fits ? cuda_module::kMostBlocks : 1024);
  const cuda_module::DeviceScratch scratch(device, fits ? 0 : blocks * bytes);
  const auto launch = [&]<bool kShared>(std::bool_constant<kShared>) {
    using Task = Attend<T, C, M, kShared>;
    const int64_t shared = Task::kPartBytes + (kShared ? bytes : 0);
    cuda_module::launch_blocks(
        device, blocks, kAttendThreads, static_cast<size_t>(shared),
        Task{{p, x}, tile, tiles, tasks, blocks, C(p.scale), C(1 / (1 - x.dropout)), scratch.as<C>()});
  };
  fits ? launch(std::true_type()) : launch(std::false_type());
}

/// Calls f with three types: T of the elements, C in which the kernel computes, and M of the mask.
template <class F>
void dispatch_attention(const Problem& p, const F& f) {
  dispatch_dtype<kFloats>(p.query.dtype, [&]<class T>() {
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    if (p.mask.data && p.mask.dtype == DType::F32) {
      f.template operator()<T, C, float>();
    } else {
      f.template operator()<T, C, T>();
    }
  });
}

/// Computes attention for all queries of all sequences. REQUIRES: dropout < 1.
inline void attend_on_device(const Problem& p, const Extras& x, int device) {
  if (p.batches * p.heads * p.queries == 0) return;
  dispatch_attention(p, [&]<class T, class C, class M>() { launch_attend<T, C, M>(p, x, device); });
}

}  // namespace ersatz::op_flash_attention
