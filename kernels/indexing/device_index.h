// Index tensors on a CUDA device: read where they lie, checked before anything is touched. Included by _cuda.cu files.
#pragma once

#include "kernels/dense_operand.h"
#include "kernels/indexing/index_values.h"
#include "kernels/pointwise/device_loop.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/scratch.h"
#include "runtime/op/kernel.h"

namespace ersatz::device_index {

/// `t` itself, or a copy of it on `device`.
inline Tensor moved_to(Device device, const Tensor& t) {
  if (t.device() == device) return t;
  const Tensor moved = make_real_tensor(TensorMeta(t.dtype(), t.sizes(), device));
  copy_elements(moved, t);
  return moved;
}

template <class Word>
struct SetNumber {
  Word* to;
  Word value;
  ERSATZ_DEVICE void operator()(int64_t) const { *to = value; }
};

/// A 0-d tensor of the host on a CUDA device: its element travels with a launch, nothing is waited for.
inline Tensor number_moved_to(Device device, const Tensor& host) {
  const Tensor number = make_real_tensor(TensorMeta(host.dtype(), std::span<const SymInt>(), device));
  dispatch_item_size(item_size(host.dtype()), [&]<class Word>() {
    cuda_module::launch_each(
        device.index, 1,
        SetNumber<Word>{reinterpret_cast<Word*>(number.raw_data()), *reinterpret_cast<const Word*>(host.raw_data())});
  });
  return number;
}

/// A tensor without dims on a CUDA device that holds a number.
inline Tensor number_on(Device device, DType dtype, const Scalar& value) {
  const Tensor host = make_real_tensor(TensorMeta(dtype, std::span<const SymInt>()));
  dispatch_dtype<kAllDTypes>(dtype, [&]<class T>() { *host.data<T>() = value.to<T>(); });
  return number_moved_to(device, host);
}

/// The same as the bytes of `like`, lazy bits and all, would hold it.
inline Tensor number_as_in(const Tensor& like, const Scalar& value) {
  const Tensor number = number_on(like.device(), like.dtype(), value);
  if (!like.meta().conj && !like.meta().neg) return number;
  TensorMeta meta(like.dtype(), std::span<const SymInt>(), like.device());
  meta.conj = like.meta().conj;
  meta.neg = like.meta().neg;
  const Tensor flipped = make_real_tensor(std::move(meta));
  copy_elements(flipped, number);
  return flipped;
}

/// The same number everywhere in `to`.
inline void fill_with(const Tensor& to, const Scalar& value) {
  if (to.numel().as_int() == 0) return;
  copy_elements(to, broadcast_view(number_on(to.device(), to.dtype(), value), to.sizes()));
}

/// Row-major, on t's device, in `dtype`; `t` itself where it is that already.
inline Tensor dense_as(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return dense_input(t);
  const Tensor dense = make_real_tensor(TensorMeta(dtype, t.sizes(), t.device()));
  copy_elements(dense, t);
  return dense;
}

/// `t`, or a copy of it without lazy bits.
inline Tensor plain(const Tensor& t) { return t.meta().conj || t.meta().neg ? dense_input(t) : t; }

/// What the kernels read indices from: `index`, on `device` and without a lazy negation.
inline Tensor readable(Device device, const Tensor& index) { return plain(moved_to(device, index)); }

/// Reads an i64 or i32 index; a negative one counts from `size`.
struct IndexReader {
  bool wide = true;
  int64_t size = 0;
  ERSATZ_DEVICE int64_t raw(const std::byte* at) const {
    return wide ? *reinterpret_cast<const int64_t*>(at) : int64_t(*reinterpret_cast<const int32_t*>(at));
  }
  ERSATZ_DEVICE int64_t operator()(const std::byte* at) const {
    const int64_t index = raw(at);
    return index < 0 ? index + size : index;
  }
};

struct FlagOutside {
  pointwise::DeviceOffsets<1> offsets;
  const std::byte* index;
  IndexReader read;
  int64_t low, high;
  uint32_t* flag;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t v = read.raw(index + offsets.of(static_cast<uint32_t>(i))[0]);
    if (v < low || v >= high) cuda_module::atomic_or(flag, 1);
  }
};

inline pointwise::LoopOperand operand_of(const Tensor& t) {
  return {t.raw_data(), item_size(t.dtype()), as_ints(t.strides())};
}

/// Raises the flag where a value lies outside [low, high).
inline void flag_outside(const Tensor& index, int64_t low, int64_t high, const cuda_module::DeviceFlag& flag) {
  const int device = index.device().index;
  const pointwise::LoopOperand operand = operand_of(index);
  pointwise::for_each_piece<1>(as_ints(index.sizes()), {&operand, 1}, [&](const pointwise::DevicePiece<1>& piece) {
    cuda_module::launch_each(
        device, piece.numel,
        FlagOutside{piece.offsets, piece.data[0], IndexReader{index.dtype() == DType::I64}, low, high, flag.address()});
  });
}

/// Does a value lie outside [low, high)? Waits for the device, so that a call that fails has written nothing.
inline bool any_outside(const Tensor& index, int64_t low, int64_t high) {
  if (index.numel().as_int() == 0) return false;
  const cuda_module::DeviceFlag flag(index.device().index);
  flag_outside(index, low, high, flag);
  return flag.read() != 0;
}

/// checked_indices (index_values.h) on a device. The failure is worded by the CPU's function, from a copy.
inline Tensor checked(const KernelCall& call, const Tensor& index, Device device, int64_t size, ErrorFamily family) {
  const Tensor here = readable(device, index);
  if (any_outside(here, 0, size)) checked_indices(call, moved_to(kCPU, here), size, family);
  return here;
}
/// wrapped_indices on a device; the negative ones stay as they are, IndexReader turns them.
inline Tensor checked_wrapping(const KernelCall& call, const Tensor& index, Device device, int64_t size,
                               ErrorFamily family) {
  const Tensor here = readable(device, index);
  if (any_outside(here, -size, size)) wrapped_indices(call, moved_to(kCPU, here), size, family);
  return here;
}

}  // namespace ersatz::device_index
