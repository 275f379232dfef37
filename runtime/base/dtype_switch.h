// The only switch over dtypes in the sources: it calls a template with the C++ element type of a dtype.
//
//   dispatch_dtype<kFloats>(dtype, [&]<class T>() { relu<T>(out, in); });
//
// The set `kFloats` limits the switch at compile time, so an op is never compiled for a dtype that it does not declare.
// The lambda should only call one named template; its return value is ignored. If the dtype is a limited one
// (kLimitedDTypes) outside of the set, dispatch_dtype raises NoKernelForDType before anything is written. The runtime
// then makes the call in a wider dtype (runtime/op/widened_call.h).
#pragma once

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"

namespace ersatz {

/// Raised by dispatch_dtype if no kernel is compiled for this limited dtype.
struct NoKernelForDType {
  DType dtype;
};

/// Calls f.template operator()<T>() for the element type of `t`. REQUIRES: Set.has(t) (the rule has checked it).
template <DTypeSet Set, class F>
void dispatch_dtype(DType t, F&& f) {
  switch (t) {
#define ERSATZ_CASE(D, ...)                                                                  \
  case DType::D:                                                                             \
    if constexpr (Set.has(DType::D)) return f.template operator()<CppTypeOf<DType::D>::T>(); \
    break;
    ERSATZ_DTYPES(ERSATZ_CASE)
#undef ERSATZ_CASE
  }
  if (kLimitedDTypes.has(t)) throw NoKernelForDType{t};
  raise_internal_error(__FILE__, __LINE__, "Set.has(dtype)", "no kernel for dtype {} got through the rule", name(t));
}

/// An element of 16 bytes. Kernels that only move elements switch over element sizes instead of dtypes, and use an
/// unsigned integer of that size.
struct Bytes16 {
  uint64_t lo, hi;
};
template <class F>
void dispatch_item_size(int64_t bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f.template operator()<uint8_t>();
    case 2:
      return f.template operator()<uint16_t>();
    case 4:
      return f.template operator()<uint32_t>();
    case 8:
      return f.template operator()<uint64_t>();
    case 16:
      return f.template operator()<Bytes16>();
  }
  raise_internal_error(__FILE__, __LINE__, "bytes", "no element type of {} bytes", bytes);
}

}  // namespace ersatz
