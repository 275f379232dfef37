// Index tensors on a CUDA device, read in place. An index out of range raises before anything is written
// (checks_at_once), or the launch that reads it skips and notes it. Included by _cuda.cu files.
#pragma once

#include "kernels/dense_operand.h"
#include "kernels/device_check.h"
#include "kernels/indexing/index_values.h"
#include "kernels/pointwise/device_loop.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/memory.h"
#include "runtime/op/copy.h"
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

/// A copy on a CUDA device of a 0-d tensor of the host. The element is an argument of a launch, so nothing waits.
inline Tensor number_moved_to(Device device, const Tensor& host) {
  const Tensor number = make_real_tensor(TensorMeta(host.dtype(), std::span<const SymInt>(), device));
  dispatch_item_size(item_size(host.dtype()), [&]<class Word>() {
    cuda_module::launch_each(
        device.index, 1,
        SetNumber<Word>{reinterpret_cast<Word*>(number.raw_data()), *reinterpret_cast<const Word*>(host.raw_data())});
  });
  return number;
}

/// A 0-d tensor on a CUDA device with this value.
inline Tensor number_on(Device device, DType dtype, const Scalar& value) {
  const Tensor host = make_real_tensor(TensorMeta(dtype, std::span<const SymInt>()));
  fill_elements(host, value);
  return number_moved_to(device, host);
}

/// A 0-d tensor with this value and the lazy bits of `like`, stored as an element of `like` would be.
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

/// Fills `to` with `value`.
inline void fill_with(const Tensor& to, const Scalar& value) {
  if (to.numel().as_int() == 0) return;
  copy_elements(to, broadcast_view(number_on(to.device(), to.dtype(), value), to.sizes()));
}

/// `t` as a row-major tensor of `dtype` on its device; `t` itself if it is one.
inline Tensor dense_as(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return dense_input(t);
  const Tensor dense = make_real_tensor(TensorMeta(dtype, t.sizes(), t.device()));
  copy_elements(dense, t);
  return dense;
}

/// `out` itself if it is row-major with `dtype`, else a temporary that is; `finish` copies it to `out`.
class OutputAs {
 public:
  OutputAs(const Tensor& out, DType dtype) : out_(out), tensor(out) {
    if (out.dtype() != dtype || !out.is_contiguous()) {
      tensor = make_real_tensor(TensorMeta(dtype, out.sizes(), out.device()));
    }
  }
  template <class T>
  T* data() const {
    return reinterpret_cast<T*>(tensor.raw_data());
  }
  void finish() const {
    if (!tensor.is(out_)) copy_elements(out_, tensor);
  }

 private:
  Tensor out_;

 public:
  Tensor tensor;
};

/// `index` on `device`, without a lazy negation bit: the form that kernels read.
inline Tensor readable(Device device, const Tensor& index) { return plain_input(moved_to(device, index)); }

/// Reads an i64 or i32 index and converts it to a place in [0, size).
struct IndexReader {
  bool wide = true;
  int64_t size = INT64_MAX;
  int64_t low = 0;                ///< least valid index: -size if negative indices count from the end
  cuda_module::FailureNote note;  ///< notes an index out of range; empty: none is noted
  ERSATZ_DEVICE int64_t raw(const std::byte* at) const {
    return wide ? *reinterpret_cast<const int64_t*>(at) : int64_t(*reinterpret_cast<const int32_t*>(at));
  }
  /// Sets `place`. RETURNS: false for an index outside of [low, size), which is noted; nothing may be read or written
  /// for it.
  ERSATZ_DEVICE bool find(const std::byte* at, int64_t& place) const {
    const int64_t index = raw(at);
    place = index < 0 ? index + size : index;
    if (index >= low && index < size) return true;
    note.take(static_cast<uint64_t>(index), reinterpret_cast<uintptr_t>(at));
    return false;
  }
};

/// An index tensor and its reader.
struct DeviceIndex {
  Tensor tensor;
  IndexReader read;
};

/// An index whose elements are known to be in range.
inline DeviceIndex known_index(const Tensor& t) { return {t, {t.dtype() == DType::I64}}; }

/// Checks all indices. An index out of range raises the flag, if there is one, or is noted.
struct LookOutside {
  pointwise::DeviceOffsets<1> offsets;
  const std::byte* index;
  IndexReader read;
  uint32_t* flag;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    int64_t place;
    const bool found = read.find(index + offsets.of(static_cast<uint32_t>(i))[0], place);
    if (!found && flag) cuda_module::atomic_or(flag, 1);
  }
};

inline pointwise::LoopOperand operand_of(const Tensor& t) {
  return {t.raw_data(), item_size(t.dtype()), as_ints(t.strides())};
}

inline void look_outside(const DeviceIndex& index, uint32_t* flag) {
  const int device = index.tensor.device().index;
  const pointwise::LoopOperand operand = operand_of(index.tensor);
  pointwise::for_each_piece<1>(
      as_ints(index.tensor.sizes()), {&operand, 1}, [&](const pointwise::DevicePiece<1>& piece) {
        cuda_module::launch_each(device, piece.numel, LookOutside{piece.offsets, piece.data[0], index.read, flag});
      });
}

/// Notes indices out of range for a call that has no other launch that reads the index.
inline void note_outside(const DeviceIndex& index) {
  if (index.read.note && index.tensor.numel().as_int() > 0) look_outside(index, nullptr);
}

/// `index` on `device`, with elements in [low, size). If `now`, checks all elements before it returns, and `refuse(a
/// copy on the host)` raises the CPU function's error. Else launches note elements out of range, and `words` makes the
/// error text.
template <class Refuse>
DeviceIndex index_within(const Tensor& index, Device device, int64_t low, int64_t size, bool now,
                         cuda_module::FailureWords words, Refuse&& refuse) {
  DeviceIndex found{readable(device, index), {index.dtype() == DType::I64, size, low}};
  if (index.numel().as_int() == 0) return found;
  if (found.tensor.is_contiguous()) words.first = found.tensor.raw_data(), words.item = item_size(index.dtype());
  words.size = size;
  found.read.note = checked_or_noted(
      device.index, words, [&](uint32_t* flag) { look_outside(found, flag); },
      [&] { refuse(moved_to(kCPU, found.tensor)); }, now);
  return found;
}

inline std::string noted_index_words(const cuda_module::NotedValue& v) {
  return index_words(static_cast<int64_t>(v.value), v.position, v.size);
}

/// checked_indices (index_values.h) for a device. The CPU's function raises the error, from a copy.
inline DeviceIndex checked(const KernelCall& call, const Tensor& index, Device device, int64_t size, ErrorFamily family,
                           bool now = checks_at_once()) {
  return index_within(index, device, 0, size, now, {.family = family, .words = noted_index_words},
                      [&](const Tensor& host) { checked_indices(call, host, size, family); });
}
/// wrapped_indices for a device. Negative indices are not converted here, but by IndexReader.
inline DeviceIndex checked_wrapping(const KernelCall& call, const Tensor& index, Device device, int64_t size,
                                    ErrorFamily family) {
  return index_within(index, device, -size, size, checks_at_once(), {.family = family, .words = noted_index_words},
                      [&](const Tensor& host) { wrapped_indices(call, host, size, family); });
}

}  // namespace ersatz::device_index
