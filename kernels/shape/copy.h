// `copy_` writes into a tensor; `_to_copy` and `to` convert to another dtype, device or memory format.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/shape/copy.h"

namespace ersatz::op_copy {

/// Writes `src` into `self`, converted and broadcast. The dtype, device and layout of `self` do not change.
/// [copy_.C1] src broadcasts to the sizes of self.
/// [copy_.C2] no two elements of self share memory.
/// [copy_.C3] src and self do not overlap in memory, or are the same elements.
inline constexpr TypedSchema kCopyInplace{
    "aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)"};
inline constexpr Schema kToCopy{
    "aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor"};
/// `out` keeps its dtype. If its sizes change, it becomes row-major. `memory_format` is checked and has no other
/// effect.
/// [_to_copy.C1] the format supports the rank of self.
inline constexpr Schema kToCopyOut{
    "aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
    "Tensor(a!)"};
inline constexpr Schema kToDtype{
    "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? "
    "memory_format=None) -> Tensor(a)"};
inline constexpr Schema kToDevice{
    "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, "
    "MemoryFormat? memory_format=None) -> Tensor(a)"};
inline constexpr Schema kToDtypeLayout{
    "aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"};
inline constexpr Schema kToOther{
    "aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? "
    "memory_format=None) -> Tensor(a)"};
/// The overloads of `to` that TorchScript calls. Their `dtype` may be the number of a ScalarType.
inline constexpr Schema kToPrimDevice{
    "aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool copy=False) "
    "-> "
    "Tensor(b|a)"};
inline constexpr Schema kToPrimDtype{
    "aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)"};
inline constexpr Schema kToPrimOther{
    "aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)"};
/// Returns `self` if it has the dtype and device of `other`, else a copy with this dtype and device.
inline constexpr TypedSchema kTypeAs{"aten::type_as(Tensor self, Tensor other) -> Tensor"};
inline constexpr Schemas kEach{kCopyInplace,  kToDtype,     kToDevice,    kToDtypeLayout, kToOther,
                               kToPrimDevice, kToPrimDtype, kToPrimOther, kTypeAs};

}  // namespace ersatz::op_copy

namespace ersatz::ops {

/// The options of a copy. If an option is not set, the copy has the source's property.
struct ToOptions {
  std::optional<DType> dtype;
  std::optional<Device> device;
  std::optional<MemoryFormat> memory_format;
  bool non_blocking = false;
  bool copy = false;  ///< returns a copy even if no property changes
};
/// Calls `_to_copy`, which always makes a copy.
/// [_to_copy.C1] the format supports the rank of self.
Tensor to_copy(const Tensor& self, const ToOptions& options);
/// Returns `self` if it has all requested properties already, else a copy with these properties.
Tensor to(const Tensor& self, const ToOptions& options);
Tensor to(const Tensor& self, DType dtype);
Tensor to(const Tensor& self, Device device);

}  // namespace ersatz::ops
