// Tensors as arguments and results of plugins' functions. Header-only, part of runtime/plugin/plugin_op.h.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plugin/plugin_dtype.h"

namespace ersatz::plugin {

/// Thrown by `require` to refuse a call.
struct Refusal {
  std::string label, message;
};
inline void require(bool ok, const char* label, const std::string& message) {
  if (!ok) throw Refusal{label, message};
}

using Dims = std::vector<int64_t>;

/// The sizes or strides of an argument, valid during the call. It does not own the numbers, so iterators of two
/// temporaries may be combined: `{x.sizes().begin(), x.sizes().end()}` is a range. It converts to `Dims`.
class DimsView : public std::span<const int64_t> {
 public:
  DimsView(const int64_t* first, int32_t count) : span(first, static_cast<size_t>(count)) {}
  operator Dims() const { return Dims(begin(), end()); }
  int64_t at(size_t d) const { return d < size() ? (*this)[d] : throw std::out_of_range("no such dim"); }
  friend bool operator==(DimsView a, DimsView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend bool operator==(DimsView a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
};

/// Returns row-major strides.
inline Dims contiguous(const Dims& sizes) {
  Dims strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * (sizes[d] > 1 ? sizes[d] : 1);
  return strides;
}
/// Returns dense strides with the first dim innermost.
inline Dims column_major(const Dims& sizes) {
  Dims strides(sizes.size(), 1);
  for (size_t d = 1; d < sizes.size(); ++d) strides[d] = strides[d - 1] * (sizes[d - 1] > 1 ? sizes[d - 1] : 1);
  return strides;
}

/// A tensor argument: its metadata and, in a kernel, its data. It is valid during the call.
class View {
 public:
  View(const ErsatzTensor* t, uint32_t argument) : t_(t), argument_(argument) {}
  DType dtype() const {
    int i = 0;
    while (!detail::same_code(kDTypeCodes[i], t_->dtype)) ++i;  // ersatz passes only these dtypes
    return static_cast<DType>(i);
  }
  ErsatzDevice device() const { return t_->device; }
  int64_t dim() const { return t_->ndim; }
  DimsView sizes() const { return {t_->shape, t_->ndim}; }
  DimsView strides() const { return {t_->strides, t_->ndim}; }
  int64_t size(int64_t d) const { return t_->shape[d < 0 ? d + t_->ndim : d]; }
  int64_t stride(int64_t d) const { return t_->strides[d < 0 ? d + t_->ndim : d]; }
  int64_t offset() const { return static_cast<int64_t>(t_->byte_offset) / item_size(dtype()); }
  int64_t numel() const {
    int64_t n = 1;
    for (int32_t d = 0; d < t_->ndim; ++d) n *= t_->shape[d];
    return n;
  }
  /// Returns a pointer to the first element. Refuses the call unless T is the dtype's type
  /// (runtime/plugin/plugin_dtype.h); char and std::byte read bytes of any dtype. REQUIRES: this is a kernel's call.
  template <class T>
  T* data() const {
    if (!detail::reads<T>(t_->dtype)) throw WrongType{static_cast<int64_t>(argument_), dtype(), detail::type_text<T>()};
    return reinterpret_cast<T*>(static_cast<char*>(t_->data) + t_->byte_offset);
  }
  /// Returns element `i` in row-major order of the sizes, whatever the strides. REQUIRES: this is a kernel's call on
  /// the CPU.
  template <class T>
  T& at(int64_t i) const {
    int64_t at = 0;
    for (int32_t d = t_->ndim; d-- > 0; i /= t_->shape[d]) at += i % t_->shape[d] * t_->strides[d];
    return data<T>()[at];
  }
  uint32_t argument() const { return argument_; }

 private:
  const ErsatzTensor* t_;
  uint32_t argument_;
};

/// Returns the device of a result if the plugin's function names no device for it. This is the device of the first
/// tensor argument, else the first Device argument, else the CPU.
inline ErsatzDevice usual_device(const ErsatzCall* call) {
  ErsatzDevice named = {1, 0};
  for (uint32_t i = call->argument_count; i-- > 0;) {
    if (call->arguments[i].kind == ERSATZ_DEVICE) named = call->arguments[i].as.device;
  }
  for (uint32_t i = 0; i < call->argument_count; ++i) {
    const ErsatzValue& v = call->arguments[i];
    if (v.kind == ERSATZ_TENSOR) return v.as.tensor->device;
    for (uint32_t k = 0; v.kind == ERSATZ_LIST && k < v.length; ++k) {
      if (v.as.items[k].kind == ERSATZ_TENSOR) return v.as.items[k].as.tensor->device;
    }
  }
  return named;
}

/// A result that a rule predicts, and the base class of a kernel's Result. Its default device is `usual_device`.
class Meta {
 public:
  Meta(DType dtype, Dims sizes) : Meta(dtype, sizes, contiguous(sizes)) {}
  Meta(DType dtype, Dims sizes, Dims strides) : dtype_(dtype), sizes_(std::move(sizes)), strides_(std::move(strides)) {}
  Meta(DType dtype, Dims sizes, Dims strides, ErsatzDevice device) : Meta(dtype, std::move(sizes), std::move(strides)) {
    device_ = device;
  }
  Meta& on(ErsatzDevice device) { return device_ = device, *this; }
  /// Returns a view of the argument's storage that begins `offset` elements after the storage's start.
  static Meta view(const View& of, Dims sizes, Dims strides, int64_t offset) {
    Meta m(of.dtype(), std::move(sizes), std::move(strides), of.device());
    m.argument_ = static_cast<int64_t>(of.argument());
    m.offset_ = offset;
    m.is_view_ = true;
    return m;
  }
  /// Returns the argument itself as the result, for in-place ops.
  static Meta same(const View& argument) {
    Meta m(argument.dtype(), argument.sizes(), argument.strides(), argument.device());
    m.argument_ = static_cast<int64_t>(argument.argument());
    return m;
  }

 protected:
  friend struct ResultWriter;
  DType dtype_;
  Dims sizes_, strides_;
  std::optional<ErsatzDevice> device_;  // nullopt: the call's usual_device
  void* data_ = nullptr;
  int64_t offset_ = 0, argument_ = -1;
  bool is_view_ = false;
  void (*deleter_)(void*) = nullptr;
  void* context_ = nullptr;
};

/// A result of a kernel. Its memory is from Call::allocate, the plugin's own, or an argument's.
class Result : public Meta {
 public:
  Result(Meta meta, void* data, void (*deleter)(void*) = nullptr, void* context = nullptr) : Meta(std::move(meta)) {
    data_ = data, deleter_ = deleter, context_ = context;
  }
  static Result same(const View& argument) { return Result(Meta::same(argument), nullptr); }
  static Result view(const View& of, Dims sizes, Dims strides, int64_t offset) {
    return Result(Meta::view(of, std::move(sizes), std::move(strides), offset),
                  of.data<char>() - of.offset() * item_size(of.dtype()));
  }
  /// Returns a pointer to the first element. T must be the dtype's type, as for View::data.
  template <class T>
  T* data() const {
    if (!detail::reads<T>(kDTypeCodes[static_cast<int>(dtype_)])) throw WrongType{-1, dtype_, detail::type_text<T>()};
    return static_cast<T*>(data_);
  }
  const Dims& sizes() const { return sizes_; }
  const Dims& strides() const { return strides_; }
  /// Returns element `i` in row-major order of the sizes.
  template <class T>
  T& at(int64_t i) const {
    int64_t at = 0;
    for (size_t d = sizes_.size(); d-- > 0; i /= sizes_[d]) at += i % sizes_[d] * strides_[d];
    return data<T>()[at];
  }
};

/// The call that a kernel is running, which can allocate results.
class Call {
 public:
  explicit Call(const ErsatzCall* call) : call_(call) {}
  /// Returns a result of uninitialised memory. Default strides are row-major, and the default device is `usual_device`.
  Result allocate(DType dtype, Dims sizes) { return allocate(dtype, std::move(sizes), usual_device(call_)); }
  Result allocate(DType dtype, Dims sizes, ErsatzDevice device) {
    Dims strides = contiguous(sizes);
    return allocate(dtype, std::move(sizes), std::move(strides), device);
  }
  Result allocate(DType dtype, Dims sizes, Dims strides) {
    return allocate(dtype, std::move(sizes), std::move(strides), usual_device(call_));
  }
  Result allocate(DType dtype, Dims sizes, Dims strides, ErsatzDevice device) {
    int64_t last = 0, n = 1;
    for (size_t d = 0; d < sizes.size(); ++d) last += (sizes[d] - 1) * strides[d], n *= sizes[d];
    uint64_t bytes = n == 0 ? 0 : static_cast<uint64_t>((last + 1) * item_size(dtype));
    void* data = call_->host->allocate(call_, bytes, device);
    if (!data) throw Refusal{"", "no memory for a result"};
    return Result(Meta(dtype, std::move(sizes), std::move(strides), device), data);
  }

 private:
  const ErsatzCall* call_;
};

}  // namespace ersatz::plugin
