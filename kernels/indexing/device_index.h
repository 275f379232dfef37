// Index tensors on a CUDA device, which kernels read without copying them to the host. If checks_at_once() is true, an
// index out of range raises an error before anything is written. Otherwise the kernel that reads the index skips it and
// records it for the host (value_checks.h). Included by _cuda.cu files.
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

/// Returns `t` if it is on `device`, else a copy of it there.
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

/// Copies a 0-d CPU tensor to a CUDA device. The element is an argument of the kernel launch, so the host does not
/// wait.
inline Tensor number_moved_to(Device device, const Tensor& host) {
  const Tensor number = make_real_tensor(TensorMeta(host.dtype(), std::span<const SymInt>(), device));
  dispatch_item_size(item_size(host.dtype()), [&]<class Word>() {
    cuda_module::launch_each(
        device.index, 1,
        SetNumber<Word>{reinterpret_cast<Word*>(number.raw_data()), *reinterpret_cast<const Word*>(host.raw_data())});
  });
  return number;
}

/// Returns a 0-d tensor on a CUDA device with the value `value`.
inline Tensor number_on(Device device, DType dtype, const Scalar& value) {
  const Tensor host = make_real_tensor(TensorMeta(dtype, std::span<const SymInt>()));
  fill_elements(host, value);
  return number_moved_to(device, host);
}

/// Returns a 0-d tensor with value `value` and the conj and neg bits of `like`. If a bit is set, the stored element is
/// conjugated or negated, so that the tensor's value is `value`.
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

/// Sets all elements of `to` to `value`.
inline void fill_with(const Tensor& to, const Scalar& value) {
  if (to.numel().as_int() == 0) return;
  copy_elements(to, broadcast_view(number_on(to.device(), to.dtype(), value), to.sizes()));
}

/// Returns `t` itself if `t` is row-major with `dtype`, else a row-major copy with `dtype` on the same device.
inline Tensor dense_as(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return dense_input(t);
  const Tensor dense = make_real_tensor(TensorMeta(dtype, t.sizes(), t.device()));
  copy_elements(dense, t);
  return dense;
}

/// A tensor for a kernel's results: `out` itself if it is row-major with `dtype`, else a temporary. `finish` copies a
/// temporary to `out`.
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

/// Returns `index` on `device`, without a neg bit, because kernels read the stored elements.
inline Tensor readable(Device device, const Tensor& index) { return plain_input(moved_to(device, index)); }

/// Reads an i64 or i32 index and converts it to a position in [0, size).
struct IndexReader {
  bool wide = true;
  int64_t size = INT64_MAX;
  int64_t low = 0;                ///< the least valid index; -size if negative indices count from the end
  cuda_module::FailureNote note;  ///< records an index out of range for the host; if empty, nothing is recorded
  ERSATZ_DEVICE int64_t raw(const std::byte* at) const {
    return wide ? *reinterpret_cast<const int64_t*>(at) : int64_t(*reinterpret_cast<const int32_t*>(at));
  }
  /// Sets `place` to the position. RETURNS: false if the index is not in [low, size). The index is then recorded in
  /// `note`, and the caller must neither read nor write an element.
  ERSATZ_DEVICE bool find(const std::byte* at, int64_t& place) const {
    const int64_t index = raw(at);
    place = index < 0 ? index + size : index;
    if (index >= low && index < size) return true;
    note.take(static_cast<uint64_t>(index), reinterpret_cast<uintptr_t>(at));
    return false;
  }
};

/// An index tensor and the IndexReader for its elements.
struct DeviceIndex {
  Tensor tensor;
  IndexReader read;
};

/// Returns the DeviceIndex of a tensor whose elements are known to be in range.
inline DeviceIndex known_index(const Tensor& t) { return {t, {t.dtype() == DType::I64}}; }

/// Kernel that checks all indices. If one is out of range, sets `flag`. If `flag` is null, records the index in the
/// reader's FailureNote instead.
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

/// Records indices out of range in `index.read.note`, for calls in which no other kernel reads the index.
inline void note_outside(const DeviceIndex& index) {
  if (index.read.note && index.tensor.numel().as_int() > 0) look_outside(index, nullptr);
}

/// Returns `index` on `device` as a DeviceIndex with the range [low, size). If `now`, checks all elements; if one is
/// out of range, calls `refuse(copy on the host)`, which raises the error of the CPU's kernel. Otherwise, later kernels
/// record an element out of range for the host, and `words` makes the error text.
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

/// Does what checked_indices (index_values.h) does, for a CUDA device. An error is raised by checked_indices itself,
/// from a copy on the host.
inline DeviceIndex checked(const KernelCall& call, const Tensor& index, Device device, int64_t size, ErrorFamily family,
                           bool now = checks_at_once()) {
  return index_within(index, device, 0, size, now, {.family = family, .words = noted_index_words},
                      [&](const Tensor& host) { checked_indices(call, host, size, family); });
}
/// Does what wrapped_indices does, for a CUDA device. The elements stay as they are; IndexReader converts negative
/// indices.
inline DeviceIndex checked_wrapping(const KernelCall& call, const Tensor& index, Device device, int64_t size,
                                    ErrorFamily family) {
  return index_within(index, device, -size, size, checks_at_once(), {.family = family, .words = noted_index_words},
                      [&](const Tensor& host) { wrapped_indices(call, host, size, family); });
}

}  // namespace ersatz::device_index
